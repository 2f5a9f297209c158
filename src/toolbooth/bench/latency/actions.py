"""The timed actions: searches, lists and calls through the gateway, and the direct requests they are compared with."""

from collections.abc import Mapping, Sequence
from itertools import cycle
from typing import Any, NamedTuple

from toolbooth.bench.latency.connections import call, list_all
from toolbooth.bench.latency.timing import TimedAction
from toolbooth.catalog.connect import Peer


class TimedCall(NamedTuple):
    """A call that may be made hundreds of times."""

    server: str
    tool: str
    arguments: Mapping[str, Any]

    @property
    def id(self) -> str:
        """The id that agents use."""
        return f"{self.server}.{self.tool}"


class Targets(NamedTuple):
    """Everything that runs: the servers, and two gateways in front of them, with the tools that each listed."""

    servers: Mapping[str, Peer]
    search: Peer
    direct: Peer
    server_tools: int
    search_tools: int
    direct_tools: Sequence[str]

    @property
    def servers_said(self) -> str:
        """How many servers there are, in words."""
        return "the server itself" if len(self.servers) == 1 else f"all {len(self.servers)} servers at once"


class ComparedAction(NamedTuple):
    """One row of the result: an action, and the direct request it is compared with."""

    name: str
    what: str
    against: str = ""
    against_what: str = ""


class TimingPlan(NamedTuple):
    """The actions by name, and the rows that are made of them."""

    actions: Mapping[str, TimedAction]
    compared: Sequence[ComparedAction]
    notes: Sequence[str]


def timing_plan(targets: Targets, queries: Sequence[str], wanted: TimedCall | None) -> TimingPlan:
    """Search and lists always; calls if one is named."""
    calls = TimingPlan({}, (), (_NO_CALL,)) if wanted is None else _calls(targets, wanted)
    listed = f"tools/list of {targets.servers_said}, {targets.server_tools:,} tools"
    direct = len(targets.direct_tools)
    compared = (
        ComparedAction("search", f"search_tools over stdio, {targets.server_tools:,} tools behind it"),
        ComparedAction("list", f"tools/list of the gateway, {targets.search_tools} tools", "servers", listed),
        ComparedAction("list_all", f"the same with --surface direct, {direct:,} tools", "servers", listed),
    )
    actions = {
        "search": _searching(targets.search, queries),
        "list": _listing(targets.search),
        "list_all": _listing(targets.direct),
        "servers": _listing(*targets.servers.values()),
    }
    return TimingPlan({**actions, **calls.actions}, (*compared, *calls.compared), calls.notes)


_NO_CALL = (
    "no call was timed, because no tool is called without permission; name one that may be called hundreds of times "
    "with --call server.tool --arguments JSON"
)


def _calls(targets: Targets, wanted: TimedCall) -> TimingPlan:
    server = targets.servers[wanted.server]
    named = {"name": wanted.id, "arguments": wanted.arguments}
    actions = {
        "call": _calling(targets.search, "call_tool", named),
        "server": _calling(server, wanted.tool, wanted.arguments),
    }
    itself = f"{wanted.id}, called directly"
    compared = [ComparedAction("call", f"{wanted.id} through call_tool", "server", itself)]
    public = f"{wanted.server}__{wanted.tool}"
    if public not in targets.direct_tools:
        note = f"{wanted.id} has another name on the surface direct, so it was not timed there"
        return TimingPlan(actions, compared, (note,))
    actions["call_direct"] = _calling(targets.direct, public, wanted.arguments)
    compared.append(ComparedAction("call_direct", f"{public} with --surface direct", "server", itself))
    return TimingPlan(actions, compared, ())


def _searching(peer: Peer, queries: Sequence[str]) -> TimedAction:
    waiting = cycle(queries)

    async def search() -> float:
        return await call(peer, "search_tools", {"query": next(waiting)})

    return search


def _listing(*peers: Peer) -> TimedAction:
    async def listing() -> float:
        return (await list_all(peers))[1]

    return listing


def _calling(peer: Peer, tool: str, arguments: Mapping[str, Any]) -> TimedAction:
    async def calling() -> float:
        return await call(peer, tool, arguments)

    return calling
