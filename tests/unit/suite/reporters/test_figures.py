"""Digits as people read them."""

from math import inf, nan

import pytest
from tests.unit.suite.reports import cell

from toolbooth.suite.metrics import Selection, wilson
from toolbooth.suite.reporters.figures import (
    clean,
    f1_and_grade,
    figures_of,
    interval,
    raw_figures,
    share,
    shown,
)
from toolbooth.suite.verdict import Verdict


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (12, "12"),
        (12.34, "12.3"),
        (0.123, "0.12"),
        (1234.5, "1,234"),
        (99.96, "100.0"),
        (-3, "−3"),
        (1e20, "1e+20"),
        (inf, "–"),
    ],
)
def test_numbers(value: float, text: str) -> None:
    assert shown("f1", value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "$0.00"),
        (12.5, "$12.50"),
        (1234, "$1,234.00"),
        (0.5, "$0.50"),
        (0.0123, "$0.012"),
        (1e-9, "<$0.000001"),
    ],
)
def test_dollars(value: float, text: str) -> None:
    assert shown("cost", value) == text


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


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("::error::x", ": :error::x"),
        ("a ::SET-OUTPUT name=x::y", "a : :SET-OUTPUT name=x::y"),
        ("##[error]x", "# #[error]x"),
        ("##vso[task.setvariable]x", "# #vso[task.setvariable]x"),
        ("##teamcity[x]", "# #teamcity[x]"),
        ("std::vector::push", "std::vector::push"),
        ("## heading", "## heading"),
        ("\x1b[2J\n::error::x", ": :error::x"),
    ],
)
def test_commands_are_taken_apart_and_all_else_stays(text: str, shown: str) -> None:
    assert clean(text) == shown


@pytest.mark.parametrize("names", [("a.f1", "b.f1"), ("b.f1", "a.f1")])
def test_of_two_figures_with_one_last_word_the_same_counts_in_any_order(names: tuple[str, str]) -> None:
    values = {"a.f1": 10.0, "b.f1": 20.0}
    one = cell(verdicts=(Verdict("x", figures={name: values[name] for name in names}),))
    assert one.figure("f1") == 10.0


@pytest.mark.parametrize("keys", [("cost", "cost\x1b[31m"), ("cost\x1b[31m", "cost")])
def test_of_two_figures_with_one_cleaned_name_the_same_counts_in_any_order(keys: tuple[str, str]) -> None:
    values = {"cost": 1.0, "cost\x1b[31m": 2.0}
    one = cell(verdicts=(Verdict("x", figures={f"x.{key}": values[key] for key in keys}),))
    assert raw_figures(one)["x.cost"] == 1


def test_of_two_gates_with_the_same_figure_the_first_that_is_defined_counts_everywhere() -> None:
    gates = tuple(
        Verdict(name, figures={"x.f1": value})
        for name, value in (("distractors", 1.0), ("a", inf), ("b", 3.0), ("c", 4.0))
    )
    one = cell(verdicts=gates)
    assert (one.figure("f1"), raw_figures(one)["x.f1"]) == (3.0, 3)
