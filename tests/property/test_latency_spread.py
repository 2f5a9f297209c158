"""Random times → percentiles by nearest rank, within the precision of the histogram."""

import math

import pytest
from hypothesis import given, strategies as st

from toolbooth.bench.latency import spread

TIMES = st.lists(st.floats(0.001, 3_600_000), min_size=1, max_size=300)


@pytest.mark.promise("bench:nearest-rank")
@given(TIMES)
def test_percentiles_are_those_of_the_nearest_rank(times: list[float]) -> None:
    found = spread(times)
    ordered = sorted(times)
    for percent, value in ((50, found.p50_ms), (95, found.p95_ms), (99, found.p99_ms)):
        true = ordered[math.ceil(len(ordered) * percent / 100) - 1]
        assert value == pytest.approx(true, rel=0.001, abs=1e-6)
    assert found.max_ms == pytest.approx(ordered[-1], abs=1e-6)
    assert found.samples == len(times)


@given(TIMES)
def test_percentiles_stand_in_order(times: list[float]) -> None:
    found = spread(times)
    assert found.p50_ms <= found.p95_ms <= found.p99_ms <= found.max_ms
