"""Intervals and paired comparisons: seeded, exact where few pairs allow it."""

import numpy as np
import pytest

from toolbooth.bench import bootstrap_mean, sign_flip

VALUES = [0.0, 0.2, 0.4, 0.6, 0.8, 1.0] * 5


def test_the_same_seed_gives_the_same_bounds() -> None:
    assert bootstrap_mean(VALUES, seed=7) == bootstrap_mean(VALUES, seed=7)
    assert bootstrap_mean(VALUES, seed=7) != bootstrap_mean(VALUES, seed=8)


def test_bounds_stand_around_the_mean_and_tighten_with_more_values() -> None:
    few, many = bootstrap_mean(VALUES), bootstrap_mean(VALUES * 10)
    assert few.low < 0.5 < few.high
    assert few.mean == pytest.approx(0.5)
    assert many.high - many.low < few.high - few.low


def test_the_interval_has_the_width_that_theory_gives_it() -> None:
    interval = bootstrap_mean([0.0, 1.0] * 200)
    assert interval.high - interval.low == pytest.approx(2 * 1.96 * 0.5 / 20, rel=0.05)


def test_less_confidence_is_a_narrower_interval() -> None:
    wide, narrow = bootstrap_mean(VALUES, confidence=0.99), bootstrap_mean(VALUES, confidence=0.5)
    assert wide.low < narrow.low < narrow.high < wide.high


def test_one_value_has_no_width() -> None:
    assert bootstrap_mean([0.3]) == pytest.approx((0.3, 0.3, 0.3))


def test_more_resamples_than_a_block_holds_are_all_drawn() -> None:
    interval = bootstrap_mean([0.0, 1.0] * 1000, resamples=2000)
    assert 0.45 < interval.low < 0.5 < interval.high < 0.55


def test_no_value_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(ValueError, match="no value"):
        bootstrap_mean([])


def test_the_p_value_of_few_pairs_is_exact() -> None:
    assert sign_flip(np.ones(4)) == 2 / 16


def test_a_clear_winner_has_a_small_p_value_and_never_zero() -> None:
    assert 0 < sign_flip(np.ones(60)) < 0.001


def test_equal_engines_do_not_differ() -> None:
    assert sign_flip(np.zeros(30)) == 1


def test_a_difference_that_chance_explains_is_not_significant() -> None:
    assert sign_flip(np.array([0.5, -0.5] * 20 + [0.1])) > 0.5


def test_swapping_the_engines_leaves_the_p_value() -> None:
    differences = np.array([0.4, -0.2, 0.0, 0.7] * 5)
    assert sign_flip(differences) == sign_flip(-differences)
