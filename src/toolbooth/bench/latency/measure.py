"""Servers, queries and one call → how long each takes through the gateway, beside the direct way in the same run."""

import os
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

import anyio

from toolbooth.bench.latency.connections import Connections, all_connected, call, list_all, list_pages
from toolbooth.bench.latency.engine import measure_engine
from toolbooth.bench.latency.own_home import OwnHome, own_home
from toolbooth.bench.latency.spread import spread
from toolbooth.bench.latency.starts import measure_starts
from toolbooth.bench.latency.turns import take_turns
from toolbooth.bench.latency.ways import Call, Compared, Fronts, ways_of
from toolbooth.bench.report import LatencyMeasure, LatencySection
from toolbooth.catalog import Catalog, ServerSpec
from toolbooth.catalog.connect import Link, connected
from toolbooth.errors import BackendFault, NothingToWeigh, UserMistake
from toolbooth.gateway.loop import run
from toolbooth.safetext import for_terminal

Told = Callable[[str], None]
_SETTLE_SECONDS: Final = (
    30.0  # a server may be slower to start behind the gateway than the gateway waits for it
)
_LOOK_AGAIN: Final = 0.1
_BUSY: Final = 0.75  # of the cores: what waits for one then takes longer than it needs


class Effort(NamedTuple):
    """How often each thing is done; the warm-up comes on top, and a start is repeated less often."""

    rounds: int = 300
    warm_up: int = 20
    starts: int = 7

    @classmethod
    def of(cls, rounds: int) -> "Effort":
        """A start takes a hundred times as long as a request."""
        return cls(rounds, min(20, rounds), min(7, max(1, rounds // 20)))


def _to_nobody(_words: str) -> None:
    return None


def measure_latency(
    specs: Sequence[ServerSpec],
    catalog: Catalog,
    queries: Sequence[str],
    wanted: Call | None = None,
    effort: Effort | None = None,
    told: Told = _to_nobody,
) -> LatencySection:
    """Start the servers and gateways before them, and time them; without servers only the search itself is timed.

    The gateways' home is a folder of this run. Raises NothingToWeigh where no server comes up, and UserMistake
    where the call that is wanted cannot be made.
    """
    effort = effort or Effort()
    told("searching in this process")
    engine = measure_engine(catalog, queries, effort.rounds, effort.warm_up)
    busy = tuple(_busy_machine())
    if not specs:
        return LatencySection((engine,), None, (*busy, "without servers, only the search itself is timed"))
    with TemporaryDirectory(prefix="toolbooth-bench-", ignore_cleanup_errors=True) as name:
        live = run(_measure_live, _Wish(specs, queries, wanted, effort, told), Path(name))
    measures = (*live.measures, engine)
    return LatencySection(measures, live.load_all_tools_ms, (*busy, *live.notes), live.partial)


class _Wish(NamedTuple):
    specs: Sequence[ServerSpec]
    queries: Sequence[str]
    wanted: Call | None
    effort: Effort
    told: Told


async def _measure_live(wish: _Wish, folder: Path) -> LatencySection:
    notes: list[str] = []
    failed: dict[str, str] = {}
    wish.told(f"starting {len(wish.specs)} servers")
    async with all_connected(wish.specs) as servers:
        up = [spec for spec in wish.specs if spec.name in servers.links]
        notes += _missing(servers)
        listed, load_all_ms = await list_all(list(servers.links.values()))
        if wish.wanted is not None:
            await _try_call(wish.wanted, servers)
        wish.told("starting the gateway")
        home = own_home(up, folder, os.environ)
        async with _fronts(home, servers, sum(map(len, listed))) as fronts:
            measures = await _take_turns(fronts, wish, notes, failed)
    starts = await _starts(home, up, wish, failed)
    ended = "; ".join(f"{what} ({for_terminal(reason, 100)})" for what, reason in failed.items())
    partial = f"ended before its time: {ended}" if ended else ""
    return LatencySection((*measures, *starts), load_all_ms, tuple(notes), partial)


def _missing(servers: Connections) -> Iterator[str]:
    faults = [f"{name}: {for_terminal(fault, 200)}" for name, fault in servers.faults.items()]
    if not servers.links:
        raise NothingToWeigh(f"no server could be started, so nothing can be timed; {'; '.join(faults[:3])}")
    return (f"left out, for it did not come up: {fault}" for fault in faults)


async def _try_call(wanted: Call, servers: Connections) -> None:
    """Once, before hundreds of times."""
    link = servers.links.get(wanted.server)
    if link is None:
        known = ", ".join(for_terminal(name, 40) for name in servers.links)
        raise UserMistake(
            f"no server that runs is called {for_terminal(wanted.server, 40)}; there are {known}"
        )
    try:
        await call(link, wanted.tool, wanted.arguments)
    except BackendFault as fault:
        raise UserMistake(f"the call to be timed does not work: {fault}; --arguments takes JSON") from None


@asynccontextmanager
async def _fronts(home: OwnHome, servers: Connections, tools: int) -> AsyncIterator[Fronts]:
    """The one with every tool first: once it knows them all, the other finds them in the cache of both."""
    async with connected(home.gateway("direct"), environ=home.environ, old_first=True) as direct:
        names = await _all_listed(direct, tools)
        async with connected(home.gateway("search"), environ=home.environ, old_first=True) as search:
            menu = len(await list_pages(search))
            yield Fronts(servers.links, search, direct, tools, menu, names)


async def _all_listed(gateway: Link, tools: int) -> tuple[str, ...]:
    names: tuple[str, ...] = ()
    with anyio.move_on_after(_SETTLE_SECONDS):
        while len(names) < tools:
            names = tuple(str(entry.get("name")) for entry in await list_pages(gateway))
            await anyio.sleep(_LOOK_AGAIN)
    return names


async def _take_turns(
    fronts: Fronts, wish: _Wish, notes: list[str], failed: dict[str, str]
) -> list[LatencyMeasure]:
    if len(fronts.direct_tools) < fronts.server_tools:
        known = f"{len(fronts.direct_tools):,} of {fronts.server_tools:,}"
        notes.append(f"the gateway offers {known} tools, so its list is shorter than the servers' own")
    plan = ways_of(fronts, wish.queries, wish.wanted)
    notes += plan.notes
    rounds = wish.effort.rounds
    turns = await take_turns(
        plan.ways, rounds, wish.effort.warm_up, lambda done: wish.told(f"requests · {done} of {rounds}")
    )
    said = {each.name: each.what for each in plan.compared}
    said |= {each.against: each.against_what for each in plan.compared}
    failed |= {said[name]: reason for name, reason in turns.failed.items()}
    return [_measure(each, turns.times) for each in plan.compared if turns.times[each.name]]


async def _starts(
    home: OwnHome, specs: Sequence[ServerSpec], wish: _Wish, failed: dict[str, str]
) -> list[LatencyMeasure]:
    starts = wish.effort.starts
    try:
        taken = await measure_starts(
            home, specs, starts, lambda done: wish.told(f"starts · {done} of {starts}")
        )
    except BackendFault as fault:
        failed["a start"] = str(fault)
        return []
    against = (
        "starting the server itself" if len(specs) == 1 else f"starting all {len(specs)} servers at once"
    )
    what = "toolbooth serve --no-daemon, warm cache, to its first tools/list"
    compared = Compared("start", what, "servers", against)
    return [_measure(compared, {"start": taken.gateway, "servers": taken.servers})]


def _measure(compared: Compared, times: Mapping[str, Sequence[float]]) -> LatencyMeasure:
    own = spread(times[compared.name])
    if not compared.against or not times[compared.against]:
        return LatencyMeasure(compared.name, compared.what, own)
    other = spread(times[compared.against])
    ratio = own.p50_ms / other.p50_ms if other.p50_ms else None
    return LatencyMeasure(compared.name, compared.what, own, compared.against_what, other, ratio)


def _busy_machine() -> Iterator[str]:
    if not hasattr(os, "getloadavg"):
        return
    load, cores = os.getloadavg()[0], os.cpu_count() or 1
    if load > _BUSY * cores:
        yield f"the machine was busy (load {load:.1f} on {cores} cores): read the ratios rather than the times"
