"""What one server offered → the bytes of its cache file, and back.

Format: one line of JSON (`format`, `version`, `refreshed`, what the server said of itself, `tools` as they were
sent, `set_aside`, `vectors` with the embedder's name and the number of columns), then the vectors themselves as
little-endian float32.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

import orjson

from toolbooth.catalog import ServerTools, SetAside, decode, sort_entries
from toolbooth.gateway.cache.vectors import StoredVectors

FORMAT: Final = "toolbooth-cache"
VERSION: Final = 1
_ABOUT: Final = ("instructions", "title", "description", "version", "protocol")
_KINDS: Final = ("malformed", "duplicate", "cut")


class Unreadable(ValueError):
    """The bytes are not one of our files, or not of this version; the message says which."""


@dataclass(frozen=True)
class Remembered:
    """What a server offered when it was last up, at `refreshed` seconds since 1970."""

    offered: ServerTools
    capabilities: Mapping[str, Any] = field(default_factory=dict, hash=False)
    vectors: StoredVectors | None = None
    refreshed: float = 0.0


def as_bytes(remembered: Remembered) -> bytes:
    """The file's content."""
    offered, vectors = remembered.offered, remembered.vectors
    document = {
        "format": FORMAT,
        "version": VERSION,
        "refreshed": remembered.refreshed,
        "about": {key: value for key in _ABOUT if (value := getattr(offered, key))},
        "capabilities": remembered.capabilities,
        "tools": [tool.wire for tool in offered.tools],
        "set_aside": [[each.name, each.reason, each.kind] for each in offered.set_aside],
        "vectors": [vectors.embedder, vectors.columns] if vectors else None,
    }
    return b"%s\n%s" % (_dumped(document), vectors.rows if vectors else b"")


def _dumped(document: Mapping[str, Any]) -> bytes:
    try:
        return orjson.dumps(document)
    except TypeError:  # an integer over 64 bits, which orjson would read back as a float
        marked = {**document, "long_numbers": True}
        return json.dumps(marked, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "replace")


def from_bytes(data: bytes, server: str) -> Remembered:
    """Read a file's content for a server of this name; raises Unreadable."""
    end = data.find(b"\n")
    line = data[: end if end >= 0 else 0]
    try:
        document = orjson.loads(
            line
        )  # our own bytes: 4,000 tools in 30 ms, where the strict reader takes 200
        if isinstance(document, Mapping) and "long_numbers" in document:
            document = decode(line)
    except ValueError:
        raise Unreadable("is damaged") from None
    if not isinstance(document, Mapping) or document.get("format") != FORMAT:
        raise Unreadable("is damaged")
    if document.get("version") != VERSION:
        raise Unreadable("is of another version of Toolbooth")
    try:
        return _read(document, data[end + 1 :], server)
    except (KeyError, TypeError, ValueError):
        raise Unreadable("is damaged") from None


def _read(document: Mapping[str, Any], rows: bytes, server: str) -> Remembered:
    about = {
        key: value
        for key, value in dict(document["about"]).items()
        if key in _ABOUT and isinstance(value, str)
    }
    offered = sort_entries(server, list(document["tools"]), **about)
    aside = tuple(_set_aside(server, *entry) for entry in document["set_aside"])
    return Remembered(
        replace(offered, set_aside=(*offered.set_aside, *aside)),
        dict(document["capabilities"]),
        StoredVectors(str(document["vectors"][0]), int(document["vectors"][1]), rows)
        if document["vectors"]
        else None,
        float(document["refreshed"]),
    )


def _set_aside(server: str, name: str, reason: str, kind: str) -> SetAside:
    known = next((each for each in _KINDS if each == kind), "malformed")
    return SetAside(server, str(name), str(reason), known)  # type: ignore[arg-type]
