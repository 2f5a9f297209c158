"""Markdown reports, as a reviewer reads them in a pull request."""

import re

from tests.unit.contracts.reporting.reports import CHANGES, FINDINGS, hostile, sample

from toolbooth.contracts import Diff
from toolbooth.contracts.reporting import ContractReport, render
from toolbooth.contracts.reporting.markdown import MAX_COMMENT_CHARACTERS

BARE = re.compile(r"(?<!\\)[|`<>@\[\]]")


def text(report: ContractReport) -> str:
    return render(report, "markdown")


def test_the_verdict_comes_first_and_the_worst_change_next() -> None:
    lines = text(sample()).splitlines()
    assert lines[0] == r"### ❌ toolbooth lock \-\-check: toolbooth.lock does not fit: 1 breaking"
    rows = [line for line in lines if line.startswith("| 🔴")]
    assert rows[0].startswith("| 🔴 high | mail.send |")
    assert rows[1].startswith("| 🔴 breaking | mail.drop | the tool is gone: calls of it fail |")
    assert "> ⚠️ **files** could not be used: the process ended" in lines


def test_tokens_are_shown_as_a_difference() -> None:
    lines = text(sample()).splitlines()
    assert "Definitions: 120 → 170 tokens (+50, +41.7%)" in lines
    assert "- mail: 100 → 150 tokens (+50, +50.0%)" in lines
    assert not any(line.startswith("- files") for line in lines)


def test_values_are_folded() -> None:
    head, _, folded = text(sample()).partition("<details>")
    assert "Sends, and tells nobody." not in head
    assert r"- **mail.send** /description: \[\-Sends.\-\] \{\+Sends, and tells nobody.\+\}" in folded
    assert folded.rstrip().endswith("</details>")


def test_a_report_without_changes_is_one_line() -> None:
    assert text(ContractReport("toolbooth lock", verdict="it fits")) == "### ✅ toolbooth lock: it fits\n"


def test_findings_say_what_they_save() -> None:
    lines = text(ContractReport("toolbooth scan", findings=FINDINGS)).splitlines()
    assert "| | where | what | rule | saves |" in lines
    assert any(line.endswith("| long\\-description | 40 |") for line in lines)


def test_no_foreign_text_is_markup() -> None:
    for line in text(hostile()).replace("| | where | what | rule |\n|---|---|---|---|\n", "").splitlines():
        own = line.removeprefix("> ⚠️ ").replace("<details><summary>details</summary>", "")
        own = own.replace("</details>", "").removeprefix("| ").removesuffix(" |").replace(" | ", "")
        assert not BARE.search(own), line
        assert not re.search(r"(?<!\\)://", line)
        assert not re.search(r"(?<!\\)\$", line)


def test_too_many_entries_for_a_comment_are_counted() -> None:
    made = text(ContractReport("x", Diff(CHANGES * 2000)))
    assert len(made) < MAX_COMMENT_CHARACTERS + 500
    shown = made.count("| 🔴") + made.count("| 🟠") + made.count("| 🟢")
    assert f"… and {len(CHANGES) * 2000 - shown:,} more: --format json has all" in made
