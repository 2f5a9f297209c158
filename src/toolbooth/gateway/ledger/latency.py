"""Times and how often each occurred → percentiles, by an HDR histogram."""

from collections.abc import Iterable
from typing import Final, NamedTuple

_LONGEST: Final = 24 * 3600 * 1_000_000  # µs: no call lasts longer, whatever a broken clock says
_DIGITS: Final = 3


class Percentiles(NamedTuple):
    """In milliseconds."""

    p50: float
    p95: float
    p99: float
    max: float


def percentiles(times: Iterable[tuple[int, int]]) -> Percentiles:
    """Of pairs of microseconds and a count."""
    from hdrh.histogram import HdrHistogram  # type: ignore[import-untyped]  # 20 ms, and only an account needs it

    histogram, longest = HdrHistogram(1, _LONGEST, _DIGITS), 0
    for us, times_seen in times:
        histogram.record_value(max(1, min(us, _LONGEST)), times_seen)
        longest = max(longest, us)
    at = histogram.get_percentile_to_value_dict([50, 95, 99])
    p50, p95, p99 = (min(at[percent], longest) / 1000 for percent in (50, 95, 99))
    return Percentiles(p50, p95, p99, longest / 1000)
