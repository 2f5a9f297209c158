"""One server's offer in the cache: the name of its file, its bytes, and the vectors of its tools.

The file name must give away nothing secret. Two users of one server may see other tools, so what may be secret
(arguments, address, values) counts. Of it only sixteen bits of a digest are kept, under a random key of the folder:
enough to tell users apart, and too few to tell a right guess from sixty thousand wrong ones.

Format: a line with our mark, the version and the CRC-32 of all after it; a line of JSON (`refreshed`, what the server
said of itself, `tools` as they were sent, `set_aside`, `vectors`: the embedder's name and the number of columns); then
the vectors themselves as little-endian float32.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from zlib import crc32

import orjson

from toolbooth.catalog import ServerSpec, ServerTools, SetAside, Tool, canonical, decode

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from toolbooth.search import SearchEngine


KEY_BYTES: Final = 32
_OPEN_BYTES, _SECRET_BYTES = 12, 2


def fingerprint(spec: ServerSpec, key: bytes) -> str:
    """Hex digits and a dash: a file name on every system."""
    names = [sorted(spec.env), sorted(spec.headers)]
    in_the_open = [spec.name, spec.transport, spec.command, str(spec.cwd or ""), *names]
    secret = [list(spec.args), spec.url, sorted(spec.env.items()), sorted(spec.headers.items())]
    return f"{_digest(in_the_open, key, _OPEN_BYTES)}-{_digest(secret, key, _SECRET_BYTES)}"


def _digest(value: object, key: bytes, size: int) -> str:
    return blake2b(canonical(value).encode("utf-8", "surrogatepass"), key=key, digest_size=size).hexdigest()


_BYTES = 4


class StoredVectors(NamedTuple):
    """Rows of little-endian float32, one a tool: good only for the same embedder, tools and words about them."""

    embedder: str
    columns: int
    rows: bytes

    @classmethod
    def of(cls, engine: "SearchEngine", server: str) -> "StoredVectors | None":
        """What an engine holds for one server, if it embeds at all."""
        vectors = engine.vectors(server)
        if vectors is None or engine.embedder is None:
            return None
        return cls(engine.embedder.name, vectors.shape[1], vectors.astype("<f4").tobytes())

    def fitting(self, engine: "SearchEngine", tools: int) -> "NDArray[np.float32] | None":
        """The rows, where this engine's embedder made them for as many tools."""
        import numpy as np

        if engine.embedder is None or engine.embedder.name != self.embedder or not self.columns:
            return None
        if len(self.rows) != tools * self.columns * _BYTES:
            return None
        return np.frombuffer(self.rows, "<f4").reshape(tools, self.columns).astype(np.float32)


MARK: Final = b"toolbooth-cache"
VERSION: Final = b"1"
_ABOUT: Final = ("instructions", "title", "description", "version", "protocol")


class UnreadableOffer(ValueError):
    """The bytes are not one of our files, or not of this version; the message says which."""


@dataclass(frozen=True)
class CachedOffer:
    """What a server offered when it was last up, at `refreshed` seconds since 1970."""

    offered: ServerTools
    capabilities: Mapping[str, Any] = field(default_factory=dict, hash=False)
    vectors: StoredVectors | None = None
    refreshed: float = 0.0


def as_bytes(cached: CachedOffer) -> bytes:
    """The file's content."""
    offered, vectors = cached.offered, cached.vectors
    document = {
        "refreshed": cached.refreshed,
        "about": {key: value for key in _ABOUT if (value := getattr(offered, key))},
        "capabilities": cached.capabilities,
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


def from_bytes(data: bytes, server: str) -> CachedOffer:
    """Read a file's content for a server of this name; raises Unreadable."""
    start = data.find(b"\n") + 1
    mark, _, rest = data[:start].rstrip().partition(b" ")
    version, _, checksum = rest.partition(b" ")
    if mark != MARK:
        raise UnreadableOffer("is damaged")
    if version != VERSION:
        raise UnreadableOffer("is of another version of Toolbooth")
    if checksum != b"%08x" % crc32(memoryview(data)[start:]):
        raise UnreadableOffer("is damaged")
    return _read(data, start, server)


def _read(data: bytes, start: int, server: str) -> CachedOffer:
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
    return CachedOffer(offered, document["capabilities"], stored, document["refreshed"])


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
