"""Digits as people read them."""

from math import inf, nan

import pytest
from tests.unit.suite.reports import cell

from toolbooth.suite.reporters.figures import (
    dollars,
    f1_and_grade,
    figures_of,
    interval,
    number,
    raw_figures,
    share,
)
from toolbooth.suite.selection import Selection
from toolbooth.suite.verdict import Verdict
from toolbooth.suite.wilson import wilson


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0, "0"),
        (12, "12"),
        (12.34, "12.3"),
        (0.123, "0.12"),
        (1234.5, "1,234"),
        (99.96, "100.0"),
        (-3, "-3"),
        (1e20, "1e+20"),
        (inf, "inf"),
    ],
)
def test_numbers(value: float, shown: str) -> None:
    assert number(value) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0, "$0.00"),
        (12.5, "$12.50"),
        (1234, "$1,234.00"),
        (0.5, "$0.50"),
        (0.0123, "$0.012"),
        (1e-9, "<$0.000001"),
    ],
)
def test_dollars(value: float, shown: str) -> None:
    assert dollars(value) == shown


def test_runs_with_their_interval() -> None:
    assert (share(wilson(2, 3)), interval(wilson(2, 3))) == ("2/3", "21–94%")
    assert (share(None), interval(None)) == ("", "")


def test_undefined_figures_are_left_out() -> None:
    nothing_right = cell(selection=Selection(0, 1, 2), cost=None)
    assert not {"tokens per correct", "dollars per correct", "dollars"} & set(figures_of(nothing_right))
    odd = cell(verdicts=(Verdict("x", (), {"x.f1": nan}),))
    assert "F1" not in figures_of(odd)
    assert "x.f1" not in raw_figures(odd)


def test_programs_get_figures_unrounded_by_their_targets() -> None:
    found = raw_figures(cell(selection=Selection(7)))
    assert found["tool_selection.f1"] == 100
    assert found["token_efficiency.tokens_per_correct"] == 18_432 / 7


def test_a_grade_is_one_of_our_letters_or_nothing() -> None:
    assert f1_and_grade(cell()) == "100 A"
    assert f1_and_grade(cell(verdicts=(Verdict("x", (), {"x.f1": 3}, "\x1b[31m"),))) == "3"
