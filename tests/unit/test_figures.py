"""`toolbooth.figures`: each figure as a person reads it, and values that have no digits."""

from collections.abc import Callable
from decimal import Decimal
from math import inf, nan

import pytest
from hypothesis import given, strategies as st

from toolbooth.figures import (
    UNKNOWN,
    counted,
    dollars,
    megabytes,
    milliseconds,
    number,
    percent,
    short,
    times,
)


@pytest.mark.parametrize(
    ("value", "shown"),
    [(12345.6, "12,346"), (12.34, "12.3"), (0.0123, "0.012"), (-1234, "−1,234"), (0, "0"), (3e15, "3e+15")],
)
def test_a_number_has_the_digits_that_mean_something(value: float, shown: str) -> None:
    assert number(value) == shown


@pytest.mark.parametrize(
    ("share", "shown"),
    [
        (0.934, "93.4%"),
        (0.5, "50%"),
        (1, "100%"),
        (0.99999, "99.99%"),
        (0.00001, "<0.1%"),
        (-0.12, "−12%"),
        (0, "0%"),
    ],
)
def test_a_share_is_all_or_nothing_only_where_it_is(share: float, shown: str) -> None:
    assert percent(share) == shown


@pytest.mark.parametrize(
    ("amount", "shown"),
    [(1234.5, "$1,234.50"), (Decimal("0.0123"), "$0.012"), (0, "$0.00"), (1e-9, "<$0.000001")],
)
def test_dollars_show_two_digits_of_a_small_sum(amount: float | Decimal, shown: str) -> None:
    assert dollars(amount) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0.052, "52 µs"), (0.36, "0.36 ms"), (12.3, "12 ms"), (803, "803 ms"), (1400, "1.4 s")],
)
def test_a_time_has_the_unit_in_which_people_say_it(value: float, shown: str) -> None:
    assert milliseconds(value) == shown


def test_the_other_figures() -> None:
    assert (short(1500), short(20_000), short(0.2), short(-2e6)) == ("1.5k", "20k", "0.2", "−2M")
    assert (megabytes(12.3), megabytes(20_480)) == ("12 MB", "20 GB")
    assert times(1.8432) == "1.84×"
    assert (counted(1, "tool"), counted(1234, "tool")) == ("1 tool", "1,234 tools")
    assert counted(2, "query", "queries") == "2 queries"


@pytest.mark.parametrize("show", [number, percent, dollars, milliseconds, megabytes, times])
def test_what_is_unknown_is_a_dash(show: Callable[[float | None], str]) -> None:
    assert [show(value) for value in (None, inf, nan)] == [UNKNOWN] * 3
    assert short(inf) == UNKNOWN


@given(st.floats(allow_nan=True, allow_infinity=True))
def test_every_float_can_be_shown(value: float) -> None:
    for show in (number, percent, dollars, milliseconds, megabytes, times, short):
        assert show(value)
