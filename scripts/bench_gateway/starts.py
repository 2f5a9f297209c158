"""Seconds from the start of a process to its first `tools/list` answer, timed in turn."""

import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from .backends import four
from .contenders import DIRECT, Contender
from .launcher import Launcher, PreparedContender, attempt
from .pipe import Pipe

BARE = "python -c pass"
ALONE = "server-everything alone"
LONGEST = 12_000.0  # ms for one row in total: those that take seconds are not repeated nine times


class Probe(NamedTuple):
    """One row: what is timed, for which contender, and what has to happen before each time."""

    label: str
    contender: Contender
    seconds: Callable[[], float]
    before: Callable[[], None] | None = None


def python(statement: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", statement], check=True)
    return time.perf_counter() - start


def first_list(prepared: PreparedContender) -> float:
    """From the start of the process to the answer, handshake included."""
    [command] = prepared.commands.values()
    pipe = Pipe(command, prepared.folder, prepared.env)
    try:
        pipe.open()
        pipe.ask("tools/list")
        return time.perf_counter() - pipe.started
    finally:
        pipe.close()


def measure_starts(launcher: Launcher, contenders: Sequence[Contender], repetitions: int) -> dict[str, Any]:
    """Medians, as ratios to a bare Python and to one of the servers alone."""
    print(
        f"\nprocess start to the first tools/list answer, four servers, ms, median of {repetitions} in turn"
    )
    probes = [probe for each in contenders for probe in attempt(each, partial(_probes, launcher, each)) or []]
    times: dict[str, list[float]] = {probe.label: [] for probe in probes}
    for _ in range(repetitions):
        for probe in probes:
            if sum(times[probe.label]) < LONGEST:
                one = attempt(probe.contender, partial(_once, probe))
                times[probe.label] += [one * 1000] if one else []
    launcher.clear()
    medians = {label: statistics.median(each) for label, each in times.items() if each}
    return {label: _row(label, times[label], medians) for label in medians}


def _once(probe: Probe) -> float:
    if probe.before:
        probe.before()
    return probe.seconds()


def _probes(launcher: Launcher, contender: Contender) -> list[Probe]:
    if contender is DIRECT:
        alone = launcher.prepare(contender, {"everything": four(launcher.folder)["everything"]})
        return [
            Probe(BARE, contender, partial(python, "pass")),
            Probe("python -c 'import mcp'", contender, partial(python, "import mcp")),
            Probe(ALONE, contender, partial(first_list, alone)),
        ]
    prepared = launcher.prepare(contender, four(launcher.folder))
    if not contender.stop:
        return [Probe(contender.name, contender, partial(first_list, prepared))]
    return [_warm(launcher, prepared), _cold(launcher.prepare(contender, four(launcher.folder)))]


def _warm(launcher: Launcher, prepared: PreparedContender) -> Probe:
    """A first client keeps the daemon up."""
    launcher.start(prepared).echo("everything", "ready")
    return Probe(f"{prepared.contender.name}, warm daemon", prepared.contender, partial(first_list, prepared))


def _cold(prepared: PreparedContender) -> Probe:
    """A first run has left its catalog in the cache; the daemon is stopped before each time."""
    session = prepared.start()
    try:
        for server in four(prepared.folder):
            session.pipe(server).list_tools()
        session.echo("everything", "ready")
    finally:
        session.close()
    label = f"{prepared.contender.name}, cold daemon"
    return Probe(label, prepared.contender, partial(first_list, prepared), prepared.stop)


def _row(label: str, times: Sequence[float], medians: dict[str, float]) -> dict[str, Any]:
    ratios = {peer: medians[label] / medians[peer] for peer in (BARE, ALONE) if peer in medians}
    shown = "   ".join(f"× {peer} {ratio:6.2f}" for peer, ratio in ratios.items())
    print(f"  {label:34} {medians[label]:8.1f}   ({min(times):.1f}–{max(times):.1f})   {shown}", flush=True)
    return {"median": medians[label], "low": min(times), "high": max(times), "ratios": ratios}
