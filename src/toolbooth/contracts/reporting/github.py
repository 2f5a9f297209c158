"""A report → workflow commands that GitHub shows beside the lines of the lock or config."""

from collections.abc import Iterator
from itertools import groupby
from typing import Final

from toolbooth.contracts.reporting.entry import Entry, Place
from toolbooth.contracts.reporting.registry import reporter
from toolbooth.contracts.reporting.report import Report
from toolbooth.contracts.reporting.values import detail_lines
from toolbooth.safetext import for_build_log, workflow_command

_KINDS: Final = {"error": "error", "warning": "warning", "note": "notice"}
MOST_COMMANDS: Final = 100  # GitHub shows ten of a kind in a step; the rest is only in the log
MOST_LINES: Final = 20  # of one annotation
NAME: Final = 120
MESSAGE: Final = 400
VALUE: Final = 100


@reporter("github", "annotations of a GitHub workflow, at the lines of the lock")
def write(report: Report) -> str:
    """One command a line; foreign text is never at the start of one."""
    return "".join(f"{line}\n" for line in _lines(report))


def _lines(report: Report) -> Iterator[str]:
    for where, reason in report.troubles:
        yield workflow_command("error", _clean(reason), title=f"{_clean(where, NAME)} could not be used")
    # One for each tool and severity: there is room for ten.
    groups = [list(group) for _, group in groupby(report.placed, _group)]
    for group in groups[:MOST_COMMANDS]:
        yield _annotation(group)
    left = sum(map(len, groups[MOST_COMMANDS:]))
    if left:
        yield workflow_command("notice", f"… and {left:,} more: --format json has all", title=report.title)
    said = [report.sentence, *([report.hint] if report.hint and report.exit_code else [])]
    kind = "error" if report.exit_code else "notice"
    yield workflow_command(kind, " · ".join(map(_clean, said)), title=report.title)


def _group(placed: tuple[Entry, Place | None]) -> tuple[str, str]:
    return placed[0].word, placed[0].where


def _annotation(group: list[tuple[Entry, Place | None]]) -> str:
    entry, place = group[0]
    said = [line for each, _ in group for line in _said(each)]
    said = [
        *said[:MOST_LINES],
        *([f"… and {len(said) - MOST_LINES:,} more lines"] if len(said) > MOST_LINES else []),
    ]
    title = f"{entry.word}: {_clean(entry.where, NAME) or 'all servers'}"
    path = _clean(place.path, MESSAGE) if place else ""
    line = str(place.line or "") if place else ""
    return workflow_command(_KINDS[entry.weight], "\n".join(said), file=path, line=line, title=title)


def _said(entry: Entry) -> list[str]:
    return [f"{_clean(entry.message)} ({_clean(entry.rule, NAME)})", *detail_lines(entry, VALUE)]


def _clean(text: str, limit: int = MESSAGE) -> str:
    return for_build_log(text, limit)
