"""A budget is never passed: what a call could cost is set aside before it is made."""

import pytest

from toolbooth.errors import Refused
from toolbooth.suite.purse import Purse


def test_without_a_budget_everything_is_allowed() -> None:
    purse = Purse()
    purse.reserve(1e9)
    assert not purse.limited


def test_what_could_pass_the_budget_is_refused_before_it_is_made() -> None:
    purse = Purse(1.0, "the suite")
    purse.reserve(0.6)
    with pytest.raises(Refused) as refused:
        purse.reserve(0.5)
    assert purse.spent == 0.6
    assert "$0.5000" in str(refused.value)
    assert "$1 for the suite" in str(refused.value)
    assert refused.value.exit_code == 5


def test_exactly_the_budget_may_be_spent() -> None:
    purse = Purse(1.0)
    purse.reserve(1.0)
    assert purse.spent == 1.0


def test_what_was_set_aside_and_not_spent_comes_back() -> None:
    purse = Purse(1.0)
    purse.reserve(0.9)
    purse.settle(0.9, 0.1)
    purse.reserve(0.9)
    assert purse.spent == pytest.approx(1.0)


def test_a_call_that_failed_costs_nothing() -> None:
    purse = Purse(1.0)
    for _ in range(5):
        purse.reserve(0.9)
        purse.settle(0.9, 0.0)
    assert purse.spent == pytest.approx(0.0)


def test_calls_on_their_way_count() -> None:
    purse = Purse(1.0)
    purse.reserve(0.5)
    purse.reserve(0.5)
    with pytest.raises(Refused):
        purse.reserve(0.01)


def test_a_test_spends_from_its_suite() -> None:
    suite = Purse(1.0, "the suite")
    one, other = Purse(0.8, "one", suite), Purse(None, "other", suite)
    assert other.limited
    one.reserve(0.7)
    with pytest.raises(Refused, match="the suite"):
        other.reserve(0.4)
    one.settle(0.7, 0.2)
    other.reserve(0.4)
    assert suite.spent == pytest.approx(0.6)


def test_what_the_suite_refuses_is_not_set_aside_in_the_test() -> None:
    suite = Purse(0.5, "the suite")
    test = Purse(1.0, "a test", suite)
    with pytest.raises(Refused):
        test.reserve(0.6)
    assert (test.spent, suite.spent) == (0.0, 0.0)


def test_what_the_test_refuses_is_not_set_aside_in_the_suite() -> None:
    suite = Purse(5.0, "the suite")
    with pytest.raises(Refused, match="a test"):
        Purse(0.5, "a test", suite).reserve(0.6)
    assert suite.spent == 0.0
