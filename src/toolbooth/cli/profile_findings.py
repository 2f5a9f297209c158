"""A profile → its recommendations as findings, with a verdict: what formats other than its own table and JSON tell."""

from collections.abc import Iterator, Sequence
from typing import Final

from toolbooth.cli.contracts_words import named_files, repository
from toolbooth.cli.doctor_words import counted
from toolbooth.cli.profile_json import as_json
from toolbooth.cli.profile_report import Report
from toolbooth.cli.profile_words import before_words, gate_words, risk_words
from toolbooth.contracts import Finding, Level
from toolbooth.contracts.reporting import Report as Told
from toolbooth.contracts.reporting import file_places
from toolbooth.economics import Risk, ToolProfile

UNBOUNDED: Final = "answer-unbounded"
_LEVELS: Final = {
    Risk.CRITICAL: Level.HIGH,
    Risk.HIGH: Level.MEDIUM,
    Risk.MEDIUM: Level.LOW,
    Risk.LOW: Level.NOTE,
}


def told(report: Report, source: Sequence[str]) -> Told:
    """`source` is what the user named; an offender of the gate is as bad as can be."""
    offenders = {tool.id for tool in report.offenders}
    found = [each for tool in report.profile.ranked for each in _findings(tool, tool.id in offenders)]
    return Told(
        "toolbooth profile",
        findings=tuple(sorted(found, key=lambda finding: -finding.level)),
        verdict=gate_words(report) or _summary(report),
        exit_code=report.exit_code,
        troubles=tuple((trouble.where, trouble.reason) for trouble in report.sources.troubles),
        notes=(*report.sources.notes, *report.notes),
        places=file_places(named_files(source), repository()),
        own_json=lambda: as_json(report),
    )


def _findings(tool: ToolProfile, is_offender: bool) -> Iterator[Finding]:
    level = Level.HIGH if is_offender else _LEVELS[tool.risk] if tool.risk else Level.NOTE
    evidence = f"answers: {before_words(tool)}{'' if tool.answers.bounded else ', unbounded'}"
    advice = tool.answers.profile.recommendations if tool.answers.profile else ()
    for number, each in enumerate(advice):
        shown = "" if number else evidence
        yield Finding(each.rule, level, tool.tool.server, tool.tool.name, "", each.message, shown)
    if is_offender and not advice:
        message = "Nothing bounds its answers, and nothing tells how long they are."
        yield Finding(UNBOUNDED, level, tool.tool.server, tool.tool.name, "", message, evidence)


def _summary(report: Report) -> str:
    tools = report.profile.tools
    return f"{counted(len(tools), 'tool')}, answers of {risk_words(tools)} risk at worst"
