"""A client's config file, opened for rewriting its section of servers."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol, cast

from toolbooth import errors, limits
from toolbooth.catalog.config import clients, config_file, gateway_command, regular_file
from toolbooth.catalog.config.config_file import UTF8_BOM, Document, decoded, parse_bytes
from toolbooth.catalog.config.formats import ConfigFormat, format_of
from toolbooth.catalog.config.wrapping import json_rewrite, toml_rewrite

Section = tuple[str, ...]


class Rewrite(Protocol):
    """The operations on a section's text that a syntax must provide."""

    def movable(self, text: str, path: Section) -> frozenset[str]: ...

    def move_out(
        self, text: str, path: Section, moved: Collection[str], name: str, entry: Mapping[str, Any]
    ) -> str: ...

    def move_back(
        self, text: str, path: Section, name: str, original: str, called: Mapping[str, str]
    ) -> str: ...

    def set_keys(self, text: str, path: Section, name: str, values: Mapping[str, Any]) -> str: ...

    def restore_section(self, text: str, path: Section, original: str) -> str: ...


REWRITES: Final[Mapping[str, Rewrite]] = {
    "json": cast("Rewrite", json_rewrite),
    "toml": cast("Rewrite", toml_rewrite),
}

UNKNOWN: Final = ConfigFormat("config", lambda _value: True, lambda _document: config_file.RawConfig(()))


class WrappedEntry(NamedTuple):
    """The gateway's entry in a wrapped file: its name, and the kept copy that it reads."""

    server: str
    copy: Path


@dataclass(frozen=True)
class OpenedConfig:
    """One file, read once; what is written later is based on exactly these bytes."""

    path: Path
    target: Path
    data: bytes = field(repr=False)
    document: Document
    format: ConfigFormat
    reading: config_file.RawConfig = field(repr=False)

    @property
    def client(self) -> str:
        """The client that the file belongs to, or else its format."""
        client = clients.client_of(self.path)
        return client.name if client else self.format.name

    @property
    def text(self) -> str:
        """The text without its byte order mark."""
        return decoded(self.path, self.data)

    @property
    def rewrite(self) -> Rewrite:
        """How to change the text."""
        return REWRITES[self.document.syntax]

    @property
    def section(self) -> Section | None:
        """The path of the section whose servers can move."""
        return self.format.section(self.document.value)

    @property
    def own_servers(self) -> list[config_file.RawServer]:
        """The servers of that section."""
        names = {} if self.section is None else section_of(self.document.value, self.section)
        return [raw for raw in self.reading.servers if raw.project is None and raw.name in names]

    @property
    def other_servers(self) -> list[config_file.RawServer]:
        """The servers elsewhere in the file, such as Claude Code's servers of single projects."""
        own = {id(raw) for raw in self.own_servers}
        return [raw for raw in self.reading.servers if id(raw) not in own]

    @property
    def wrapped_entry(self) -> WrappedEntry | None:
        """The gateway's entry, if the file is wrapped."""
        return next(
            (wrapped_entry for raw in self.own_servers if (wrapped_entry := _wrapped_entry(raw))), None
        )

    def with_text(self, text: str) -> "OpenedConfig":
        """The same file with another text, parsed again; raises ConfigError if that is broken."""
        bom = UTF8_BOM if self.data.startswith(UTF8_BOM) else b""
        return open_bytes(self.path, self.target, bom + text.encode("utf-8"))


def open_config(path: Path) -> OpenedConfig:
    """Read a file for rewriting, through a link if it is one; raises ConfigError.

    Its format may be unknown, for example if a person removed the whole section; then it has no section.
    """
    target = target_of(path)
    return open_bytes(path, target, regular_file.read_regular(target, limits.MAX_CONFIG_BYTES))


def open_bytes(path: Path, target: Path, data: bytes) -> OpenedConfig:
    """The same for bytes that have been read already."""
    document = parse_bytes(path, data)
    try:
        chosen = format_of(document)
    except errors.ConfigError:
        chosen = UNKNOWN
    if chosen.stem:
        raise errors.ConfigError(
            "is the gateway's own config and needs no wrapping; use `toolbooth serve --config`", path
        )
    if document.syntax not in REWRITES:
        raise errors.ConfigError(
            "is YAML, which is not rewritten; name it to `toolbooth serve --config` instead", path
        )
    return OpenedConfig(path, target, data, document, chosen, chosen.read(document))


def target_of(path: Path) -> Path:
    """The path with links resolved; the file need not exist."""
    try:
        return path.absolute().resolve()
    except (OSError, RuntimeError) as error:
        raise errors.ConfigError(
            f"cannot be followed: {getattr(error, 'strerror', None) or 'a cycle of links'}", path
        ) from None


def section_of(value: Any, path: Section) -> Mapping[str, Any]:
    """The map at a path; an empty one if there is none."""
    for key in path:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value if isinstance(value, Mapping) else {}


def _wrapped_entry(raw: config_file.RawServer) -> WrappedEntry | None:
    args = [word for word in raw.args if isinstance(word, str)] if isinstance(raw.args, list) else []
    if not isinstance(raw.command, str) or not gateway_command.is_gateway_command((raw.command, *args)):
        return None
    copies = gateway_command.kept_copies(args)
    return WrappedEntry(raw.name, copies[0]) if copies else None
