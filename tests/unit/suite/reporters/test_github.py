"""Workflow commands."""

import re

from tests.unit.suite.reports import all_passed, cell, compared, hostile, sample

from toolbooth.suite.report import SuiteReport
from toolbooth.suite.reporters import render

COMMAND = re.compile(r"::(error|warning|notice) ((?:[a-z]+=[^,:\r\n]*)(?:,[a-z]+=[^,:\r\n]*)*)::[^\r\n]+")


def lines(report: SuiteReport) -> list[str]:
    return render(report, "github").splitlines()


def test_every_line_is_one_command() -> None:
    for report in (sample(), compared(), hostile(), SuiteReport(())):
        for line in lines(report):
            assert COMMAND.fullmatch(line)


def test_a_failure_stands_at_its_line_of_the_suite() -> None:
    first = lines(sample())[0]
    assert first.startswith(
        "::error file=suites/office.toolbooth.yaml,line=4,title=find the latest invoice mail "
    )
    assert "found 46%0Amissed: read (3×)%0Aunexpected" in first


def test_percent_colon_comma_and_newline_are_escaped() -> None:
    made = cell(test="100%: a, b", status="error", errors=("5% of\r\nit",), path="a:b,c.yaml")
    line = lines(SuiteReport((), (made,)))[0]
    assert line.startswith("::error file=a%3Ab%2Cc.yaml,line=4,title=100%25%3A a%2C b [")
    assert "::5%25 of it" in line


def test_all_well_is_one_notice() -> None:
    assert lines(all_passed()) == ["::notice title=toolbooth test::24 passed · $4.76"]


def test_a_cell_that_got_worse_is_one_error() -> None:
    errors = [line for line in lines(compared()) if line.startswith("::error")]
    assert len(errors) == 4
    assert any("got worse::F1 100 → 80%0Atokens per correct 201 → 301 (+50%25)" in line for line in errors)


def test_notes_and_warnings_are_warnings() -> None:
    warnings = [line for line in lines(sample()) if line.startswith("::warning")]
    assert len(warnings) == 2


def test_a_cell_without_a_file_has_a_title_only() -> None:
    assert lines(SuiteReport((), (cell(status="failed", path=""),)))[0].startswith("::error title=")
