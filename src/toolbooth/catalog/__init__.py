"""Config files and servers → tools."""

from toolbooth.catalog.key_shapes import KEY_SHAPES, KeyShape
from toolbooth.catalog.listing import sort_entries
from toolbooth.catalog.local_ref import pointer_parts, resolve_local, resolved
from toolbooth.catalog.offline import looks_like_catalog, read_catalog
from toolbooth.catalog.secrets import (
    HIDDEN,
    SHORTEST_NAMED_SECRET,
    SHORTEST_SECRET,
    given_secrets,
    given_values,
    is_secret_variable,
    offer_without,
    sounds_secret,
    text_without,
    wire_without,
    without_known_keys,
    without_secrets,
)
from toolbooth.catalog.server_spec import ServerSpec, started_in
from toolbooth.catalog.snapshot import save_snapshot, snapshot_bytes, write_atomically
from toolbooth.catalog.strict_json import NotJson, canonical, decode, encode_line
from toolbooth.catalog.tool import Catalog, Json, MalformedTool, ServerTools, SetAside, Tool

__all__ = [
    "HIDDEN",
    "KEY_SHAPES",
    "SHORTEST_NAMED_SECRET",
    "SHORTEST_SECRET",
    "Catalog",
    "Json",
    "KeyShape",
    "MalformedTool",
    "NotJson",
    "ServerSpec",
    "ServerTools",
    "SetAside",
    "Tool",
    "canonical",
    "decode",
    "encode_line",
    "given_secrets",
    "given_values",
    "is_secret_variable",
    "looks_like_catalog",
    "offer_without",
    "pointer_parts",
    "read_catalog",
    "resolve_local",
    "resolved",
    "save_snapshot",
    "snapshot_bytes",
    "sort_entries",
    "sounds_secret",
    "started_in",
    "text_without",
    "wire_without",
    "without_known_keys",
    "without_secrets",
    "write_atomically",
]
