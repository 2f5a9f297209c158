"""Milliseconds of single requests → their percentiles, by the histogram that the ledger uses."""

from collections.abc import Iterable
from typing import Final

from toolbooth.bench.report import Spread
from toolbooth.gateway.ledger.latency import percentiles

_NANOSECONDS: Final = 1_000_000  # in a millisecond: a search of a small catalog takes some ten thousand


def spread(milliseconds: Iterable[float]) -> Spread:
    """Nearest rank within a thousandth; the longest is exact. Raises ValueError where there is no time at all."""
    times = [round(each * _NANOSECONDS) for each in milliseconds]
    if not times:
        raise ValueError("there is no time to take percentiles of")
    return Spread(len(times), *percentiles(((each, 1) for each in times), _NANOSECONDS))
