"""A report → JSON: everything, lossless, in ASCII."""

import json
from collections.abc import Mapping
from typing import Any

from toolbooth import __version__
from toolbooth.contracts.change import Change
from toolbooth.contracts.finding import Finding
from toolbooth.contracts.reporting.report import ContractReport, level_counts, reporter, severity_counts


@reporter("json", "everything, for programs")
def write(report: ContractReport) -> str:
    """No foreign character acts on a terminal, and none is lost."""
    document = report.custom_json() if report.custom_json else _document(report)
    return json.dumps(document, indent=2, ensure_ascii=True, default=str) + "\n"


def _document(report: ContractReport) -> dict[str, Any]:
    worst = report.diff.worst
    return {
        "toolbooth": __version__,
        **report.more,
        "verdict": report.verdict,
        "exit_code": report.exit_code,
        "worst": None if worst is None else worst.name.lower(),
        "counts": severity_counts(report.diff),
        "levels": level_counts(report.findings),
        "tokens": _tokens(report),
        "changes": [_change(change) for change in report.diff.changes],
        "findings": [_finding(finding) for finding in report.findings],
        "troubles": [{"where": where, "reason": reason} for where, reason in report.source_errors],
        "notes": list(report.notes),
    }


def _tokens(report: ContractReport) -> Mapping[str, Any] | None:
    if not report.tokens:
        return None
    return {
        "before": sum(each.before for each in report.tokens),
        "after": sum(each.after for each in report.tokens),
        "servers": [each._asdict() for each in report.tokens],
    }


def _change(change: Change) -> dict[str, Any]:
    return {
        "rule": change.rule,
        "severity": change.severity.name.lower(),
        "server": change.server,
        "tool": change.tool,
        "path": change.path,
        "message": change.message,
        "before": change.before,
        "after": change.after,
    }


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "rule": finding.rule,
        "level": finding.level.name.lower(),
        "server": finding.server,
        "tool": finding.tool,
        "path": finding.path,
        "message": finding.message,
        "evidence": finding.evidence,
        "tokens": finding.tokens,
    }
