"""This run against a stored one: change, and what of it is too much."""

from dataclasses import replace
from typing import Any

import pytest
from tests.unit.suite.reports import all_passed, cell, compared

from toolbooth.suite.compare import compare, with_baseline
from toolbooth.suite.metrics import Selection
from toolbooth.suite.report import CellReport, SuiteReport
from toolbooth.suite.verdict import Verdict

FIGURES = ("f1", "tokens_per_correct", "paid_tokens_per_correct", "cost_per_correct")


def with_figures(status: Any = "passed", test: Any = "t", **figures: float) -> CellReport:
    named = {f"token_efficiency.{name}": value for name, value in figures.items()}
    return cell(test=test, status=status, verdicts=(Verdict("token_efficiency", (), named),))


def worse(before: CellReport, now: CellReport, **allowed: float) -> list[str]:
    found = compare(SuiteReport((), (now,)), SuiteReport((), (before,)), "old.json", **allowed)
    return [moved.figure for moved in found.worse]


def test_a_run_is_no_worse_than_itself() -> None:
    found = compare(all_passed(), all_passed(), "old.json")
    assert (found.moved, found.added, found.gone, found.same) == ((), (), (), 24)


@pytest.mark.parametrize(("drop", "fails"), [(0, True), (4.9, True), (5, False), (10, False)])
def test_f1_may_fall_by_so_many_points(drop: float, fails: bool) -> None:
    assert bool(worse(with_figures(f1=85), with_figures(f1=80), max_f1_drop=drop)) is fails


@pytest.mark.parametrize("figure", ["tokens_per_correct", "paid_tokens_per_correct"])
@pytest.mark.parametrize(("rise", "fails"), [(0, True), (9.9, True), (10, False), (50, False)])
def test_tokens_may_rise_by_so_many_percent(figure: str, rise: float, fails: bool) -> None:
    before, now = with_figures(**{figure: 100.1}), with_figures(**{figure: 110.11})
    assert worse(before, now, max_tokens_rise=rise) == ([figure] if fails else [])


def test_what_got_better_is_shown_and_never_gates() -> None:
    before = with_figures(f1=50, tokens_per_correct=100, paid_tokens_per_correct=9)
    now = with_figures(f1=80, tokens_per_correct=50, paid_tokens_per_correct=3)
    found = compare(SuiteReport((), (now,)), SuiteReport((), (before,)), "old.json")
    assert [moved.figure for moved in found.moved] == list(FIGURES[:3])
    assert not found.worse


def test_dollars_are_shown_and_never_gate() -> None:
    before, now = with_figures(cost_per_correct=0.1), with_figures(cost_per_correct=9)
    found = compare(SuiteReport((), (now,)), SuiteReport((), (before,)), "old.json")
    assert [moved.figure for moved in found.moved] == ["cost_per_correct"]
    assert not found.worse


@pytest.mark.parametrize("status", ["failed", "error", "refused"])
def test_a_cell_that_passes_no_more_is_worse(status: str) -> None:
    assert worse(with_figures(f1=80), with_figures(status, f1=80)) == ["passed"]


def test_a_cell_that_passes_again_is_shown() -> None:
    found = compare(
        SuiteReport((), (with_figures(),)), SuiteReport((), (with_figures("failed"),)), "old.json"
    )
    assert [(moved.figure, moved.before, moved.now, moved.worse) for moved in found.moved] == [
        ("passed", 0, 1, False)
    ]


def test_tokens_that_are_undefined_because_nothing_is_right_any_more_are_worse() -> None:
    right, wrong = cell(selection=Selection(2)), cell(selection=Selection(0, 0, 2), status="passed")
    assert worse(right, wrong, max_f1_drop=100) == ["tokens_per_correct", "paid_tokens_per_correct"]


def test_tokens_that_are_undefined_because_the_gate_was_skipped_are_only_shown() -> None:
    before, now = with_figures(f1=90, tokens_per_correct=5), with_figures(f1=90)
    assert worse(before, now) == []


def test_a_figure_that_is_new_is_shown() -> None:
    found = compare(SuiteReport((), (with_figures(f1=10),)), SuiteReport((), (with_figures(),)), "old.json")
    assert [(moved.before, moved.now, moved.worse) for moved in found.moved] == [(None, 10, False)]


def test_cells_without_a_partner_are_named_and_do_not_gate() -> None:
    old, new = with_figures(test="old", f1=1), with_figures(test="new", f1=1)
    found = compare(SuiteReport((), (new,)), SuiteReport((), (old,)), "old.json")
    assert ([key.test for key in found.added], [key.test for key in found.gone]) == (["new"], ["old"])
    assert not found.worse


def test_a_cell_that_was_not_run_has_no_partner() -> None:
    done, waits = with_figures(f1=90), with_figures("not run")
    assert compare(SuiteReport((), (waits,)), SuiteReport((), (done,)), "x").gone == (done.key,)
    assert compare(SuiteReport((), (done,)), SuiteReport((), (waits,)), "x").added == (done.key,)


def test_a_report_that_got_worse_fails_and_one_that_did_not_passes() -> None:
    worse_now = SuiteReport((), (with_figures(f1=60),))
    before = SuiteReport((), (with_figures(f1=90),))
    assert with_baseline(worse_now, before, "old.json").exit_code == 1
    assert with_baseline(worse_now, before, "old.json", max_f1_drop=30).exit_code == 0


def test_the_baseline_is_named_as_it_was_typed_but_for_the_way_through_the_machine() -> None:
    for typed, said in (("runs/main.json", "runs/main.json"), ("/home/me/main.json", "main.json")):
        found = with_baseline(all_passed(), all_passed(), typed).comparison
        assert found is not None
        assert found.baseline == said


def test_the_rows_that_moved_stand_in_the_order_of_the_cells() -> None:
    found = compared().comparison
    assert found is not None
    order = [each.key for each in compared().cells]
    assert [order.index(moved.key) for moved in found.moved] == sorted(
        order.index(moved.key) for moved in found.moved
    )


def test_a_comparison_of_its_own_is_not_read_from_the_baseline() -> None:
    assert compare(all_passed(), replace(compared(), cells=all_passed().cells), "x").worse == ()
