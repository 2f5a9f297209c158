"""Times and how often each occurred → percentiles by nearest rank, of an HDR histogram."""

from collections.abc import Iterable
from typing import Final, NamedTuple

__all__ = ["Percentiles", "percentiles"]

MICROSECONDS: Final = 1000  # in a millisecond
_LONGEST: Final = 24 * 3600 * 1000  # ms: no call lasts longer, whatever a broken clock says
_DIGITS: Final = 3
_PERCENTS: Final = (50, 95, 99)


class Percentiles(NamedTuple):
    """In milliseconds."""

    p50: float
    p95: float
    p99: float
    max: float


def percentiles(times: Iterable[tuple[int, int]], per_ms: int = MICROSECONDS) -> Percentiles:
    """Of pairs of a time and a count; `per_ms` of the time's units make a millisecond."""
    from hdrh.histogram import HdrHistogram  # type: ignore[import-untyped]  # 20 ms, and only an account needs it

    most, longest = _LONGEST * per_ms, 0
    histogram = HdrHistogram(1, most, _DIGITS)
    for time, times_seen in times:
        histogram.record_value(max(1, min(time, most)), times_seen)
        longest = max(longest, time)
    # The histogram takes the nearest whole number for a rank; a percent that is a whole rank leaves it no choice.
    count = max(1, histogram.get_total_count())
    ranks = [-(-count * percent // 100) for percent in _PERCENTS]
    at = histogram.get_percentile_to_value_dict([100 * rank / count for rank in ranks])
    p50, p95, p99 = (min(at[100 * rank / count], longest) / per_ms for rank in ranks)
    return Percentiles(p50, p95, p99, longest / per_ms)
