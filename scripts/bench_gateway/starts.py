"""Command lines → seconds from the start of the process to its first `tools/list` answer, in turn."""

import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from .arena import Arena, Stand, attempt
from .backends import four
from .contenders import DIRECT, Contender
from .pipe import Pipe

BARE = "python -c pass"
ALONE = "server-everything alone"
LONGEST = 12_000.0  # ms for one row in all: those that take seconds are not asked nine times


class Probe(NamedTuple):
    """One row: what is timed, for whom, and what has to happen before each time."""

    label: str
    contender: Contender
    seconds: Callable[[], float]
    before: Callable[[], None] | None = None


def python(statement: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", statement], check=True)
    return time.perf_counter() - start


def first_list(stand: Stand) -> float:
    """From the start of the process to the answer, handshake included."""
    [command] = stand.commands.values()
    pipe = Pipe(command, stand.folder, stand.env)
    try:
        pipe.open()
        pipe.ask("tools/list")
        return time.perf_counter() - pipe.started
    finally:
        pipe.close()


def measure_starts(arena: Arena, contenders: Sequence[Contender], repetitions: int) -> dict[str, Any]:
    """Medians, as ratios to a bare Python and to one of the servers alone."""
    print(
        f"\nprocess start to the first tools/list answer, four servers, ms, median of {repetitions} in turn"
    )
    probes = [probe for each in contenders for probe in attempt(each, partial(_probes, arena, each)) or []]
    times: dict[str, list[float]] = {probe.label: [] for probe in probes}
    for _ in range(repetitions):
        for probe in probes:
            if sum(times[probe.label]) < LONGEST:
                one = attempt(probe.contender, partial(_once, probe))
                times[probe.label] += [one * 1000] if one else []
    arena.clear()
    medians = {label: statistics.median(each) for label, each in times.items() if each}
    return {label: _row(label, times[label], medians) for label in medians}


def _once(probe: Probe) -> float:
    if probe.before:
        probe.before()
    return probe.seconds()


def _probes(arena: Arena, contender: Contender) -> list[Probe]:
    if contender is DIRECT:
        alone = arena.stand(contender, {"everything": four(arena.folder)["everything"]})
        return [
            Probe(BARE, contender, partial(python, "pass")),
            Probe("python -c 'import mcp'", contender, partial(python, "import mcp")),
            Probe(ALONE, contender, partial(first_list, alone)),
        ]
    stand = arena.stand(contender, four(arena.folder))
    if not contender.stop:
        return [Probe(contender.name, contender, partial(first_list, stand))]
    return [_warm(arena, stand), _cold(arena.stand(contender, four(arena.folder)))]


def _warm(arena: Arena, stand: Stand) -> Probe:
    """A first client keeps the daemon up."""
    arena.start(stand).echo("everything", "ready")
    return Probe(f"{stand.contender.name}, warm daemon", stand.contender, partial(first_list, stand))


def _cold(stand: Stand) -> Probe:
    """A first run has left its catalog in the cache; the daemon is stopped before each time."""
    front = stand.start()
    try:
        for server in four(stand.folder):
            front.pipe(server).list_tools()
        front.echo("everything", "ready")
    finally:
        front.close()
    label = f"{stand.contender.name}, cold daemon"
    return Probe(label, stand.contender, partial(first_list, stand), stand.stop)


def _row(label: str, times: Sequence[float], medians: dict[str, float]) -> dict[str, Any]:
    ratios = {peer: medians[label] / medians[peer] for peer in (BARE, ALONE) if peer in medians}
    shown = "   ".join(f"× {peer} {ratio:6.2f}" for peer, ratio in ratios.items())
    print(f"  {label:34} {medians[label]:8.1f}   ({min(times):.1f}–{max(times):.1f})   {shown}", flush=True)
    return {"median": medians[label], "low": min(times), "high": max(times), "ratios": ratios}
