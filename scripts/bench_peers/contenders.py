"""The contenders: for each a command in front of given servers, and the adapter that measures it."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from ..bench_gateway.backends import Servers
from ..bench_gateway.contenders import COMPRESSOR, KEPT, LAZY, TABLE, Contender, Words


class Peer(NamedTuple):
    """`rehearsed`: started once before, so that it knows its servers as in daily use.

    `unready` is the text in the answer to its first step while it still lists its servers.
    """

    contender: Contender
    adapter: str
    rehearsed: bool = False
    unready: str = ""

    @property
    def name(self) -> str:
        return self.contender.name


def _ours(surface: str, adapter: str) -> Peer:
    known = next(each for each in TABLE if each.name == "toolbooth, no daemon")
    own = partial(_with_surface, surface)
    return Peer(replace(known, name=f"toolbooth {surface}", command=own), adapter, rehearsed=True)


def _with_surface(surface: str, folder: Path, servers: Servers) -> Words:
    known = next(each for each in TABLE if each.name == "toolbooth, no daemon")
    words = list(known.command(folder, servers)) if known.command else []
    words[words.index("--surface") + 1] = surface
    return words


def _compressed(level: str, folder: Path, servers: Servers) -> Words:
    return [*(COMPRESSOR.command(folder, servers) if COMPRESSOR.command else ()), "--compression", level]


PEERS: tuple[Peer, ...] = (
    _ours("search", "toolbooth"),
    _ours("code", "toolbooth-code"),
    _ours("full", "toolbooth"),
    Peer(next(each for each in TABLE if each.name == "fastmcp, search"), "fastmcp-search"),
    Peer(LAZY, "lazy-mcp", unready='"healthy": false'),
    Peer(COMPRESSOR, "mcp-compressor"),
    Peer(
        replace(COMPRESSOR, name="mcp-compressor max", command=partial(_compressed, "max")), "mcp-compressor"
    ),
    _ours("direct", "passthrough"),
    Peer(replace(KEPT, name="fastmcp proxy"), "passthrough"),
)
