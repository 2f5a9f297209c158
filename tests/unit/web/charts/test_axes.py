"""Scales: values have their places, ticks are round, and odd ranges give an axis all the same."""

import pytest

from toolbooth.web.charts.axes import linear, linear_ticks, log_ticks, logarithmic, thinned


def test_a_linear_scale_has_zero_and_ends_at_a_tick() -> None:
    scale = linear([3, 87], 0, 100)
    assert (scale.low, scale.high) == (0, 100)
    assert scale.at(50) == 50
    assert scale.ticks() == [0, 20, 40, 60, 80, 100]


def test_values_below_zero_are_on_it() -> None:
    scale = linear([-0.7, 0.93], 0, 100)
    assert scale.low <= -0.7
    assert 0 in scale.ticks()


def test_a_scale_may_run_backwards_as_heights_do() -> None:
    scale = linear([0, 10], 200, 0)
    assert scale.at(0) == 200
    assert scale.at(10) == 0


def test_values_outside_stand_at_the_nearer_end() -> None:
    scale = linear([0, 10], 0, 100)
    assert scale.at(99) == 100
    assert scale.at(-99) == 0


@pytest.mark.parametrize("values", [[], [0], [0, 0], [float("nan")], [float("inf")]])
def test_a_scale_of_nothing_is_still_one(values: list[float]) -> None:
    scale = linear(values, 0, 100)
    assert scale.low < scale.high
    assert scale.ticks()


def test_a_logarithmic_scale_goes_from_round_to_round() -> None:
    scale = logarithmic([50, 17_570, 100_000], 0, 300)
    assert (scale.low, scale.high) == (50, 100_000)
    assert scale.ticks() == [100, 1000, 10_000, 100_000]


def test_a_short_logarithmic_scale_has_ticks_between_the_powers() -> None:
    assert logarithmic([30, 180], 0, 100).ticks() == [20, 50, 100, 200]


def test_what_is_not_above_zero_has_no_part_in_a_logarithmic_scale() -> None:
    scale = logarithmic([0, -5, 20, 300], 0, 100)
    assert scale.low == 20
    assert scale.at(0) == 0


def test_one_value_has_a_logarithmic_scale_too() -> None:
    scale = logarithmic([10], 0, 100)
    assert scale.low < scale.high


def test_ticks_of_an_empty_range_are_its_one_value() -> None:
    assert linear_ticks(4, 4, 6) == [4]


def test_many_powers_are_thinned() -> None:
    assert len(log_ticks(1e-9, 1e15, 6)) <= 6


def test_labels_that_would_touch_are_left_out() -> None:
    assert thinned([0, 10, 40], [20, 20, 20]) == [0, 2]
