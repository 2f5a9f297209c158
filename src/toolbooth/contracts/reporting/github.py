"""Reports as GitHub workflow commands, which appear beside the lines of the lock or config."""

from collections.abc import Iterator
from itertools import accumulate, groupby
from typing import Final

from toolbooth import safetext
from toolbooth.contracts.reporting.details import detail_lines
from toolbooth.contracts.reporting.report import ContractReport, FileLocation, ReportEntry, reporter

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
            "error", _clean(reason), title=f"{_clean(where, NAME)} could not be used"
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
    yield safetext.workflow_command(kind, " · ".join(map(_clean, sentences)), title=report.title)


def _group(located: tuple[ReportEntry, FileLocation | None]) -> tuple[str, str]:
    return located[0].word, located[0].where


def _annotation(group: list[tuple[ReportEntry, FileLocation | None]]) -> str:
    entry, location = group[0]
    lines = [line for each, _ in group for line in _entry_lines(each)]
    shown = _within(lines, MAX_ANNOTATION_CHARACTERS)
    if len(shown) < len(lines):
        shown.append(f"… and {len(lines) - len(shown):,} more lines: --format json has all")
    title = f"{entry.word}: {_clean(entry.where, NAME) or 'all servers'}"
    path = _clean(location.path, MESSAGE) if location else ""
    line = str(location.line or "") if location else ""
    return safetext.workflow_command(
        _KINDS[entry.weight], "\n".join(shown), file=path, line=line, title=title
    )


def _within(lines: list[str], available: int) -> list[str]:
    ends = accumulate(len(line) + 1 for line in lines)
    return [line for line, end in zip(lines, ends, strict=True) if end <= available]


def _entry_lines(entry: ReportEntry) -> list[str]:
    return [f"{_clean(entry.message)} ({_clean(entry.rule, NAME)})", *detail_lines(entry)]


def _clean(text: str, limit: int = MESSAGE) -> str:
    return safetext.for_build_log(text, limit)
