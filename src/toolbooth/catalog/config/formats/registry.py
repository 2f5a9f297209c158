"""The registered config formats, and how the format of a document is recognised."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from toolbooth import errors
from toolbooth.catalog.config import config_file, gateway_command
from toolbooth.catalog.config.config_file import Document

FormatReader = Callable[[Document], config_file.RawConfig]
Section = tuple[str, ...]
ALL_SYNTAXES: Final = frozenset({"json", "toml", "yaml"})


@dataclass(frozen=True)
class ConfigFormat:
    """How one format is recognised and read. A file named `stem` has this format, whatever it contains.

    `section` finds the map of servers that can move behind the gateway; `entry` builds the gateway's own entry.
    """

    name: str
    knows: Callable[[Any], bool]
    read: FormatReader
    syntaxes: frozenset[str] = ALL_SYNTAXES
    stem: str = ""
    section: Callable[[Any], Section | None] = lambda _value: None
    entry: Callable[[gateway_command.GatewayLaunch], dict[str, Any]] = lambda _launch: {}


FORMATS: Final[list[ConfigFormat]] = []


def config_format(
    name: str, knows: Callable[[Any], bool], *syntaxes: str, **more: Any
) -> Callable[[FormatReader], FormatReader]:
    """Register a reader; `knows` recognises a parsed value, and `more` are the other fields of ConfigFormat."""

    def register(reader: FormatReader) -> FormatReader:
        FORMATS.append(ConfigFormat(name, knows, reader, frozenset(syntaxes) or ALL_SYNTAXES, **more))
        return reader

    return register


def format_of(document: Document) -> ConfigFormat:
    """The first format that recognises this document; raises ConfigError if none does."""
    for candidate in FORMATS:
        if candidate.stem and document.path.stem == candidate.stem:
            return candidate
    for candidate in FORMATS:
        if document.syntax in candidate.syntaxes and candidate.knows(document.value):
            return candidate
    raise errors.ConfigError(
        "has no MCP servers; looked for mcpServers, servers, mcp_servers and context_servers",
        document.path,
    )


def looks_like_config(value: Any) -> bool:
    """Whether a parsed value is a config, and not a catalog such as the result of `tools/list`."""
    return any(candidate.knows(value) for candidate in FORMATS)
