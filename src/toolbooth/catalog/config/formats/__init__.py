"""The config formats of the clients, each in a file of its own; the first that knows a file reads it."""

from toolbooth.catalog.config.formats import toolbooth_yaml  # noqa: I001  # the order is the order of asking
from toolbooth.catalog.config.formats import mcp_servers, vscode, codex, zed, bare_map
from toolbooth.catalog.config.formats.registry import FORMATS, Format, format_of, looks_like_config

__all__ = [
    "FORMATS",
    "Format",
    "bare_map",
    "codex",
    "format_of",
    "looks_like_config",
    "mcp_servers",
    "toolbooth_yaml",
    "vscode",
    "zed",
]
