"""Saved catalogs (`catalog.json`): a catalog and its fingerprint as a file with stable bytes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from toolbooth import errors, files, own_json
from toolbooth.catalog.tool import Catalog, ServerTools, SetAside, sort_entries

FORMAT = "toolbooth-catalog"
VERSION = 1
_ABOUT = ("instructions", "title", "description", "version", "protocol")
_KINDS: tuple[Literal["duplicate", "cut"], ...] = ("duplicate", "cut")  # all else is read as malformed


@dataclass(frozen=True)
class _Missing:
    where: str
    reason: str


@dataclass(frozen=True)
class _Aside:
    name: str
    reason: str
    kind: str = "malformed"


@dataclass(frozen=True)
class _Server:
    tools: list[Any]
    server: str = ""
    instructions: str | None = None
    title: str = ""
    description: str = ""
    version: str = ""
    protocol: str = ""
    set_aside: tuple[_Aside, ...] = ()


@dataclass(frozen=True)
class _Snapshot:
    format: str
    version: int
    fingerprint: str
    servers: tuple[_Server, ...]
    missing: tuple[_Missing, ...] = ()


_FILE = own_json.OwnFormat(
    _Snapshot,
    FORMAT,
    VERSION,
    foreign="is not a saved catalog; `toolbooth doctor --save` writes one",
    other_version="catalog format {version} is unknown to this version; save it again, or update Toolbooth",
    damaged="the catalog is damaged: {reason}; save it again",
)


def save_snapshot(catalog: Catalog, path: Path, missing: Iterable[tuple[str, str]] = ()) -> None:
    """Write a catalog atomically.

    `missing` are the sources that are not in it, each as (where, reason), so that it stays known as incomplete.
    """
    files.write_atomically(path, snapshot_bytes(catalog, missing))


def snapshot_bytes(catalog: Catalog, missing: Iterable[tuple[str, str]] = ()) -> bytes:
    """The saved form. Equal catalogs give equal bytes: sorted keys, no time, no machine."""
    absent = [
        {"where": where, "reason": reason}
        for where, reason in sorted({*catalog.missing, *map(_pair, missing)})
    ]
    document = {
        "format": FORMAT,
        "version": VERSION,
        "fingerprint": catalog.fingerprint,
        "servers": [_server(server) for server in sorted(catalog.servers, key=lambda each: each.server)],
        **({"missing": absent} if absent else {}),
    }
    return own_json.encode(document, indent=1, sort=True)


def _server(server: ServerTools) -> dict[str, Any]:
    about = {key: getattr(server, key) for key in _ABOUT}
    about["set_aside"] = [
        {"name": entry.name, "reason": entry.reason, "kind": entry.kind} for entry in server.set_aside
    ]
    return {
        "server": server.server,
        **{key: value for key, value in about.items() if value},
        "tools": [tool.raw for tool in server.tools],
    }


def is_snapshot(document: object) -> bool:
    """Whether a parsed file is one of ours."""
    return isinstance(document, Mapping) and document.get("format") == FORMAT


def read_snapshot(document: Mapping[str, Any], path: Path) -> Catalog:
    """Read a parsed snapshot; a changed or damaged one is refused."""
    saved = _FILE.read_value(document, path)
    missing = tuple((each.where, each.reason) for each in saved.missing)
    catalog = Catalog(tuple(map(_read_server, saved.servers)), missing)
    if saved.fingerprint != catalog.fingerprint:
        raise errors.ConfigError(
            "the fingerprint does not match the tools: the file was edited; save it again", path
        )
    return catalog


def _read_server(saved: _Server) -> ServerTools:
    server = sort_entries(saved.server, saved.tools, **{key: getattr(saved, key) for key in _ABOUT})
    aside = (SetAside(server.server, each.name, each.reason, _kind(each.kind)) for each in saved.set_aside)
    return replace(server, set_aside=(*server.set_aside, *aside))


def _kind(value: str) -> Literal["malformed", "duplicate", "cut"]:
    return next((kind for kind in _KINDS if kind == value), "malformed")


def _pair(source: tuple[str, str]) -> tuple[str, str]:
    where, reason = source
    return where, reason
