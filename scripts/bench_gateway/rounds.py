"""Running contenders → milliseconds of echo calls, in small blocks in turn, so that all see the same weather."""

import statistics
import time
from collections.abc import Mapping, Sequence

from .arena import Front
from .pipe import ContenderFailed

BLOCK = 20
BLOCK_SECONDS = 1.5  # a contender that takes a second a call makes fewer of them
WARM_UP = 2

Rounds = dict[str, list[list[float]]]  # for every contender one block a round


def take_turns(fronts: Mapping[str, Front], server: str, calls: int) -> Rounds:
    """Blocks in turn until the quick ones have made `calls`; who fails is said and left out."""
    taken: Rounds = {name: [] for name in fronts}
    order = list(fronts)
    for _ in range(-(-calls // BLOCK)):
        for name in list(order):
            try:
                taken[name].append(block(fronts[name], server))
            except ContenderFailed as error:
                print(f"  {name:24} gave up: {error}", flush=True)
                order.remove(name)
                del taken[name]
        order = order[1:] + order[:1]
    return taken


def block(front: Front, server: str) -> list[float]:
    """A few calls, timed one by one, after some that are not counted unless they took the whole block."""
    times: list[float] = []
    end = time.perf_counter() + BLOCK_SECONDS
    while len(times) < BLOCK + WARM_UP and time.perf_counter() < end:
        times.append(front.echo(server, f"message {len(times)}") * 1000)
    return times[WARM_UP:] or times


def ratio(rounds: Rounds, name: str, peer: str) -> float | None:
    """Median over the rounds of one p50 against the other: a slow moment of the machine meets both."""
    if name not in rounds or peer not in rounds:
        return None
    pairs = zip(rounds[name], rounds[peer], strict=True)
    return statistics.median(statistics.median(one) / statistics.median(other) for one, other in pairs)


def percentile(values: Sequence[float], rank: float) -> float:
    ordered = sorted(values)
    return ordered[min(int(len(ordered) * rank / 100), len(ordered) - 1)]
