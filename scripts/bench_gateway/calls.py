"""Running contenders → seconds of an echo call, in small blocks in turn; and the same behind few and many tools."""

import statistics
import time
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from .arena import Arena, Front, attempt
from .backends import fakes
from .contenders import COMPRESSOR, DIRECT, Contender
from .pipe import ContenderFailed

BLOCK = 20  # calls in a row; short, so that all contenders see the same weather
BLOCK_SECONDS = 1.5  # a contender that takes a second a call makes fewer of them
WARM_UP = 2
FLAT_SERVERS, FEW, MANY = 10, 5, 386  # 50 and 3,860 tools behind the same number of servers


class Spread(NamedTuple):
    """Milliseconds of the repetitions' median run, with the lowest and the highest p50."""

    p50: float
    p95: float
    low: float
    high: float
    calls: int


def block(front: Front, server: str, into: list[float]) -> None:
    """A few calls, timed one by one, after some that are not."""
    end = time.perf_counter() + BLOCK_SECONDS
    for number in range(BLOCK + WARM_UP):
        seconds = front.echo(server, f"message {number}")
        if number >= WARM_UP or seconds > BLOCK_SECONDS / 4:
            into.append(seconds * 1000)
        if time.perf_counter() > end:
            return


def rounds(fronts: Mapping[str, Front], server: str, calls: int) -> dict[str, list[float]]:
    """Milliseconds for every front, blocks in turn, until the quick ones have made `calls`."""
    times: dict[str, list[float]] = {name: [] for name in fronts}
    order, lost = list(fronts), set[str]()
    for _ in range(-(-calls // BLOCK)):
        for name in order:
            if name not in lost:
                try:
                    block(fronts[name], server, times[name])
                except ContenderFailed as error:
                    print(f"  {name:24} gave up: {error}", flush=True)
                    lost.add(name)
        order = order[1:] + order[:1]
    return {name: each for name, each in times.items() if each and name not in lost}


def spread(runs: Sequence[Sequence[float]]) -> Spread:
    ordered = sorted(runs, key=statistics.median)
    middle = sorted(ordered[len(ordered) // 2])
    return Spread(
        statistics.median(middle),
        percentile(middle, 95),
        statistics.median(ordered[0]),
        statistics.median(ordered[-1]),
        sum(map(len, runs)),
    )


def percentile(values: Sequence[float], rank: float) -> float:
    ordered = sorted(values)
    return ordered[min(int(len(ordered) * rank / 100), len(ordered) - 1)]


def measure_calls(fronts: Mapping[str, Front], calls: int, repetitions: int) -> dict[str, Any]:
    """p50 and p95 of an echo through each contender, as ratios within each repetition."""
    print(f"\nan echo call, ms, {repetitions} × {calls} calls in blocks of {BLOCK} in turn")
    print(
        f"  {'':24} {'p50':>8} {'p95':>8} {'p50 low–high':>17} {'× direct':>9} {'× compressor':>13} {'calls':>6}"
    )
    runs = [rounds(fronts, "everything", calls) for _ in range(repetitions)]
    found = {}
    for name in fronts:
        mine = [run[name] for run in runs if name in run]
        if not mine:
            continue
        one = spread(mine)
        direct, compressor = (_ratio(runs, name, peer) for peer in (DIRECT.name, COMPRESSOR.name))
        found[name] = {**one._asdict(), "to_direct": direct, "to_compressor": compressor}
        print(
            f"  {name:24} {one.p50:8.3f} {one.p95:8.3f} {one.low:8.3f}–{one.high:8.3f}"
            f" {_shown(direct):>9} {_shown(compressor):>13} {one.calls:6}",
            flush=True,
        )
    return found


def _ratio(runs: Sequence[Mapping[str, list[float]]], name: str, peer: str) -> float | None:
    both = [run for run in runs if name in run and peer in run]
    if not both:
        return None
    return statistics.median(statistics.median(run[name]) / statistics.median(run[peer]) for run in both)


def _shown(ratio: float | None) -> str:
    return "-" if ratio is None else f"{ratio:.2f}"


def measure_flatness(arena: Arena, contenders: Sequence[Contender], calls: int) -> dict[str, Any]:
    """The same call with few and with many tools behind a contender, in turn."""
    few, many = f"{FLAT_SERVERS * FEW:,}", f"{FLAT_SERVERS * MANY:,}"
    print(
        f"\nthe same call behind {few} and {many} tools of {FLAT_SERVERS} servers, p50 ms, {calls} calls each"
    )
    found = {}
    for contender in contenders:
        times = attempt(contender, partial(_few_and_many, arena, contender, calls))
        arena.clear()
        if times:
            found[contender.name] = times
            ratio = times["many"] / times["few"]
            print(
                f"  {contender.name:24} {few} {times['few']:8.3f}   {many} {times['many']:8.3f}   ratio {ratio:6.2f}",
                flush=True,
            )
    return found


def _few_and_many(arena: Arena, contender: Contender, calls: int) -> dict[str, float]:
    sizes = {"few": FEW, "many": MANY}
    fronts = {
        name: arena.start(arena.stand(contender, fakes(FLAT_SERVERS, size))) for name, size in sizes.items()
    }
    for front in fronts.values():
        for server in range(FLAT_SERVERS):
            front.echo(f"fake{server}", "ready")
    times = rounds(fronts, "fake3", calls)
    if len(times) < len(sizes):
        raise ContenderFailed("it did not finish")
    return {name: statistics.median(each) for name, each in times.items()}
