"""Distributions: percentiles of times (nearest rank, from an HDR histogram), and sizes of the answers of each tool."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, NamedTuple

MICROSECONDS: Final = 1000  # in a millisecond
_LONGEST: Final = 24 * 3600 * 1000  # ms: no call lasts longer, whatever a wrong clock says
_DIGITS: Final = 3
_PERCENTS: Final = (50, 95, 99)


class Percentiles(NamedTuple):
    """Percentiles in milliseconds."""

    p50: float
    p95: float
    p99: float
    max: float


def percentiles(times: Iterable[tuple[int, int]], per_ms: int = MICROSECONDS) -> Percentiles:
    """Percentiles of pairs of a time and a count; `per_ms` of the time's units make a millisecond."""
    from hdrh.histogram import HdrHistogram  # type: ignore[import-untyped]  # 20 ms, and only statistics need it

    most, longest = _LONGEST * per_ms, 0
    histogram = HdrHistogram(1, most, _DIGITS)
    for time, times_seen in times:
        histogram.record_value(max(1, min(time, most)), times_seen)
        longest = max(longest, time)
    # The histogram rounds to the nearest whole number for a rank; a percentage that is exactly a rank avoids
    # that.
    count = max(1, histogram.get_total_count())
    ranks = [-(-count * percent // 100) for percent in _PERCENTS]
    at = histogram.get_percentile_to_value_dict([100 * rank / count for rank in ranks])
    p50, p95, p99 = (min(at[100 * rank / count], longest) / per_ms for rank in ranks)
    return Percentiles(p50, p95, p99, longest / per_ms)


@dataclass
class AnswerSizes:
    """Tokens of a tool's answers as its server sent them, each size with how often it occurred.

    `worst_after` is the most that a client got; not `exact` if a size was estimated from samples.
    """

    pairs: list[tuple[int, int]] = field(default_factory=list)
    worst_after: int = 0
    exact: bool = True
