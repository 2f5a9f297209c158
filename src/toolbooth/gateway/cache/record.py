"""What one server offered → the bytes of its cache file, and back.

Format: a line with our mark, the version and the CRC-32 of all after it; a line of JSON (`refreshed`, what the server
said of itself, `tools` as they were sent, `set_aside`, `vectors`: the embedder's name and the number of columns); then
the vectors themselves as little-endian float32.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from zlib import crc32

import orjson

from toolbooth.catalog import ServerTools, SetAside, Tool, decode
from toolbooth.gateway.cache.vectors import StoredVectors

MARK: Final = b"toolbooth-cache"
VERSION: Final = b"1"
_ABOUT: Final = ("instructions", "title", "description", "version", "protocol")


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
        "refreshed": remembered.refreshed,
        "about": {key: value for key in _ABOUT if (value := getattr(offered, key))},
        "capabilities": remembered.capabilities,
        "tools": [tool.wire for tool in offered.tools],
        "set_aside": [[each.name, each.reason, each.kind] for each in offered.set_aside],
        "vectors": [vectors.embedder, vectors.columns] if vectors else None,
    }
    body = b"%b\n%b" % (_dumped(document), vectors.rows if vectors else b"")
    return b"%b %b %08x\n%b" % (MARK, VERSION, crc32(body), body)


def _dumped(document: Mapping[str, Any]) -> bytes:
    try:
        return orjson.dumps(document)
    except TypeError:  # an integer over 64 bits, which orjson would read back as a float
        marked = {**document, "long_numbers": True}
        return json.dumps(marked, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "replace")


def from_bytes(data: bytes, server: str) -> Remembered:
    """Read a file's content for a server of this name; raises Unreadable."""
    start = data.find(b"\n") + 1
    mark, _, rest = data[:start].rstrip().partition(b" ")
    version, _, checksum = rest.partition(b" ")
    if mark != MARK:
        raise Unreadable("is damaged")
    if version != VERSION:
        raise Unreadable("is of another version of Toolbooth")
    if checksum != b"%08x" % crc32(memoryview(data)[start:]):
        raise Unreadable("is damaged")
    return _read(data, start, server)


def _read(data: bytes, start: int, server: str) -> Remembered:
    """From here on the bytes are our own: nothing is checked again. 4,000 tools take 40 ms, strictly read 200."""
    end = data.index(b"\n", start)
    document = orjson.loads(memoryview(data)[start:end])
    if "long_numbers" in document:
        document = decode(data[start:end])
    vectors = document["vectors"]
    offered = ServerTools(
        server,
        tuple(_tool(server, wire) for wire in document["tools"]),
        set_aside=tuple(SetAside(server, *entry) for entry in document["set_aside"]),
        **document["about"],
    )
    stored = StoredVectors(vectors[0], vectors[1], data[end + 1 :]) if vectors else None
    return Remembered(offered, document["capabilities"], stored, document["refreshed"])


def _tool(server: str, wire: Mapping[str, Any]) -> Tool:
    """As `Tool.from_wire` read it before it was saved: an empty text where an object belongs is none."""
    found = wire.get
    schema, output, notes = found("inputSchema"), found("outputSchema"), found("annotations")
    return Tool(
        server,
        wire["name"],
        found("description") or "",
        None if schema == "" else schema,
        None if output == "" else output,
        None if notes == "" else notes,
        wire,
    )
