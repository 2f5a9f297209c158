"""Reports for programs: JSON, which is lossless, SARIF 2.1.0 for code scanning, and GitHub workflow commands."""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, groupby
from pathlib import PurePath
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from toolbooth import __version__, economics, limits, safetext
from toolbooth.contracts.change import Change
from toolbooth.contracts.finding import Finding
from toolbooth.contracts.reporting.details import detail_lines
from toolbooth.contracts.reporting.report import (
    LEVEL_WEIGHTS,
    SEVERITY_WEIGHTS,
    ContractReport,
    FileLocation,
    ReportEntry,
    Weight,
    level_counts,
    reporter,
    severity_counts,
)


@reporter("json", "everything, for programs")
def write_json(report: ContractReport) -> str:
    """Write JSON in ASCII, so that no foreign character can control a terminal and none is lost."""
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
        "source_errors": [{"where": where, "reason": reason} for where, reason in report.source_errors],
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


_BLANKS: Final = ("what", "keyword", "detail", "before", "after", "tool")


class RuleRow(NamedTuple):
    """`weight` is the highest that the rule reports, `kind` the kind of check it belongs to."""

    id: str
    weight: Weight
    sentence: str
    kind: str


def rules_of(entries: Iterable[ReportEntry]) -> list[RuleRow]:
    """Each rule that has an entry, once, sorted by id."""
    found: dict[str, RuleRow] = {}
    known: dict[bool, dict[str, RuleRow]] = {}
    for entry in entries:
        table = known.setdefault(entry.is_change, {})
        if not table:
            table.update((row.id, row) for row in (_of_diff() if entry.is_change else _of_findings()))
        unknown = RuleRow(entry.rule, entry.weight, entry.message, "other")
        found.setdefault(entry.rule, table.get(entry.rule, unknown))
    return [found[rule] for rule in sorted(found)]


def _of_diff() -> Iterator[RuleRow]:
    from toolbooth.contracts.diff.rules import RULES

    for rule in RULES.values():
        sentence = rule.sentence.format_map(dict.fromkeys(_BLANKS, "…"))
        yield RuleRow(rule.id, SEVERITY_WEIGHTS[rule.severity], sentence, "contract")


def _of_findings() -> Iterator[RuleRow]:
    from toolbooth.contracts.lint import lint_rules
    from toolbooth.contracts.scan import scan_rules

    for kind, rules in (("quality", lint_rules()), ("security", scan_rules())):
        for rule in rules:
            yield RuleRow(rule.id, LEVEL_WEIGHTS[rule.level], rule.sentence, kind)

    for each in economics.RULES:
        yield RuleRow(each.id, "warning", each.message.format(tool="…"), "cost")


SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
FINGERPRINT: Final = "toolbooth/v1"
# In a message, `[words](target)` is a link and `{0}` is a placeholder for an argument.
_ACTS: Final = re.compile(r"](?=\()|\{(?=\d+\})")
_SECURITY: Final[dict[Weight, str]] = {"error": "8.0", "warning": "5.0", "note": "2.0"}


@reporter("sarif", "SARIF 2.1.0, for code scanning")
def write_sarif(report: ContractReport) -> str:
    """Write one run. The same report always has the same fingerprints."""
    document = {"$schema": SCHEMA, "version": "2.1.0", "runs": [_run(report)]}
    return json.dumps(document, indent=2, ensure_ascii=True) + "\n"


def _run(report: ContractReport) -> dict[str, Any]:
    located = report.located[: limits.MAX_SARIF_RESULTS]
    rules = rules_of(entry for entry, _ in located)
    index = {rule.id: number for number, rule in enumerate(rules)}
    prints = _fingerprints([entry for entry, _ in located])
    return {
        "tool": {
            "driver": {"name": "Toolbooth", "semanticVersion": __version__, "rules": [*map(_rule, rules)]}
        },
        "automationDetails": {"id": f"{_slug(report.title)}/"},
        "invocations": [_invocation(report, len(report.entries) - len(located))],
        "results": [
            _result(entry, location, index[entry.rule], print_)
            for (entry, location), print_ in zip(located, prints, strict=True)
        ],
    }


def _rule(rule: RuleRow) -> dict[str, Any]:
    properties: dict[str, Any] = {"tags": [rule.kind]}
    if rule.kind == "security":
        properties["security-severity"] = _SECURITY[rule.weight]
    return {
        "id": _clean(rule.id) or "rule",
        "shortDescription": {"text": _clean(rule.sentence) or "a rule"},
        "defaultConfiguration": {"level": rule.weight},
        "properties": properties,
    }


def _result(entry: ReportEntry, location: FileLocation | None, rule: int, fingerprint: str) -> dict[str, Any]:
    text = f"{_clean(entry.where) or 'all servers'}: {_clean(entry.message)}"
    return {
        "ruleId": _clean(entry.rule) or "rule",
        "ruleIndex": rule,
        "level": entry.weight,
        "message": {"text": "\n".join([text, *map(_harmless, detail_lines(entry))])},
        "locations": [_location(entry, location)],
        "partialFingerprints": {FINGERPRINT: fingerprint, "primaryLocationLineHash": fingerprint},
        "properties": {
            "severity": entry.word,
            "server": _clean(entry.server),
            "tool": _clean(entry.tool),
            "path": _clean(entry.path),
        },
    }


