"""Milliseconds of echo calls, in small blocks in turn, so that all contenders meet the same conditions."""

import statistics
import time
from collections.abc import Mapping, Sequence

from .launcher import Session
from .pipe import ContenderFailed

BLOCK = 20
BLOCK_SECONDS = 1.5  # a contender that takes a second per call makes fewer calls
WARM_UP = 2

Rounds = dict[str, list[list[float]]]  # one block per round for every contender


def take_turns(sessions: Mapping[str, Session], server: str, calls: int) -> Rounds:
    """Blocks in turn until the fast ones have made `calls`; a contender that fails is named and left out."""
    taken: Rounds = {name: [] for name in sessions}
    order = list(sessions)
    for _ in range(-(-calls // BLOCK)):
        for name in list(order):
            try:
                taken[name].append(block(sessions[name], server))
            except ContenderFailed as error:
                print(f"  {name:24} gave up: {error}", flush=True)
                order.remove(name)
                del taken[name]
        order = order[1:] + order[:1]
    return taken


def block(session: Session, server: str) -> list[float]:
    """A few calls, timed one by one, after some that are not counted unless they took the whole block."""
    times: list[float] = []
    end = time.perf_counter() + BLOCK_SECONDS
    while len(times) < BLOCK + WARM_UP and time.perf_counter() < end:
        times.append(session.echo(server, f"message {len(times)}") * 1000)
    return times[WARM_UP:] or times


def ratio(rounds: Rounds, name: str, peer: str) -> float | None:
    """The median over the rounds of one p50 divided by the other: a slow moment of the machine affects both."""
    if name not in rounds or peer not in rounds:
        return None
    pairs = zip(rounds[name], rounds[peer], strict=True)
    return statistics.median(statistics.median(one) / statistics.median(other) for one, other in pairs)


def percentile(values: Sequence[float], rank: float) -> float:
    ordered = sorted(values)
    return ordered[min(int(len(ordered) * rank / 100), len(ordered) - 1)]
