"""The Wilson interval against known values, and at its ends."""

import pytest

from toolbooth.suite.wilson import Rate, wilson


@pytest.mark.parametrize(
    ("hits", "of", "low", "high"),
    [(1, 2, 0.0945, 0.9055), (5, 10, 0.2366, 0.7634), (9, 10, 0.5958, 0.9821), (81, 263, 0.2553, 0.3662)],
)
def test_known_intervals_come_out(hits: int, of: int, low: float, high: float) -> None:
    rate = wilson(hits, of)
    assert (rate.low, rate.high) == pytest.approx((low, high), abs=1e-4)


def test_of_no_tries_nothing_is_known() -> None:
    assert wilson(0, 0) == Rate(0, 0, 0.0, 1.0)


def test_none_and_all_touch_the_end_exactly() -> None:
    assert wilson(0, 7).low == 0.0
    assert wilson(7, 7).high == 1.0
    assert 0 < wilson(7, 7).low < 1
    assert 0 < wilson(0, 7).high < 1


def test_more_tries_say_more() -> None:
    few, many = wilson(5, 10), wilson(500, 1000)
    assert few.low < many.low < 0.5 < many.high < few.high
