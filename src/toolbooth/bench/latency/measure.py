"""The latency section of a report: search, lists, calls and starts, through the gateway and directly.

Both sides are timed in the same run. Without servers, only the search engine is timed, in this process.
"""

import os
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

import anyio

from toolbooth import errors, safetext
from toolbooth.bench.latency import actions, connections, gateway_process, timing
from toolbooth.bench.report import LatencyMeasure, LatencySection
from toolbooth.catalog import Catalog, ServerSpec
from toolbooth.catalog.connect import Peer, connected
from toolbooth.gateway import run
from toolbooth.search import SearchEngine


def measure_engine(catalog: Catalog, queries: Sequence[str], rounds: int, warm_up: int) -> LatencyMeasure:
    """Time searches; building the engine is not part of their time."""
    engine = SearchEngine.of(catalog)
    times = [_search_ms(engine, query) for query in islice(cycle(queries), warm_up + rounds)]
    return LatencyMeasure(
        "engine", f"a search among {len(catalog):,} tools, in this process", timing.spread(times[warm_up:])
    )


def _search_ms(engine: SearchEngine, query: str) -> float:
    began = time.perf_counter()
    engine.search(query)
    return (time.perf_counter() - began) * 1000


Progress = Callable[[str], None]
_SETTLE_SECONDS: Final = 30.0  # a server may take longer to start than the gateway waits for it
_LOOK_AGAIN: Final = 0.1
_BUSY: Final = 0.75  # share of the cores in use, above which requests wait for one


