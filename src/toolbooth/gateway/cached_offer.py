"""What one server offered, as the cache stores it: the name of its file, and its bytes with the search index of its
tools.

The file name must reveal no secret. Two users of one server may see different tools, so everything that may
be secret (arguments, address, values) is part of the name, but only as sixteen bits of a digest under a
random key of the folder. That is enough to tell users apart, and too little to confirm a guess: sixty
thousand wrong ones fit as well.

The format: a line with a magic word, the version and the CRC-32 of everything after it; a line of JSON
(`refreshed`, what the server said about itself, `tools` as they were sent, and `set_aside`); then the index of its
tools as the search engine wrote it, which alone knows what it holds. If a lock holds some of the tools back, the index
is that of the others, after a mark with their digest. Of files of version 1 only the tools are used.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Any, Final, Literal
from zlib import crc32

from toolbooth import catalog, own_json

KEY_BYTES: Final = 32
_OPEN_BYTES, _SECRET_BYTES = 12, 2


def fingerprint(spec: catalog.ServerSpec, key: bytes) -> str:
    """Hex digits and a dash: a file name on every system."""
    names = [sorted(spec.env), sorted(spec.headers)]
    in_the_open = [spec.name, spec.transport, spec.command, str(spec.cwd or ""), *names]
    secret = [list(spec.args), spec.url, sorted(spec.env.items()), sorted(spec.headers.items())]
    return f"{_digest(in_the_open, key, _OPEN_BYTES)}-{_digest(secret, key, _SECRET_BYTES)}"


def _digest(value: object, key: bytes, size: int) -> str:
    return blake2b(
        catalog.canonical(value).encode("utf-8", "surrogatepass"), key=key, digest_size=size
    ).hexdigest()


MARK: Final = b"toolbooth-cache"
VERSION: Final = b"2"
_READ: Final = {b"1", VERSION}
_ABOUT: Final = ("instructions", "title", "description", "version", "protocol")


class UnreadableOffer(ValueError):
    """The bytes are not one of our files, or not of this version; the message says which."""


@dataclass(frozen=True)
class CachedOffer:
    """What a server offered when it was last up, `refreshed` seconds after 1970."""

    offered: catalog.ServerTools
    capabilities: Mapping[str, Any] = field(default_factory=dict, hash=False)
    index: bytes | None = None
    refreshed: float = 0.0


@dataclass(frozen=True)
class _Stored:
    """The fields of the stored JSON."""

    refreshed: float
    about: dict[str, str]
    capabilities: dict[str, Any]
    tools: list[dict[str, Any]]
    set_aside: list[tuple[str, str, Literal["malformed", "duplicate", "cut"]]]


def as_bytes(cached: CachedOffer) -> bytes:
    """The content of the file."""
    offered = cached.offered
    stored = _Stored(
        refreshed=cached.refreshed,
        about={key: value for key in _ABOUT if (value := getattr(offered, key))},
        capabilities=dict(cached.capabilities),
        tools=[dict(tool.raw) for tool in offered.tools],
        set_aside=[(each.name, each.reason, each.kind) for each in offered.set_aside],
    )
    body = b"%b\n%b" % (own_json.encode(stored), cached.index or b"")
    return b"%b %b %08x\n%b" % (MARK, VERSION, crc32(body), body)


def from_bytes(data: bytes, server: str) -> CachedOffer:
    """Read a file's content for a server of this name; raises UnreadableOffer."""
    start = data.find(b"\n") + 1
    mark, _, rest = data[:start].rstrip().partition(b" ")
    version, _, checksum = rest.partition(b" ")
    if mark != MARK:
        raise UnreadableOffer("is damaged")
    if version not in _READ:
        raise UnreadableOffer("was written by another version of Toolbooth")
    if checksum != b"%08x" % crc32(memoryview(data)[start:]):
        raise UnreadableOffer("is damaged")
    known = _read(data, start, server)
    return known if version == VERSION else replace(known, index=None)


def _read(data: bytes, start: int, server: str) -> CachedOffer:
    """The checksum has passed, so tools are not checked again: that would take most of the time."""
    end = data.index(b"\n", start)
    try:
        stored = own_json.decode(memoryview(data)[start:end], _Stored)
    except (ValueError, RecursionError):
        raise UnreadableOffer("is damaged") from None
    offered = catalog.ServerTools(
        server,
        tuple(_tool(server, definition) for definition in stored.tools),
        set_aside=tuple(catalog.SetAside(server, *entry) for entry in stored.set_aside),
        **{key: stored.about[key] for key in _ABOUT if key in stored.about},
    )
    return CachedOffer(offered, stored.capabilities, data[end + 1 :] or None, stored.refreshed)


def _tool(server: str, definition: Mapping[str, Any]) -> catalog.Tool:
    """The tool as `Tool.from_raw` made it before it was saved; an empty text in place of an object is None."""
    found = definition.get
    schema, output, notes = found("inputSchema"), found("outputSchema"), found("annotations")
    return catalog.Tool(
        server,
        definition["name"],
        found("description") or "",
        None if schema == "" else schema,
        None if output == "" else output,
        None if notes == "" else notes,
        definition,
    )


_PART: Final = b"toolbooth-part "


def for_part(index: bytes, shown: catalog.ServerTools) -> bytes:
    """The index of what a lock lets pass of an offer, marked as that of just this part."""
    return _mark_of(shown) + index


def index_of_part(index: bytes, shown: catalog.ServerTools) -> bytes | None:
    """The index again, if it is that of just this part."""
    mark = _mark_of(shown)
    return index.removeprefix(mark) if index.startswith(mark) else None


def _mark_of(shown: catalog.ServerTools) -> bytes:
    about = [getattr(shown, name) for name in _ABOUT]
    told = catalog.canonical([[tool.raw for tool in shown.tools], about])
    return _PART + blake2b(told.encode("utf-8", "surrogatepass")).digest()
