"""The config formats of the clients. The first format that recognises a file reads it."""

from toolbooth.catalog.config.formats import toolbooth_yaml  # noqa: I001  # the order in which formats are tried
from toolbooth.catalog.config.formats import mcp_servers, vscode, codex, small_formats
from toolbooth.catalog.config.formats.registry import FORMATS, ConfigFormat, format_of, looks_like_config

__all__ = [
    "FORMATS",
    "ConfigFormat",
    "codex",
    "format_of",
    "looks_like_config",
    "mcp_servers",
    "small_formats",
    "toolbooth_yaml",
    "vscode",
]
