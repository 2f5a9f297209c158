"""Any foreign text in any place of a report: it ends no workflow command, no table cell and no JSON."""

import json
import re

import pytest
from hypothesis import given, strategies as st
from tests.property.test_reporters import NASTY, OBEYED, TEXT
from tests.unit.contracts.reporting.test_sarif import sarif_validator
from tests.unit.suite.reporters.test_github import COMMAND

from toolbooth.contracts import Change, Diff, Finding, Level, Severity
from toolbooth.contracts.reporting import FORMATS, ContractReport, FileLocation, ServerTokens, render

VALUE = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=2),
    max_leaves=4,
)
LINKS = st.sampled_from(["[a](b)", "{0}", "www.evil.example", "https://evil.example", "$a$", "</details>"])
ANY = TEXT | st.lists(NASTY | LINKS, max_size=4).map("".join)
CHANGES = st.builds(Change, ANY, st.sampled_from(Severity), ANY, ANY, ANY, ANY, VALUE, VALUE)
FINDINGS = st.builds(
    Finding, ANY, st.sampled_from(Level), ANY, ANY, ANY, ANY, ANY, st.integers(-(10**6), 10**6)
)
PLACE = st.none() | st.builds(FileLocation, ANY, st.none() | st.integers(1, 10**6))


@st.composite
def reports(draw: st.DrawFn) -> ContractReport:
    location = draw(PLACE)
    return ContractReport(
        "toolbooth lock --check",
        Diff(tuple(draw(st.lists(CHANGES, max_size=3)))),
        tuple(draw(st.lists(FINDINGS, max_size=3))),
        verdict=draw(ANY),
        exit_code=draw(st.integers(0, 3)),
        hint=draw(ANY),
        source_errors=tuple(draw(st.lists(st.tuples(ANY, ANY), max_size=2))),
        notes=tuple(draw(st.lists(ANY, max_size=2))),
        tokens=tuple(
            draw(st.lists(st.builds(ServerTokens, ANY, st.integers(0, 9), st.integers(0, 9)), max_size=2))
        ),
        locations=lambda entries: [location] * len(entries),
    )


@pytest.mark.promise("contracts:formats")
@given(reports())
def test_every_line_for_github_is_one_command(report: ContractReport) -> None:
    for line in render(report, "github").split("\n")[:-1]:
        assert COMMAND.fullmatch(line) or re.fullmatch(r"::\w+ title=[^:,\r\n]+::", line)
        assert not OBEYED.search(line.removeprefix("::").partition("::")[2])


@given(reports())
def test_every_row_for_a_pull_request_has_its_cells_and_nothing_more(report: ContractReport) -> None:
    text = render(report, "markdown")
    rows = [line for line in text.split("\n") if line.startswith("| ")]
    bars = {len(re.findall(r"(?<!\\)(?:\\\\)*\|", row)) for row in rows}
    assert len(bars) <= 1
    assert len(rows) in (0, len(report.entries) + 1)
    assert text.count("<details>") == len(re.findall(r"(?<!\\)</details>", text)) <= 1
    assert not re.search(r"(?<!\\)(?:\\\\)*(?:[<\[@]|://)", re.sub(r"</?(?:details|summary)>", "", text))


@given(reports())
def test_json_and_sarif_are_json_in_ascii_and_sarif_validates(report: ContractReport) -> None:
    document = json.loads(render(report, "json"))
    assert [change["message"] for change in document["changes"]] == [
        change.message for change in report.diff.changes
    ]
    assert render(report, "json").isascii()
    assert render(report, "sarif").isascii()
    sarif_validator().validate(json.loads(render(report, "sarif")))


@given(reports())
def test_nothing_hidden_reaches_people(report: ContractReport) -> None:
    for form in FORMATS:
        text = render(report, form)
        assert not {"\x1b", "\u202e", "\x00", "\x85", "\u2028", "\r"} & set(text)
        assert text.endswith("\n")
