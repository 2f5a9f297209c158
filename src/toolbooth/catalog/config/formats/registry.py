"""The register of config formats: a document → the format that knows it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from toolbooth.catalog.config.config_file import RawConfig
from toolbooth.catalog.config.document import Document
from toolbooth.catalog.config.gateway_command import GatewayLaunch
from toolbooth.errors import ConfigError

FormatReader = Callable[[Document], RawConfig]
Section = tuple[str, ...]
ALL_SYNTAXES: Final = frozenset({"json", "toml", "yaml"})


@dataclass(frozen=True)
class ConfigFormat:
    """How one shape of config is known and read. A file named `stem` is of this format whatever it holds.

    `section` finds the map of servers that may move behind the gateway; `entry` writes the gateway's own entry.
    """

    name: str
    knows: Callable[[Any], bool]
    read: FormatReader
    syntaxes: frozenset[str] = ALL_SYNTAXES
    stem: str = ""
    section: Callable[[Any], Section | None] = lambda _value: None
    entry: Callable[[GatewayLaunch], dict[str, Any]] = lambda _launch: {}


FORMATS: Final[list[ConfigFormat]] = []


def config_format(
    name: str, knows: Callable[[Any], bool], *syntaxes: str, **more: Any
) -> Callable[[FormatReader], FormatReader]:
    """Register a reader; `knows` judges the parsed value alone, `more` are the other fields of Format."""

    def register(reader: FormatReader) -> FormatReader:
        FORMATS.append(ConfigFormat(name, knows, reader, frozenset(syntaxes) or ALL_SYNTAXES, **more))
        return reader

    return register


def format_of(document: Document) -> ConfigFormat:
    """The first format that knows this document; raises ConfigError."""
    for candidate in FORMATS:
        if candidate.stem and document.path.stem == candidate.stem:
            return candidate
    for candidate in FORMATS:
        if document.syntax in candidate.syntaxes and candidate.knows(document.value):
            return candidate
    raise ConfigError(
        "no MCP servers in here: looked for mcpServers, servers, mcp_servers and context_servers",
        document.path,
    )


def looks_like_config(value: Any) -> bool:
    """Tell a parsed config from a catalog such as the result of `tools/list`."""
    return any(candidate.knows(value) for candidate in FORMATS)
