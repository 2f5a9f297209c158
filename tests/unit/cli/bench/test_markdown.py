"""Markdown of a report: every section, what was left out, and nothing foreign that acts."""

import msgspec
import pytest
from tests.unit.web.reports import (
    HOSTILE,
    bare,
    endpoint,
    growth,
    latency,
    retrieval,
    rich,
    tokens,
    with_words,
)

from toolbooth.bench.report import CorpusSummary
from toolbooth.cli.bench.report import markdown


def test_every_section_has_a_table() -> None:
    said = markdown(rich())
    for head in ("| mode |", "| engine |", "| kind of question |", "| timed |", "| tools |", "| endpoint |"):
        assert head in said
    rows = [line for line in said.splitlines() if line.startswith("| ")]
    assert all(len(line) < 300 for line in rows)


def test_growth_tells_its_sizes_and_the_heading_does_not_claim_the_whole_corpus() -> None:
    said = markdown(bare(corpus=CorpusSummary("scale-v1", 17_570, 2_120, "f"), growth=growth()))
    assert said.startswith("### 50 to 100,000 tools drawn from 17,570 tools of 2,120 servers (scale\\-v1)")
    assert "| 100,000 (82,430 generated) | 21,200,000 |" in said
    assert "Building the index grows faster than the catalog" in said


@pytest.mark.promise("bench:page-honest")
def test_what_was_left_out_is_reported() -> None:
    section = msgspec.structs.replace(retrieval(), notes=("2 labelled tools are not in the corpus",))
    ended = msgspec.structs.replace(latency(), partial="the server went away")
    said = markdown(bare(retrieval=section, latency=ended, partial=("tokens: interrupted",)))
    assert "- 2 labelled tools are not in the corpus" in said
    assert "- partial: tokens: interrupted" in said
    assert "- partial: latency: the server went away" in said


@pytest.mark.promise("bench:page-honest")
def test_nearly_all_is_not_called_all() -> None:
    modes = tuple(
        msgspec.structs.replace(
            each, savings_vs_baseline=1 - 189 / 598_000, savings_with_instructions=1 - 304 / 598_112
        )
        for each in tokens().modes
    )
    said = markdown(bare(tokens=msgspec.structs.replace(tokens(), modes=modes)))
    assert "| 1,204 | 99.96% | 1,522 | 99.9% |" in said


def test_an_endpoint_that_was_led_is_said_to_be() -> None:
    said = markdown(bare(endpoints=(endpoint("lazy-mcp", 2960, None),)))
    assert "| lazy\\-mcp | 2,960 | 2,960 | 104 of 120 (right path assumed) |" in said


@pytest.mark.promise("bench:page-safe")
def test_no_word_of_a_stored_report_is_markup() -> None:
    said = markdown(with_words(rich(), "a|b `c` <img src=x> [d](e)\x1b"))
    assert "\x1b" not in said
    assert "<img" not in said.replace("\\<img", "")
    heads = {line.count(" | ") for line in said.splitlines() if line.startswith("| mode")}
    rows = {
        line.count(" | ") for line in said.splitlines() if line.startswith("| a\\|b") and "withheld" in line
    }
    assert rows <= heads
    assert "`c`" not in said
    assert HOSTILE not in markdown(with_words(rich(), HOSTILE))
