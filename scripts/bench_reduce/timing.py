"""The seconds that work takes: the best of some rounds, several works in turn so that all meet the same conditions."""

import time
from collections.abc import Callable, Mapping

Work = Callable[[], object]


def in_turn(works: Mapping[str, Work], rounds: int) -> dict[str, float]:
    """The fewest seconds of each, because disturbances only add to it."""
    taken: dict[str, list[float]] = {name: [] for name in works}
    for work in works.values():
        work()
    for _ in range(rounds):
        for name, work in works.items():
            start = time.perf_counter()
            work()
            taken[name].append(time.perf_counter() - start)
    return {name: min(each) for name, each in taken.items()}
