"""The table at any width, and what follows it."""

from io import StringIO

import pytest
from rich.cells import cell_len
from rich.console import Console
from tests.unit.suite.reports import TESTS, all_passed, cell, compared, hostile, sample

from toolbooth.suite.report import SuiteReport
from toolbooth.suite.reporters import render, show
from toolbooth.suite.reporters.terminal import shortened


def printed(report: SuiteReport, width: int, **more: bool) -> str:
    to = StringIO()
    show(report, Console(file=to, width=width, _environ={}, **more))  # type: ignore[arg-type]
    return to.getvalue()


@pytest.mark.parametrize("width", [40, 60, 80, 100, 120, 200])
@pytest.mark.parametrize("report", [sample(), compared(), hostile()])
def test_no_line_is_wider_than_the_terminal(report: SuiteReport, width: int) -> None:
    assert max(cell_len(line.rstrip()) for line in printed(report, width).splitlines()) <= width


def test_the_figures_that_matter_stay_at_80_columns_and_the_rest_is_named() -> None:
    text = printed(sample(), 80)
    assert "tokens/" in text
    assert "46 F" in text
    assert "left out at 80 columns: paid/correct, dollars, runs right, 95% range" in text


def test_a_wide_terminal_shows_everything() -> None:
    text = render(sample(), "terminal")
    row = next(line for line in text.splitlines() if "46 F" in line)
    assert row.split()[-8:] == ["failed", "46", "F", "6,144", "56,699", "$0.51", "1/3", "6–79%"]
    assert "left out" not in text


def test_failures_name_checks_classes_tools_and_the_line_of_the_file() -> None:
    text = render(sample(), "terminal")
    assert (
        "failed  find the latest invoice mail [openai:gpt-5-mini · direct]  suites/office.toolbooth.yaml:4"
        in text
    )
    assert "tool_selection.f1: wanted >= 80, found 46" in text
    assert "missed      read (3×)" in text
    assert "unexpected  files.search (3×), notes.list" in text
    assert text.count("the process ended before it answered") == 1
    assert text.rstrip().endswith("20 passed · 1 failed · 1 error · 1 refused · 1 not run · $4.68")


def test_what_was_skipped_is_said_once_with_its_reason() -> None:
    text = " ".join(render(sample(), "terminal").split())
    assert (
        "[anthropic:claude-sonnet-4-5 · code]: the recording has no catalog: token_efficiency is skipped"
        in text
    )


def test_rows_that_moved_are_shown_with_both_sides() -> None:
    text = render(compared(), "terminal")
    assert "compared with main.json" in text
    assert "worse  F1 100 → 46" in text
    assert "worse  tokens per correct 163 → undefined" in text
    assert "gone  say no to payments" in text


def test_colours_are_for_terminals_only() -> None:
    assert "\x1b" not in printed(sample(), 80)
    assert "\x1b[" in printed(sample(), 80, force_terminal=True)


def test_a_test_that_stands_above_is_not_named_again() -> None:
    assert render(all_passed(), "terminal").count(TESTS[0]) == 1


def test_columns_that_say_nothing_are_left_out_silently() -> None:
    text = printed(SuiteReport((), (cell(cost=None, verdicts=(), passes=None),)), 120)
    assert "dollars" not in text
    assert "F1" not in text


def test_names_are_cut_in_the_middle() -> None:
    assert shortened("anthropic:claude-sonnet-4-5", 20) == "anthropic:…onnet-4-5"
    assert shortened("short", 20) == "short"
    assert cell_len(shortened("日本語" * 20, 15)) <= 15
    assert shortened("abc", 1) == "…"
