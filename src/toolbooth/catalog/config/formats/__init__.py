"""The config formats of the clients, each in a file of its own; the first that knows a file reads it."""

from toolbooth.catalog.config.formats import toolbooth_yaml  # noqa: I001  # the order is the order of asking
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
