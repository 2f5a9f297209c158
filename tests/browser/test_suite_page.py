"""The page of a suite in a real browser: it loads alone, fits, can be read, and foreign text does nothing."""

from dataclasses import replace

import pytest

from tests.browser.conftest import Open
from tests.browser.page_checks import FAINT, STICKS_OUT
from tests.unit.suite.reports import HOSTILE, sample, with_transcript
from toolbooth.suite.report import SuiteReport
from toolbooth.suite.reporters import render

LONG = "a-very-long-name-without-a-place-to-break" * 12
OPEN_ALL = "document.querySelectorAll('details').forEach(each => { each.open = true })"
PASSED = with_transcript()
REPORTS = {
    "sample": SuiteReport(
        ("a.toolbooth.yaml",),
        (PASSED, replace(PASSED, status="failed"), *sample().cells),
    ),
    "long words": SuiteReport(
        (LONG,), (with_transcript(LONG), replace(with_transcript(LONG), status="error"))
    ),
    "hostile": SuiteReport((HOSTILE,), (with_transcript(HOSTILE),)),
}


@pytest.mark.parametrize("name", REPORTS)
def test_it_asks_for_nothing_and_the_console_stays_silent(opened: Open, heard: list[str], name: str) -> None:
    page = opened(render(REPORTS[name], "html"))
    assert heard == [page.url]


@pytest.mark.parametrize("name", REPORTS)
@pytest.mark.parametrize("width", [390, 1400])
def test_nothing_sticks_out_with_every_transcript_open(opened: Open, name: str, width: int) -> None:
    page = opened(render(REPORTS[name], "html"), width=width)
    page.evaluate(OPEN_ALL)
    assert page.evaluate(STICKS_OUT) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_can_be_read(opened: Open, scheme: str) -> None:
    page = opened(render(REPORTS["sample"], "html"), scheme=scheme)
    page.evaluate(OPEN_ALL)
    assert [pair for pair in page.evaluate(FAINT) if pair["ratio"] < 4.5] == []
