"""Running servers, gateways before them, queries and one call → the ways that are timed, and what is compared."""

from collections.abc import Mapping, Sequence
from itertools import cycle
from typing import Any, NamedTuple

from toolbooth.bench.latency.connections import call, list_all
from toolbooth.bench.latency.turns import Way
from toolbooth.catalog.connect import Link


class Call(NamedTuple):
    """A call that may be made hundreds of times."""

    server: str
    tool: str
    arguments: Mapping[str, Any]

    @property
    def id(self) -> str:
        """As agents name it."""
        return f"{self.server}.{self.tool}"


class Fronts(NamedTuple):
    """All that runs: the servers themselves, and two gateways before them, with the tools that each listed."""

    servers: Mapping[str, Link]
    search: Link
    direct: Link
    server_tools: int
    search_tools: int
    direct_tools: Sequence[str]

    @property
    def servers_said(self) -> str:
        """How many servers there are, in words."""
        return "the server itself" if len(self.servers) == 1 else f"all {len(self.servers)} servers at once"


class Compared(NamedTuple):
    """One row of the result: a way, and the direct way that it is held against."""

    name: str
    what: str
    against: str = ""
    against_what: str = ""


class Ways(NamedTuple):
    """What is done in turn, by name, and how the rows are made of it."""

    ways: Mapping[str, Way]
    compared: Sequence[Compared]
    notes: Sequence[str]


def ways_of(fronts: Fronts, queries: Sequence[str], wanted: Call | None) -> Ways:
    """Search and lists always; calls where one is named."""
    calls = Ways({}, (), (_NO_CALL,)) if wanted is None else _calls(fronts, wanted)
    listed = f"tools/list of {fronts.servers_said}, {fronts.server_tools:,} tools"
    direct = len(fronts.direct_tools)
    compared = (
        Compared("search", f"search_tools over stdio, {fronts.server_tools:,} tools behind it"),
        Compared("list", f"tools/list of the gateway, {fronts.search_tools} tools", "servers", listed),
        Compared("list_all", f"the same with --surface direct, {direct:,} tools", "servers", listed),
    )
    ways = {
        "search": _searching(fronts.search, queries),
        "list": _listing(fronts.search),
        "list_all": _listing(fronts.direct),
        "servers": _listing(*fronts.servers.values()),
    }
    return Ways({**ways, **calls.ways}, (*compared, *calls.compared), calls.notes)


_NO_CALL = (
    "no call was timed, for no tool is called unasked: --call server.tool --arguments JSON names one that may be "
    "called hundreds of times"
)


def _calls(fronts: Fronts, wanted: Call) -> Ways:
    server = fronts.servers[wanted.server]
    named = {"name": wanted.id, "arguments": wanted.arguments}
    ways = {
        "call": _calling(fronts.search, "call_tool", named),
        "server": _calling(server, wanted.tool, wanted.arguments),
    }
    itself = f"{wanted.id}, called directly"
    compared = [Compared("call", f"{wanted.id} through call_tool", "server", itself)]
    public = next((name for name in _public_names(wanted) if name in fronts.direct_tools), None)
    if public is None:
        note = f"{wanted.id} has another name on the surface direct: not timed there"
        return Ways(ways, compared, (note,))
    ways["call_direct"] = _calling(fronts.direct, public, wanted.arguments)
    compared.append(Compared("call_direct", f"{public} with --surface direct", "server", itself))
    return Ways(ways, compared, ())


def _public_names(wanted: Call) -> tuple[str, ...]:
    """Of several servers, and of a single one."""
    return f"{wanted.server}__{wanted.tool}", wanted.tool


def _searching(link: Link, queries: Sequence[str]) -> Way:
    waiting = cycle(queries)

    async def search() -> float:
        return await call(link, "search_tools", {"query": next(waiting)})

    return search


def _listing(*links: Link) -> Way:
    async def listing() -> float:
        return (await list_all(links))[1]

    return listing


def _calling(link: Link, tool: str, arguments: Mapping[str, Any]) -> Way:
    async def calling() -> float:
        return await call(link, tool, arguments)

    return calling
