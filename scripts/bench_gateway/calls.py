"""The p50 and p95 of an echo call through each contender, as ratios to the direct path and to mcp-compressor."""

import statistics
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

from .contenders import COMPRESSOR, DIRECT
from .cpu import cpu_per_call
from .launcher import Session, attempt
from .rounds import BLOCK, Rounds, percentile, ratio, take_turns


class Spread(NamedTuple):
    """Milliseconds of the repetitions' median run, with the lowest and the highest p50."""

    p50: float
    p95: float
    low: float
    high: float
    calls: int


def measure_calls(sessions: Mapping[str, Session], calls: int, repetitions: int) -> dict[str, Any]:
    """All contenders in turn, repeatedly."""
    print(
        f"\nan echo call, ms, {repetitions} × {calls} calls in blocks of {BLOCK} in turn; ratios round by round"
    )
    heads = ("", "p50", "p95", "p50 low–high", "× direct", "× compressor", "calls", "own CPU, µs")
    print("  {:24} {:>8} {:>8} {:>17} {:>9} {:>13} {:>6} {:>12}".format(*heads))
    runs = [take_turns(sessions, "everything", calls) for _ in range(repetitions)]
    finished = [name for name in sessions if all(name in run for run in runs)]
    return {name: _row(sessions[name], name, runs) for name in finished}


def _row(session: Session, name: str, runs: Sequence[Rounds]) -> dict[str, Any]:
    one = spread([list(chain.from_iterable(run[name])) for run in runs])
    cpu = attempt(session.prepared.contender, partial(cpu_per_call, session, "everything"))
    to_direct, to_compressor = (_median_ratio(runs, name, peer.name) for peer in (DIRECT, COMPRESSOR))
    print(
        f"  {name:24} {one.p50:8.3f} {one.p95:8.3f} {one.low:8.3f}–{one.high:8.3f}"
        f" {_shown(to_direct):>9} {_shown(to_compressor):>13} {one.calls:6} {_shown(cpu):>12}",
        flush=True,
    )
    return {**one._asdict(), "to_direct": to_direct, "to_compressor": to_compressor, "cpu_us": cpu}


def spread(runs: Sequence[Sequence[float]]) -> Spread:
    """The run with the middle p50, and how far the others are from it."""
    ordered = sorted(runs, key=statistics.median)
    middle = ordered[len(ordered) // 2]
    low, p50, high = (statistics.median(run) for run in (ordered[0], middle, ordered[-1]))
    return Spread(p50, percentile(middle, 95), low, high, sum(map(len, runs)))


def _median_ratio(runs: Sequence[Rounds], name: str, peer: str) -> float | None:
    ratios = [each for run in runs if (each := ratio(run, name, peer)) is not None]
    return statistics.median(ratios) if ratios else None


def _shown(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
