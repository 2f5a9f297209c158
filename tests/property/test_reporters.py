"""Any report, with any text in any place: what was written is read back, and no reporter is broken by it."""

import json
import re
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TypeVar
from xml.etree.ElementTree import fromstring

from hypothesis import given, settings, strategies as st
from tests.unit.suite.reporters.test_github import COMMAND
from tests.unit.suite.reporters.test_html import Page
from tests.unit.suite.reporters.test_machine_formats import read as read_tap
from tests.unit.suite.reports import HOSTILE, hostile

from toolbooth.suite.metrics import wilson
from toolbooth.suite.report import CellKey, CellReport, FigureChange, RunComparison, SuiteReport
from toolbooth.suite.reporters import REPORTERS, render
from toolbooth.suite.run_json import read_run, run_bytes
from toolbooth.suite.transcript import ShownCall, ShownTurn, Transcript
from toolbooth.suite.verdict import Check, Verdict

Value = TypeVar("Value")

NASTY = st.sampled_from(
    [
        *(
            "\x1b[31m",
            "\x1b]0;t\x07",
            "]]>",
            "<script>",
            "</td>",
            "\n",
            "\r",
            "::error::",
            "##[error]",
            "`",
            "|",
        ),
        *(
            "\u202e",
            "\x00",
            "\x85",
            "\u2028",
            "\ufffe",
            "%0A",
            ":",
            ",",
            "#",
            "\\",
            "...",
            "---",
            "&",
            "'",
            '"',
        ),
        *("{{", "{%", "@x"),
    ]
)
TEXT = st.text(max_size=8) | st.lists(NASTY | st.text(max_size=3), max_size=5).map("".join)
OBEYED = re.compile(
    r"^\s*::(error|warning|notice|debug|set-output|add-mask)|##\[", re.IGNORECASE | re.MULTILINE
)
COUNT = st.integers(0, 10**9)
NUMBER = st.floats(0, 1e12) | st.integers(0, 10**9).map(float)
COUNTS = st.dictionaries(TEXT, COUNT, max_size=3)
FOUND = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=4,
)
TARGETS = st.sampled_from(  # two with one last word, and two that are the same once they are cleaned
    [
        "tool_selection.f1",
        "distractors.f1",
        "token_efficiency.tokens_per_correct",
        "token_efficiency.cost",
        "token_efficiency.cost\x1b[31m",
    ]
)
CHECKS = st.builds(Check, TEXT, TEXT, FOUND, st.sampled_from(["passed", "failed", "skipped"]), TEXT)
VERDICTS = st.builds(
    Verdict,
    st.sampled_from(["tool_selection", "distractors"]) | TEXT,
    st.lists(CHECKS, max_size=2).map(tuple),
    st.dictionaries(TARGETS | TEXT, NUMBER, max_size=3),
    st.sampled_from(["", "A", "F"]) | TEXT,
    COUNTS,
    COUNTS,
)
KEYS = st.builds(CellKey, TEXT, TEXT, TEXT)
RATES = st.tuples(st.integers(0, 5), st.integers(0, 5)).map(lambda pair: wilson(min(pair), max(pair)))
LINES = st.lists(TEXT, max_size=2).map(tuple)
CALLS = st.builds(ShownCall, TEXT, TEXT, TEXT, st.booleans(), st.lists(TEXT, max_size=2).map(tuple))
TURNS = st.builds(ShownTurn, TEXT, st.lists(CALLS, max_size=2).map(tuple))
MOMENTS = st.sampled_from(["", "2026-11-18T08:26:29Z", "2026-01-02T03:04:05Z"])
TRANSCRIPTS = st.builds(
    Transcript,
    st.integers(1, 9),
    st.sampled_from(["done", "max_turns", "error", "refused"]),
    st.booleans(),
    TEXT,
    MOMENTS,
    COUNT,
    st.lists(TURNS, max_size=2).map(tuple),
    COUNT,
)
CELLS = st.builds(
    CellReport,
    KEYS,
    st.sampled_from(["passed", "failed", "error", "refused", "not run"]),
    COUNT,
    st.sampled_from(["replayed", "live", "recorded", ""]),
    st.lists(VERDICTS, max_size=2).map(tuple),
    LINES,
    LINES,
    st.none() | RATES,
    COUNTS,
    COUNT,
    COUNT,
    COUNT,
    st.none() | COUNT,
    st.none() | NUMBER,
    NUMBER,
    TEXT,
    COUNT,
    versions=st.dictionaries(st.just("toolbooth") | TEXT, TEXT, max_size=3),
)
# Only the page shows these, with their tabs: it is no build log, so they are no part of what must be intact there.
SHOWN_CELLS = st.builds(
    lambda cell, prompt, shown: replace(cell, prompt=prompt, transcripts=shown),
    CELLS,
    TEXT,
    st.lists(TRANSCRIPTS, max_size=1).map(tuple),
)
MOVED = st.builds(
    FigureChange,
    KEYS,
    st.sampled_from(["passed", "f1", "tokens_per_correct", "cost_per_correct"]) | TEXT,
    st.none() | NUMBER,
    st.none() | NUMBER,
    st.booleans(),
)
COMPARISONS = st.builds(
    RunComparison,
    TEXT,
    st.lists(MOVED, max_size=3).map(tuple),
    st.lists(KEYS, max_size=2).map(tuple),
    st.lists(KEYS, max_size=2).map(tuple),
    COUNT,
)