def _location(entry: ReportEntry, location: FileLocation | None) -> dict[str, Any]:
    kind, name = ("function", entry.tool) if entry.tool else ("module", entry.server)
    logical = {"name": _clean(name) or "all servers", "kind": kind}
    if entry.tool:
        logical["fullyQualifiedName"] = _clean(entry.where)
    found: dict[str, Any] = {"logicalLocations": [logical]}
    if location is not None:
        found["physicalLocation"] = {"artifactLocation": {"uri": _uri(location.path)}}
        if location.line is not None:
            found["physicalLocation"]["region"] = {"startLine": location.line}
    return found


def _uri(path: str) -> str:
    """A relative reference, or a file URI where the path is absolute."""
    encoded = quote(path.encode("utf-8", "surrogateescape"), safe="/~")
    return f"file://{encoded}" if PurePath(path).is_absolute() else encoded


def _invocation(report: ContractReport, left: int) -> dict[str, Any]:
    messages: list[tuple[Weight, str]] = [
        ("error", f"{where} could not be used: {reason}") for where, reason in report.source_errors
    ]
    messages += [("note", note) for note in report.notes]
    if left > 0:
        messages.append(("warning", f"{left:,} more results are left out: --format json has all"))
    notifications = [{"level": level, "message": {"text": _clean(text)}} for level, text in messages]
    return {
        "executionSuccessful": not report.source_errors,
        "exitCode": report.exit_code,
        **({"toolExecutionNotifications": notifications} if notifications else {}),
    }


def _fingerprints(entries: Sequence[ReportEntry]) -> Iterator[str]:
    """Hash what an entry is about, not its line or words. Entries about the same thing are numbered."""
    seen: dict[tuple[str, ...], int] = {}
    for entry in entries:
        about = (entry.rule, entry.server, entry.tool, entry.path)
        seen[about] = number = seen.get(about, 0) + 1
        text = json.dumps([*about, number], ensure_ascii=True)
        yield hashlib.sha256(text.encode()).hexdigest()[:32]


def _slug(title: str) -> str:
    return "-".join(re.findall(r"[a-z]+", title.lower())) or "toolbooth"


def _clean(text: str) -> str:
    return _harmless(safetext.for_terminal(text))


def _harmless(line: str) -> str:
    return _ACTS.sub(r"\g<0> ", line)


_KINDS: Final = {"error": "error", "warning": "warning", "note": "notice"}
MOST_COMMANDS: Final = 100  # GitHub shows ten of each kind for a step; the rest is only in the log
MAX_ANNOTATION_CHARACTERS: Final = 60_000  # of one annotation: GitHub accepts messages of 64 KB
NAME: Final = 120
MESSAGE: Final = 400


@reporter("github", "annotations of a GitHub workflow, at the lines of the lock")
def write(report: ContractReport) -> str:
    """One command on each line. No line starts with foreign text."""
    return "".join(f"{line}\n" for line in _lines(report))


def _lines(report: ContractReport) -> Iterator[str]:
    for where, reason in report.source_errors:
        yield safetext.workflow_command(
            "error", _escaped(reason), title=f"{_escaped(where, NAME)} could not be used"
        )
    # One annotation for each tool and severity, because GitHub shows only ten.
    groups = [list(group) for _, group in groupby(report.located, _group)]
    for group in groups[:MOST_COMMANDS]:
        yield _annotation(group)
    left = sum(map(len, groups[MOST_COMMANDS:]))
    if left:
        yield safetext.workflow_command(
            "notice", f"… and {left:,} more: --format json has all", title=report.title
        )
    sentences = [report.sentence, *([report.hint] if report.hint and report.exit_code else [])]
    kind = "error" if report.exit_code else "notice"
    yield safetext.workflow_command(kind, " · ".join(map(_escaped, sentences)), title=report.title)


def _group(located: tuple[ReportEntry, FileLocation | None]) -> tuple[str, str]:
    return located[0].word, located[0].where


def _annotation(group: list[tuple[ReportEntry, FileLocation | None]]) -> str:
    entry, location = group[0]
    lines = [line for each, _ in group for line in _entry_lines(each)]
    shown = _within(lines, MAX_ANNOTATION_CHARACTERS)
    if len(shown) < len(lines):
        shown.append(f"… and {len(lines) - len(shown):,} more lines: --format json has all")
    title = f"{entry.word}: {_escaped(entry.where, NAME) or 'all servers'}"
    path = _escaped(location.path, MESSAGE) if location else ""
    line = str(location.line or "") if location else ""
    return safetext.workflow_command(
        _KINDS[entry.weight], "\n".join(shown), file=path, line=line, title=title
    )


def _within(lines: list[str], available: int) -> list[str]:
    ends = accumulate(len(line) + 1 for line in lines)
    return [line for line, end in zip(lines, ends, strict=True) if end <= available]


def _entry_lines(entry: ReportEntry) -> list[str]:
    return [f"{_escaped(entry.message)} ({_escaped(entry.rule, NAME)})", *detail_lines(entry)]


def _escaped(text: str, limit: int = MESSAGE) -> str:
    return safetext.for_build_log(text, limit)
