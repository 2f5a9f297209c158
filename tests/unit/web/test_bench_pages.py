"""The benchmark's page: each section only where the report has it, every figure with its numbers, nothing acts."""

import re
import subprocess
import sys
from html.parser import HTMLParser
from typing import Any

import msgspec
import pytest
from tests.unit.web.reports import (
    HOSTILE,
    bare,
    empty_sections,
    endpoint,
    growth,
    latency,
    negative,
    retrieval,
    rich,
    tokens,
    with_numbers,
    with_words,
    withheld,
)

from toolbooth.bench.report import BaselineGate, BenchReport, CorpusSummary
from toolbooth.safetext import for_terminal
from toolbooth.web import bench_page

SECTIONS: dict[str, Any] = {
    "tokens": tokens(),
    "retrieval": retrieval(),
    "latency": latency(),
    "growth": growth(),
    "endpoints": (endpoint("Toolbooth", 1204, 0.87),),
}


class Outline(HTMLParser):
    """Tags, ids and the text of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.words: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.ids += [str(value) for name, value in attrs if name == "id"]

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


def text_of(report: BenchReport) -> str:
    return Outline(bench_page(report).split("</style>")[1]).text


@pytest.mark.parametrize("name", SECTIONS)
def test_a_section_is_there_exactly_where_the_report_has_it(name: str) -> None:
    page = bench_page(bare(**{name: SECTIONS[name]}))
    assert {each for each in SECTIONS if f'<h2 id="{each}"' in page} == {name}


def test_a_report_of_nothing_is_a_page_that_says_so() -> None:
    assert "nothing was measured" in text_of(bare())


def test_empty_sections_are_said_to_be_empty() -> None:
    assert "Nothing was measured here." in text_of(empty_sections())


def test_every_chart_has_the_same_numbers_as_a_table_under_it() -> None:
    page = bench_page(rich())
    figures = re.findall(r"<figure.*?</figure>", page, re.DOTALL)
    assert len(figures) >= 15
    for each in figures:
        assert each.count('role="img"') >= 2
        assert each.count("<desc") == each.count("<svg")
        assert each.count("<table") == 1


def test_ids_are_unique_and_links_lead_somewhere() -> None:
    page = bench_page(rich())
    ids = Outline(page).ids
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]+)"', page)) <= set(ids)


def test_the_headline_has_the_figures_that_people_ask_for() -> None:
    text = text_of(rich())
    for words in (
        "1,204 tokens on the search surface, instead of 13,570",
        "91.1%",
        "0.827 to 0.917",
        "1.3 ms",
    ):
        assert words in text


@pytest.mark.promise("bench:page-honest")
def test_savings_that_are_withheld_are_said_to_be_and_why() -> None:
    text = text_of(bare(tokens=withheld()))
    assert "withheld 12 of 64 tools of the servers came without a schema" in text
    assert "% less" not in text
    assert "What is saved" not in text


@pytest.mark.promise("bench:page-honest")
def test_a_menu_that_costs_more_is_shown_so() -> None:
    text = text_of(bare(tokens=negative()))
    assert "−301.3%" in text
    assert "301.3% more" in text


@pytest.mark.promise("bench:page-honest")
def test_a_curve_that_is_estimated_is_called_so() -> None:
    given = tokens()
    guessed = tuple(msgspec.structs.replace(at, label="estimated") for at in given.curve)
    page = bench_page(bare(tokens=msgspec.structs.replace(given, curve=guessed)))
    assert page.count('<span class="how">estimated</span>') == 2
    assert '<span class="how">estimated</span>' not in bench_page(bare(tokens=given))


def test_savings_stand_with_the_instructions_too() -> None:
    given = tokens()
    modes = tuple(msgspec.structs.replace(each, savings_with_instructions=0.8878) for each in given.modes)
    text = text_of(bare(tokens=msgspec.structs.replace(given, modes=modes)))
    assert "91.1% of the menu that every model call reads; 88.8% with the instructions" in text


def test_a_report_of_growth_alone_names_the_sizes_that_were_measured() -> None:
    corpus = CorpusSummary("scale-v1", 17_570, 2_120, "f")
    assert "50 to 100,000 tools drawn from 17,570 tools of 2,120 servers, measured" in text_of(
        bare(corpus=corpus, growth=growth())
    )
    assert "17,570 tools of 2,120 servers, measured" in text_of(bare(corpus=corpus, tokens=tokens()))


@pytest.mark.promise("bench:page-honest")
def test_a_partial_report_wears_a_banner_with_what_is_missing() -> None:
    ends = (endpoint("lazy-mcp", 2960, None, partial="went away after 61 questions"),)
    text = text_of(bare(endpoints=ends, partial=("growth was interrupted",)))
    assert "This report is partial." in text
    assert "growth was interrupted" in text
    assert "lazy-mcp: went away after 61 questions" in text
    assert "partial" not in text_of(bare(tokens=tokens()))


def test_of_many_questions_the_worst_forty_are_shown_and_the_rest_is_said() -> None:
    page = bench_page(bare(retrieval=retrieval(2792)))
    assert page.count('role="rowheader"') == 40 + 1  # and one that no tool can serve
    assert "40 of 2,792 questions; report.json has them all" in page


def test_sizes_with_made_up_tools_are_marked_and_bends_are_sentences() -> None:
    page = bench_page(bare(growth=growth()))
    assert "Hollow marks: catalogs with made-up tools." in page
    assert "Building the index grows faster than the catalog" in page


def test_a_gate_that_failed_is_said() -> None:
    given = msgspec.structs.replace(retrieval(), gate=BaselineGate(False, "recall_at_5", 0.05, 0.55, 0.631))
    assert "The gate failed: recall@5 is 0.550; the floor is 0.631." in text_of(bare(retrieval=given))


def test_a_gate_without_a_baseline_says_that_it_passes_by_construction() -> None:
    given = msgspec.structs.replace(retrieval(), gate=BaselineGate(True, note="no baseline was given"))
    assert "The gate passed: no baseline was given." in text_of(bare(retrieval=given))


def test_verdicts_are_words_and_follow_the_interval() -> None:
    text = text_of(bare(retrieval=retrieval()))
    assert "plain BM25 recall@5 better +0.094 +0.044 to +0.144 < 0.001 24 11" in text
    assert "words without vectors recall@5 no clear difference" in text


def test_where_the_figures_come_from_is_reported() -> None:
    text = text_of(rich())
    for words in ("builtin-v1", "b1946ac92492d2347c6235b4d2611184", "o200k_base", "2 cores", "2026-11-17",
                  "measured counted or timed", "computed calculated from"):  # fmt: skip
        assert words in text


def test_the_command_is_what_was_typed_and_never_a_guess() -> None:
    typed = "toolbooth bench tokens --catalog 'my tools.json' --encoding o200k_base"
    text = text_of(bare(tokens=tokens(), command=typed))
    assert f"Made by {typed} toolbooth bench report report.json --html report.html" in text
    assert "Made by" not in text_of(rich())


@pytest.mark.promise("bench:page-safe")
def test_foreign_text_is_cleaned_and_escaped_wherever_it_stands() -> None:
    page = bench_page(with_words(rich(), HOSTILE))
    tags = set(Outline(page).tags)
    assert not tags & {"script", "img", "iframe", "object", "link", "base"}
    assert page.count("<style>") == 1
    assert not set("\u202e\u202c\u200b\x1b\ue000\u2028") & set(page)
    assert for_terminal(HOSTILE)[:20] in Outline(page.split("</style>")[1]).text


@pytest.mark.promise("bench:page-alone")
def test_it_has_no_script_no_address_and_a_strict_policy() -> None:
    page = bench_page(rich())
    assert "default-src 'none'; style-src 'unsafe-inline'" in page
    assert not re.search(r"<script|<link|<img|url\(|https?://|@import", page)


@pytest.mark.parametrize(
    "number", [0.0, -3.0, 1e12, 1e300, 1e-300, float("nan"), float("inf"), float("-inf")]
)
def test_odd_numbers_make_a_page_without_nan(number: float) -> None:
    page = bench_page(with_numbers(rich(), number))
    assert not re.search(r"\b(nan|inf|None)\b", page)


def test_the_same_report_gives_the_same_page() -> None:
    assert bench_page(rich()) == bench_page(rich())


def test_the_package_imports_its_template_engine_only_when_a_page_is_made() -> None:
    code = "import sys, toolbooth.web; sys.exit('jinja2' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_of_endpoints_alone_the_best_of_each_figure_stands_at_the_top_whoever_has_it() -> None:
    ends = (endpoint("Toolbooth", 1204, 0.87), endpoint("lazy-mcp", 382, None))
    text = text_of(bare(endpoints=ends))
    assert "Smallest menu 382 tokens: lazy-mcp" in text
    assert "Best recall at 5 0.872 Toolbooth" in text
    assert "right path assumed" in text
    assert "oracle" not in text
    assert "Gateways side by side" in text
    assert "A running gateway" in text_of(bare(endpoints=ends[:1]))


def test_a_note_that_many_endpoints_share_is_said_once() -> None:
    ends = tuple(endpoint(name, 1204, None) for name in ("a", "b", "c"))
    assert text_of(bare(endpoints=ends)).count("Its list is asked for once.") == 1


def test_a_figure_that_would_stand_alone_takes_the_whole_width() -> None:
    assert 'id="paid-over-size-whole-title"' not in bench_page(bare(tokens=tokens()))
    assert 'id="paid-over-size-whole-title"' in bench_page(bare(tokens=withheld()))
