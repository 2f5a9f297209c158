"""Markdown for a pull request."""

from tests.unit.suite.reports import all_passed, cell, compared, hostile, sample

from toolbooth.suite.report import SuiteReport
from toolbooth.suite.reporters import render


def test_the_first_line_says_how_it_went() -> None:
    assert render(all_passed(), "markdown").startswith("### ✅ toolbooth test: 24 passed")
    assert render(sample(), "markdown").startswith("### ❌ toolbooth test: 20 passed, 1 failed")


def test_every_row_of_a_table_has_its_columns() -> None:
    rows = [line for line in render(hostile(), "markdown").splitlines() if line.startswith("| ✅")]
    assert rows
    assert all(row.replace(r"\|", "").count("|") == 10 for row in rows)


def test_a_long_table_is_folded_and_a_short_one_is_not() -> None:
    assert "<details><summary>all 24 cells</summary>\n\n|" in render(sample(), "markdown")
    assert "<details>" not in render(SuiteReport((), (cell(),)), "markdown")


def test_dollars_are_not_set_as_math() -> None:
    assert r"\$0.51 " in render(all_passed(), "markdown")


def test_what_moved_stands_in_a_table() -> None:
    text = render(compared(), "markdown")
    assert "**Compared with main.json**: 15 figures changed, 12 of them for the worse" in text
    assert "| F1 100 → 46 |" in text


def test_foreign_text_is_no_markup() -> None:
    text = render(hostile(), "markdown")
    assert "<script" not in text.replace(r"\<", "")
    assert "`tick" not in text.replace(r"\`", "")


def test_a_comment_stays_in_bounds_however_many_cells_there_are() -> None:
    many = tuple(cell(test=f"test {index}", status="failed") for index in range(1000))
    assert "… and 800 more" in render(SuiteReport((), many), "markdown")
