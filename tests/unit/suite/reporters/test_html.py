"""One page, nothing else."""

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from tests.unit.suite.reports import (
    HOSTILE,
    MODELS,
    SURFACES,
    TESTS,
    all_passed,
    cell,
    compared,
    hostile,
    sample,
    with_transcript,
)

from toolbooth.suite.report import SuiteReport
from toolbooth.suite.reporters import render
from toolbooth.suite.reporters.html import by_column, matrix

VOID = {"meta", "br", "link", "img"}


class Page(HTMLParser):
    """Tags must close in order; keeps what it saw."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("report", [sample(), compared(), hostile(), SuiteReport(())])
def test_the_page_is_whole_and_loads_nothing(report: SuiteReport) -> None:
    page = Page(render(report, "html"))
    assert not {tag for tag, _ in page.tags} & {"script", "img", "link", "iframe", "object", "form"}
    links = [value for _, attrs in page.tags for name, value in attrs.items() if name in ("href", "src")]
    assert all((link or "").startswith("#cell-") for link in links)
    assert not any(name.startswith("on") for _, attrs in page.tags for name in attrs)
    assert "default-src 'none'" in str(page.tags)


def test_every_link_of_the_matrix_leads_to_its_cell() -> None:
    page = Page(render(sample(), "html"))
    ids = {attrs["id"] for _, attrs in page.tags if "id" in attrs}
    links = [(attrs["href"] or "")[1:] for tag, attrs in page.tags if tag == "a"]
    assert len(ids) == len(links) == 24
    assert set(links) == ids


def test_what_went_wrong_stands_open_and_first() -> None:
    page = Page(render(sample(), "html"))
    details = [attrs for tag, attrs in page.tags if tag == "details"]
    assert ["open" in attrs for attrs in details] == [True] * 3 + [False] * 21


def test_hidden_characters_show_and_markup_does_not_act() -> None:
    text = render(hostile(), "html")
    assert "<script" not in text
    assert "&lt;script&gt;" in text
    assert r"\u{202e}evil\x00" in text


def test_it_is_light_and_dark_for_a_phone_and_for_paper() -> None:
    text = render(sample(), "html")
    for words in ("prefers-color-scheme: dark", "max-width: 40rem", "@media print", 'name="viewport"'):
        assert words in text
    assert not re.search(r"https?://|url\(|@import", text)


def test_the_matrix_is_tests_by_models_by_surfaces() -> None:
    found = matrix(sample())
    assert [(header.model, header.surfaces) for header in found.headers] == [(m, SURFACES) for m in MODELS]
    assert [test for test, _ in found.rows] == list(TESTS)
    assert all(shown is not None for _, row in found.rows for shown in row)


def test_a_place_without_a_cell_is_empty_and_tests_of_two_files_do_not_mix() -> None:
    cells = (
        cell("t", "m", "direct", path="a.yaml"),
        cell("t", "m", "direct", path="b.yaml"),
        cell("u", "n", "code"),
    )
    rows = matrix(SuiteReport((), cells)).rows
    assert [(test, [shown is None for shown in row]) for test, row in rows] == [
        ("t", [False, True]),
        ("t", [False, True]),
        ("u", [True, False]),
    ]


def test_models_and_surfaces_are_compared_by_their_means() -> None:
    first = by_column(all_passed())[0]
    assert (first.passed, first.f1, first.tokens, first.cost) == ("4/4", "100", "3,072", "$2.04")


def test_a_page_tells_prompt_calls_answers_dates_and_versions() -> None:
    text = render(SuiteReport(("a.toolbooth.yaml",), (with_transcript(),)), "html")
    for part in (
        "Which tickets are open?",
        "<b>call_tool</b> → tickets.list_tickets",
        "{&#34;status&#34;: &#34;open&#34;}",
        "LF-1 is open",
        "There is one.",
        "run 2026-11-18 08:26:29 UTC by toolbooth 0.1.0",
        "tickets 2.1",
        "padded run 1",
    ):
        assert part in text


def test_transcripts_are_closed_until_asked_for_unless_the_cell_went_wrong() -> None:
    def opened(status: str) -> int:
        page = Page(render(SuiteReport((), (replace(with_transcript(), status=status),)), "html"))  # type: ignore[arg-type]
        return sum(
            tag == "details" and attrs.get("class") == "run" and "open" in attrs for tag, attrs in page.tags
        )

    assert (opened("passed"), opened("failed")) == (0, 1)


def test_foreign_text_in_a_transcript_stays_text() -> None:
    text = render(SuiteReport((), (with_transcript(HOSTILE),)), "html")
    assert "<script>" not in text
    assert not {"\x1b", "\u202e", "\x00"} & set(text)
    Page(text)