class Effort(NamedTuple):
    """How often each action is repeated, after the warm-up; starts are repeated less often."""

    rounds: int = 300
    warm_up: int = 20
    starts: int = 7

    @classmethod
    def of(cls, rounds: int) -> "Effort":
        """A start takes a hundred times as long as a request."""
        return cls(rounds, min(20, rounds), min(7, max(1, rounds // 20)))


def _no_progress(_words: str) -> None:
    return None


def measure_latency(
    specs: Sequence[ServerSpec],
    catalog: Catalog,
    queries: Sequence[str],
    wanted: actions.TimedCall | None = None,
    effort: Effort | None = None,
    progress: Progress = _no_progress,
) -> LatencySection:
    """Start the servers and the gateways in front of them, and time them.

    The gateways' home is a folder of this run. Raises NothingToWeigh if no server starts, and UserMistake if the
    wanted call does not work.
    """
    effort = effort or Effort()
    progress("searching in this process")
    engine = measure_engine(catalog, queries, effort.rounds, effort.warm_up)
    busy = tuple(_busy_machine())
    if not specs:
        return LatencySection((engine,), None, (*busy, "without servers, only the search itself is timed"))
    with TemporaryDirectory(prefix="toolbooth-bench-", ignore_cleanup_errors=True) as name:
        live = run(_measure_live, _Settings(specs, queries, wanted, effort, progress), Path(name))
    measures = (*live.measures, engine)
    return LatencySection(measures, live.load_all_tools_ms, (*busy, *live.notes), live.partial)


class _Settings(NamedTuple):
    specs: Sequence[ServerSpec]
    queries: Sequence[str]
    wanted: actions.TimedCall | None
    effort: Effort
    progress: Progress


async def _measure_live(settings: _Settings, folder: Path) -> LatencySection:
    notes: list[str] = []
    failed: dict[str, str] = {}
    settings.progress(f"starting {len(settings.specs)} servers")
    async with connections.all_connected(settings.specs) as servers:
        up = [spec for spec in settings.specs if spec.name in servers.peers]
        notes += _missing(servers)
        listed, load_all_ms = await connections.list_all(list(servers.peers.values()))
        if settings.wanted is not None:
            await _try_call(settings.wanted, servers)
        settings.progress("starting the gateway")
        home = gateway_process.isolated_home(up, folder, os.environ)
        async with _open_targets(home, servers, sum(map(len, listed))) as targets:
            measures = await _take_turns(targets, settings, notes, failed)
    starts = await _starts(home, up, settings, failed)
    ended = "; ".join(f"{what} ({safetext.for_terminal(reason, 100)})" for what, reason in failed.items())
    partial = f"ended early: {ended}" if ended else ""
    return LatencySection((*measures, *starts), load_all_ms, tuple(notes), partial)


def _missing(servers: connections.Connections) -> Iterator[str]:
    faults = [f"{name}: {safetext.for_terminal(fault, 200)}" for name, fault in servers.faults.items()]
    if not servers.peers:
        raise errors.NothingToWeigh(
            f"no server could be started, so nothing can be timed; {'; '.join(faults[:3])}"
        )
    return (f"left out, because it did not start: {fault}" for fault in faults)


async def _try_call(wanted: actions.TimedCall, servers: connections.Connections) -> None:
    """Make the call once before making it hundreds of times."""
    peer = servers.peers.get(wanted.server)
    if peer is None:
        known = ", ".join(safetext.for_terminal(name, 40) for name in servers.peers)
        raise errors.UserMistake(
            f"no running server is called {safetext.for_terminal(wanted.server, 40)}; the running servers are {known}"
        )
    try:
        await connections.call(peer, wanted.tool, wanted.arguments)
    except errors.BackendFault as fault:
        raise errors.UserMistake(f"the call to time does not work: {fault}; --arguments takes JSON") from None


@asynccontextmanager
async def _open_targets(
    home: gateway_process.IsolatedHome, servers: connections.Connections, tools: int
) -> AsyncIterator[actions.Targets]:
    """Start the gateway with every tool first; the other one then finds the tools in their shared cache."""
    async with connected(home.gateway("direct"), environ=home.environ, old_first=True) as direct:
        names = await _all_listed(direct, tools)
        async with connected(home.gateway("search"), environ=home.environ, old_first=True) as search:
            menu = len(await connections.list_pages(search))
            yield actions.Targets(servers.peers, search, direct, tools, menu, names)


async def _all_listed(gateway: Peer, tools: int) -> tuple[str, ...]:
    names: tuple[str, ...] = ()
    with anyio.move_on_after(_SETTLE_SECONDS):
        while len(names) < tools:
            names = tuple(str(entry.get("name")) for entry in await connections.list_pages(gateway))
            await anyio.sleep(_LOOK_AGAIN)
    return names


async def _take_turns(
    targets: actions.Targets, settings: _Settings, notes: list[str], failed: dict[str, str]
) -> list[LatencyMeasure]:
    if len(targets.direct_tools) < targets.server_tools:
        known = f"{len(targets.direct_tools):,} of {targets.server_tools:,}"
        notes.append(f"the gateway offers {known} tools, so its list is shorter than that of the servers")
    plan = actions.timing_plan(targets, settings.queries, settings.wanted)
    notes += plan.notes
    rounds = settings.effort.rounds
    turns = await timing.take_turns(
        plan.actions,
        rounds,
        settings.effort.warm_up,
        lambda done: settings.progress(f"requests · {done} of {rounds}"),
    )
    named = {each.name: each.what for each in plan.compared}
    named |= {each.against: each.against_what for each in plan.compared}
    failed |= {named[name]: reason for name, reason in turns.failed.items()}
    return [_measure(each, turns.times) for each in plan.compared if turns.times[each.name]]


async def _starts(
    home: gateway_process.IsolatedHome,
    specs: Sequence[ServerSpec],
    settings: _Settings,
    failed: dict[str, str],
) -> list[LatencyMeasure]:
    starts = settings.effort.starts
    try:
        taken = await gateway_process.measure_starts(
            home, specs, starts, lambda done: settings.progress(f"starts · {done} of {starts}")
        )
    except errors.BackendFault as fault:
        failed["a start"] = str(fault)
        return []
    against = (
        "starting the server itself" if len(specs) == 1 else f"starting all {len(specs)} servers at once"
    )
    what = "toolbooth serve --no-daemon, warm cache, to its first tools/list"
    compared = actions.ComparedAction("start", what, "servers", against)
    return [_measure(compared, {"start": taken.gateway, "servers": taken.servers})]


def _measure(compared: actions.ComparedAction, times: Mapping[str, Sequence[float]]) -> LatencyMeasure:
    own = timing.spread(times[compared.name])
    if not compared.against or not times[compared.against]:
        return LatencyMeasure(compared.name, compared.what, own)
    other = timing.spread(times[compared.against])
    ratio = own.p50_ms / other.p50_ms if other.p50_ms else None
    return LatencyMeasure(compared.name, compared.what, own, compared.against_what, other, ratio)


def _busy_machine() -> Iterator[str]:
    if not hasattr(os, "getloadavg"):
        return
    load, cores = os.getloadavg()[0], os.cpu_count() or 1
    if load > _BUSY * cores:
        yield f"the machine was busy (load {load:.1f} on {cores} cores); trust the ratios more than the times"