def reports(cells: st.SearchStrategy[CellReport]) -> st.SearchStrategy[SuiteReport]:
    return st.builds(
        SuiteReport,
        LINES,
        st.lists(cells, max_size=3).map(tuple),
        LINES,
        st.integers(-5, 10**6),
        TEXT,
        st.booleans(),
        st.none() | COMPARISONS,
    )


def intact(report: SuiteReport) -> None:
    texts = {name: render(report, name) for name in REPORTERS}
    for name, text in texts.items():
        assert not [each for each in text if (each < " " and each != "\n") or "\x7f" <= each <= "\x9f"], name
        assert "\u202e" not in text, name
        assert not OBEYED.search(text) or name in ("github", "json", "markdown"), name  # not for a log
    fromstring(texts["junit"])  # noqa: S314
    json.loads(texts["json"])
    read_tap(report)
    assert "<script" not in texts["html"].lower()
    Page(texts["html"])
    assert all(COMMAND.fullmatch(line) for line in texts["github"].splitlines())
    assert not re.search(r"(?<!\\)<(?!/?(details|summary)>)", texts["markdown"])


@settings(max_examples=100, deadline=None)
@given(reports(CELLS))
def test_any_report_is_rendered_intact(report: SuiteReport) -> None:
    intact(report)


@settings(max_examples=100, deadline=None)
@given(TEXT)
def test_the_same_hostile_text_in_every_place_breaks_nothing(text: str) -> None:
    intact(hostile(text))


def test_the_worst_text_we_know_breaks_nothing() -> None:
    intact(hostile(HOSTILE * 20))


@settings(max_examples=200, deadline=None)
@given(reports(SHOWN_CELLS))
def test_what_is_written_is_read_back_and_written_the_same(report: SuiteReport) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.json"
        path.write_bytes(run_bytes(report))
        again = read_run(path)
    assert again == report
    assert run_bytes(again) == run_bytes(report)
    assert {name: render(again, name) for name in REPORTERS} == {
        name: render(report, name) for name in REPORTERS
    }


@settings(max_examples=100, deadline=None)
@given(reports(SHOWN_CELLS))
def test_the_order_of_names_in_a_cell_changes_nothing(report: SuiteReport) -> None:
    """Gates fill their mappings in any order, and a stored run has them sorted."""
    other = replace(report, cells=tuple(map(turned, report.cells)))
    assert run_bytes(other) == run_bytes(report)
    assert {name: render(other, name) for name in REPORTERS} == {
        name: render(report, name) for name in REPORTERS
    }


def turned(cell: CellReport) -> CellReport:
    """The same cell, with every mapping in reverse order."""
    verdicts = tuple(
        replace(
            gate,
            figures=backwards(gate.figures),
            missed=backwards(gate.missed),
            unexpected=backwards(gate.unexpected),
        )
        for gate in cell.verdicts
    )
    return replace(cell, verdicts=verdicts, tools=backwards(cell.tools), versions=backwards(cell.versions))


def backwards(names: Mapping[str, Value]) -> dict[str, Value]:
    return dict(reversed(list(names.items())))
