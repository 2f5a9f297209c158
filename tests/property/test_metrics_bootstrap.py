"""Intervals and comparisons on any values: repeatable, ordered, inside the range of the values."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from toolbooth.bench import bootstrap_mean, bootstrap_means, sign_flip

values = st.lists(st.floats(0, 1, width=32), min_size=1, max_size=40)
pairs = st.lists(st.tuples(st.floats(0, 1, width=32), st.floats(0, 1, width=32)), min_size=1, max_size=40)


@given(values, st.integers(0, 2**32 - 1))
def test_an_interval_is_repeatable_and_inside_the_range_of_its_values(found: list[float], seed: int) -> None:
    interval = bootstrap_mean(found, seed=seed, resamples=200)
    assert interval == bootstrap_mean(found, seed=seed, resamples=200)
    assert min(found) - 1e-9 <= interval.low <= interval.high <= max(found) + 1e-9


@given(pairs, st.integers(0, 2**32 - 1))
def test_a_p_value_is_repeatable_and_the_same_when_swapped(
    found: list[tuple[float, float]], seed: int
) -> None:
    differences = np.array([one - other for one, other in found])
    there, back = (sign_flip(each, seed, 200) for each in (differences, -differences))
    assert there == back == sign_flip(differences, seed, 200)
    assert 0 < there <= 1


@given(pairs, st.integers(0, 2**32 - 1))
def test_columns_that_are_drawn_together_have_the_bounds_that_each_has_alone(
    found: list[tuple[float, float]], seed: int
) -> None:
    together = bootstrap_means(np.array(found), seed=seed, resamples=200)
    alone = [bootstrap_mean(column, seed=seed, resamples=200) for column in zip(*found, strict=True)]
    assert [list(each) for each in together] == [pytest.approx(list(each)) for each in alone]


@given(values, st.integers(0, 2**32 - 1))
def test_a_draw_is_the_mean_of_values_drawn_with_repeats(found: list[float], seed: int) -> None:
    drawn = np.random.default_rng(seed).integers(len(found), size=(200, len(found)))
    low, high = np.quantile(np.array(found)[drawn].mean(axis=1), (0.025, 0.975))
    interval = bootstrap_mean(found, seed=seed, resamples=200)
    assert (interval.low, interval.high) == pytest.approx((low, high))
