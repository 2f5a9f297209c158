"""A profile as JSON, and as findings with a verdict for the other formats.

Every number in the JSON says whether it is estimated or measured.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any, Final

from toolbooth import __version__, contracts, economics, figures
from toolbooth.cli.contract_output import named_files, repository
from toolbooth.cli.profile import tables
from toolbooth.cli.profile.report import ProfileReport, before_words, gate_words, risk_words
from toolbooth.contracts.reporting import ContractReport, file_locations


def as_json(report: ProfileReport) -> dict[str, Any]:
    """Everything that the tables show, and all the tools, the riskiest first."""
    profile, errors = report.profile, report.profile.estimate_errors
    lines = (
        ["tools:", *(f"  {line}" for line in tables.yaml_lines(report.remedies))] if report.remedies else []
    )
    return {
        "toolbooth": __version__,
        "encoding": profile.encoding,
        "thresholds": asdict(profile.thresholds),
        "fingerprint": profile.fingerprint,
        "complete": not report.incomplete,
        "total_tokens": profile.tokens,
        "risk": economics.worst_risk(profile.tools),
        "summary": _summary(profile.summary),
        "estimate_errors": None
        if errors is None
        else {**errors._asdict(), "of": "estimated ÷ measured worst"},
        "gate": _gate(report) if report.gate.is_set else None,
        "servers": [_server(each) for each in profile.servers],
        "tools": [_tool(each, profile.thresholds) for each in profile.ranked],
        "remedies": [_remedy(each) for each in report.remedies],
        "toolbooth_yaml": "".join(f"{line}\n" for line in lines),
        "set_aside": [asdict(entry) for each in profile.servers for entry in each.server.set_aside],
        "source_errors": [each._asdict() for each in report.sources.source_errors],
        "notes": [*report.sources.notes, *report.notes],
        "sources": list(report.sources.read),
    }


def _summary(summary: economics.ServerSummary) -> dict[str, Any]:
    return {
        "label": "estimated",
        "estimated_tools": summary.tool_count,
        "total_min_tokens": summary.total_min_tokens,
        "total_max_tokens": summary.total_max_tokens,
        "overall_risk": summary.overall_risk,
        "unbounded": list(summary.unbounded_tool_names),
        "critical": list(summary.critical_tool_names),
        "recommendations": [each.message for each in summary.recommendations],
    }


def _gate(report: ProfileReport) -> dict[str, Any]:
    return {
        "fail_on": report.gate.fail_on,
        "fail_on_unbounded": report.gate.unbounded,
        "passed": report.exit_code == 0,
        "offenders": [
            {
                "tool": tool.id,
                "risk": tool.risk,
                "label": _label(tool),
                "tokens": tool.most_tokens,
                "bounded": tool.answers.bounded,
            }
            for tool in report.offenders
        ],
        "unknown": [tool.id for tool in report.profile.tools if tool.risk is None],
    }


def _label(tool: economics.ToolProfile) -> str | None:
    return None if tool.risk is None else "measured" if tool.is_risk_measured else "estimated"


def _server(each: economics.ServerProfile) -> dict[str, Any]:
    return {
        "server": each.server.server,
        "title": each.server.title,
        "version": each.server.version,
        "tools": len(each.tools),
        "tokens": each.tokens,
        "share": round(each.share, 6),
        "risk": economics.worst_risk(each.tools),
        "unbounded": sum(not tool.answers.bounded for tool in each.tools),
        "size_unknown": sum(tool.risk is None for tool in each.tools),
        "summary": _summary(each.summary),
    }


def _tool(each: economics.ToolProfile, thresholds: economics.Thresholds) -> dict[str, Any]:
    error = each.estimate_error
    return {
        "id": each.id,
        "server": each.tool.server,
        "definition": {
            "label": "exact",
            "tokens": each.weight.tokens,
            "name": each.weight.name,
            "description": each.weight.description,
            "schema": each.weight.schema,
            "share": round(each.share, 6),
        },
        "risk": each.risk,
        "risk_label": _label(each),
        "bounded": each.answers.bounded,
        "bounded_by": each.answers.bounded_by,
        "reason": each.answers.reason,
        "estimated": _estimated(each.answers),
        "measured": _measured(each.measured) if each.measured else None,
        "estimate_over_measured": None if error is None else round(error, 4),
        "recommendations": _recommendations(each, each.answers.profile, thresholds),
    }


def _estimated(answers: economics.AnswerRisk) -> dict[str, Any] | None:
    profile = answers.profile
    if profile is None:
        return None
    return {
        "label": "estimated",
        "risk": profile.risk,
        "min_tokens": profile.min_tokens,
        "max_tokens": profile.max_tokens,
        "fields_from": answers.fields_from,
        "fields": [asdict(field) for field in profile.fields],
        "agent_limit": profile.agent_limit,
        "egress_max_bytes": profile.egress_max_bytes,
    }


def _measured(found: economics.Measured) -> dict[str, Any]:
    return {
        "label": "measured",
        "origin": found.origin,
        "exact": found.exact,
        "answers": found.answers,
        "median_tokens": found.median,
        "p95_tokens": found.p95,
        "worst_tokens": found.worst,
        "worst_tokens_after": found.worst_after,
        "risk": found.risk,
        "overhead": None if found.overhead is None else asdict(found.overhead),
        "advisory": found.advisory,
    }


def _recommendations(
    tool: economics.ToolProfile, profile: economics.StaticProfile | None, thresholds: economics.Thresholds
) -> list[dict[str, Any]]:
    found = []
    for each in profile.recommendations if profile else ():
        tried = economics.after_recommendation(tool, each, thresholds)
        line = economics.cap_line(economics.tool_pattern(tool.id), *tried[0]) if tried else None
        after = _after(tried[1]) if tried else None
        found.append({"rule": each.rule, "message": each.message, "line": line, "after": after})
    return found


def _remedy(each: economics.Remedy) -> dict[str, Any]:
    change = each.schema
    return {
        "line": each.line,
        "tools": [tool.id for tool in each.tools],
        "before": {"risk": each.first.risk, "label": _label(each.first), "tokens": each.first.most_tokens},
        "after": _after(each.after),
        "schema": None
        if change is None
        else {
            "input": change.input,
            "is_new": change.is_new,
            "maximum": change.maximum,
            "message": change.message,
            "after": _after(change.after) if change.after else None,
        },
    }


def _after(answers: economics.AnswerRisk) -> dict[str, Any]:
    return {
        "label": "estimated",
        "risk": answers.risk,
        "max_tokens": answers.profile.max_tokens if answers.profile else None,
        "bounded_by": answers.bounded_by,
    }


UNBOUNDED: Final = "answer-unbounded"
_LEVELS: Final = {
    economics.Risk.CRITICAL: contracts.Level.HIGH,
    economics.Risk.HIGH: contracts.Level.MEDIUM,
    economics.Risk.MEDIUM: contracts.Level.LOW,
    economics.Risk.LOW: contracts.Level.NOTE,
}


def contract_report(report: ProfileReport, source: Sequence[str]) -> ContractReport:
    """`source` is what the user named; tools that fail the gate get the highest level."""
    offenders = {tool.id for tool in report.offenders}
    found = [each for tool in report.profile.ranked for each in _findings(tool, tool.id in offenders)]
    return ContractReport(
        "toolbooth profile",
        findings=tuple(sorted(found, key=lambda finding: -finding.level)),
        verdict=gate_words(report) or _risk_summary(report),
        exit_code=report.exit_code,
        source_errors=tuple(
            (source_error.where, source_error.reason) for source_error in report.sources.source_errors
        ),
        notes=(*report.sources.notes, *report.notes),
        locations=file_locations(named_files(source), repository()),
        custom_json=lambda: as_json(report),
    )


def _findings(tool: economics.ToolProfile, is_offender: bool) -> Iterator[contracts.Finding]:
    level = contracts.Level.HIGH if is_offender else _LEVELS[tool.risk] if tool.risk else contracts.Level.NOTE
    evidence = f"answers: {before_words(tool)}{'' if tool.answers.bounded else ', unbounded'}"
    advice = tool.answers.profile.recommendations if tool.answers.profile else ()
    for number, each in enumerate(advice):
        shown = "" if number else evidence
        yield contracts.Finding(each.rule, level, tool.tool.server, tool.tool.name, "", each.message, shown)
    if is_offender and not advice:
        message = "Nothing limits its answers, and their length is unknown."
        yield contracts.Finding(UNBOUNDED, level, tool.tool.server, tool.tool.name, "", message, evidence)


def _risk_summary(report: ProfileReport) -> str:
    tools = report.profile.tools
    return f"{figures.counted(len(tools), 'tool')}, highest risk of answers: {risk_words(tools)}"
