"""Figures of a power law → its exponent, whatever the sizes."""

import pytest
from hypothesis import given, strategies as st
from tests.unit.bench.growth.samples import point

from toolbooth.bench.growth.measure import exponents


@given(
    st.floats(0.0, 2.5),
    st.floats(0.01, 100),
    st.lists(st.integers(1, 500_000), min_size=3, max_size=6, unique=True),
)
def test_the_exponent_of_a_power_law_is_found(exponent: float, factor: float, sizes: list[int]) -> None:
    points = [point(size, search_p95_ms=factor * size**exponent) for size in sorted(sizes)]
    assert exponents(points)["search_p95_ms"] == pytest.approx(exponent, abs=0.002)
