"""Saved catalogs (`catalog.json`): a catalog and its fingerprint as a file with stable bytes."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from toolbooth import errors, files
from toolbooth.catalog.tool import Catalog, ServerTools, SetAside, sort_entries

FORMAT = "toolbooth-catalog"
VERSION = 1
_ABOUT = ("instructions", "title", "description", "version", "protocol")
_KINDS: tuple[Literal["duplicate", "cut"], ...] = ("duplicate", "cut")  # all else is read as malformed


def save_snapshot(catalog: Catalog, path: Path, missing: Iterable[tuple[str, str]] = ()) -> None:
    """Write a catalog atomically.

    `missing` are the sources that are not in it, each as (where, reason), so that it stays known as incomplete.
    """
    files.write_atomically(path, snapshot_bytes(catalog, missing))


def snapshot_bytes(catalog: Catalog, missing: Iterable[tuple[str, str]] = ()) -> bytes:
    """The same catalog always gives the same bytes: sorted keys, no time, no machine."""
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
    return (json.dumps(document, sort_keys=True, indent=1, ensure_ascii=False) + "\n").encode(
        "utf-8", "backslashreplace"
    )


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
    if document.get("version") != VERSION:
        raise errors.ConfigError(f"catalog format {document.get('version')} is unknown to this version", path)
    servers = tuple(_read_server(entry, path) for entry in _list(document, "servers", path))
    missing = tuple((entry["where"], entry["reason"]) for entry in _texts(document, "missing", path, "where"))
    catalog = Catalog(servers, missing)
    if document.get("fingerprint") != catalog.fingerprint:
        raise errors.ConfigError(
            "the fingerprint does not match the tools: the file was edited; save it again", path
        )
    return catalog


def _read_server(entry: Any, path: Path) -> ServerTools:
    if not isinstance(entry, Mapping) or not isinstance(entry.get("tools"), list):
        raise errors.ConfigError("a server entry has no list of tools", path)
    about = {key: entry[key] for key in _ABOUT if isinstance(entry.get(key), str)}
    server = sort_entries(str(entry.get("server", "")), entry["tools"], **about)
    aside = tuple(
        SetAside(server.server, each["name"], each["reason"], _kind(each.get("kind")))
        for each in _texts(entry, "set_aside", path, "name")
    )
    return replace(server, set_aside=(*server.set_aside, *aside))


def _kind(value: object) -> Literal["malformed", "duplicate", "cut"]:
    return next((kind for kind in _KINDS if kind == value), "malformed")


def _pair(source: tuple[str, str]) -> tuple[str, str]:
    where, reason = source
    return where, reason


def _list(holder: Mapping[str, Any], key: str, path: Path) -> list[Any]:
    value = holder.get(key, [])
    if not isinstance(value, list):
        raise errors.ConfigError(f"the catalog is damaged: {key} is not a list", path)
    return value


def _texts(holder: Mapping[str, Any], key: str, path: Path, name: str) -> list[Mapping[str, Any]]:
    """The entries of a list, each of which has a text `name` and a text `reason`."""
    entries = _list(holder, key, path)
    for entry in entries:
        if not isinstance(entry, Mapping) or not all(isinstance(entry.get(k), str) for k in (name, "reason")):
            raise errors.ConfigError(
                f"the catalog is damaged: an entry of {key} has no {name} or no reason", path
            )
    return entries
