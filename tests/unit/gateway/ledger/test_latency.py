"""Percentiles of times."""

import random

import pytest

from toolbooth.gateway.ledger.file import quantised
from toolbooth.gateway.ledger.latency import percentiles


def test_percentiles_are_those_of_the_sorted_times() -> None:
    rng = random.Random(3)
    times = [rng.lognormvariate(9, 1.5) for _ in range(5000)]
    found = percentiles((round(each), 1) for each in times)
    ordered = sorted(times)
    for percent, value in zip((50, 95, 99, 100), found, strict=True):
        true = ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))] / 1000
        assert value == pytest.approx(true, rel=0.01)


def test_counts_stand_for_as_many_times() -> None:
    found = percentiles([(1000, 98), (50_000, 1), (90_000, 1)])
    assert tuple(found) == pytest.approx((1.0, 1.0, 50.0, 90.0), rel=0.001)


@pytest.mark.parametrize("us", [0, 1, 10**15])
def test_no_time_is_too_short_or_too_long(us: int) -> None:
    assert percentiles([(us, 1)]).max == us / 1000


@pytest.mark.parametrize(
    ("ms", "us"), [(0, 0), (-3, 0), (0.0123, 12), (12.345, 12_300), (999.9, 1_000_000), (86_450, 86_500_000)]
)
def test_times_are_kept_with_three_digits(ms: float, us: int) -> None:
    assert quantised(ms) == us
