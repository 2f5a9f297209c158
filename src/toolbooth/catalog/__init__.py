"""Config files and servers → tools."""

from toolbooth.catalog.server_spec import ServerSpec
from toolbooth.catalog.strict_json import NotJson, canonical, decode
from toolbooth.catalog.tool import Catalog, Json, MalformedTool, ServerTools, SetAside, Tool

__all__ = [
    "Catalog",
    "Json",
    "MalformedTool",
    "NotJson",
    "ServerSpec",
    "ServerTools",
    "SetAside",
    "Tool",
    "canonical",
    "decode",
]
