"""Percentiles of the times of a benchmark."""

import pytest

from toolbooth.bench.latency import spread


def test_one_time_is_all_percentiles() -> None:
    found = spread([2.5])
    assert (found.p50_ms, found.p95_ms, found.p99_ms, found.max_ms) == (2.5, 2.5, 2.5, 2.5)


def test_no_time_at_all_is_told() -> None:
    with pytest.raises(ValueError, match="no time"):
        spread([])
