"""A report → Markdown for a comment on a pull request or a job summary."""

from collections.abc import Iterator, Sequence
from typing import Final

from toolbooth.contracts.reporting.entry import Entry
from toolbooth.contracts.reporting.registry import reporter
from toolbooth.contracts.reporting.report import Report, ServerTokens
from toolbooth.contracts.reporting.values import detail_lines
from toolbooth.safetext import for_markdown

_MARKS: Final = ("⚪", "🟢", "🟠", "🔴")  # by rank
ROOM: Final = 60_000  # characters: a comment holds 65,536
TABLE_ROOM: Final = 40_000  # of them; the rest is for what is folded
MOST_NOTED: Final = 20
NAME: Final = 120
MESSAGE: Final = 400


@reporter("markdown", "for a comment on a pull request, or $GITHUB_STEP_SUMMARY")
def write(report: Report) -> str:
    """The verdict, what could not be used, the table with the worst first, tokens; values are folded."""
    lines = [*_head(report), *_troubles(report), *_tokens(report.tokens), *_table(report.entries)]
    room = ROOM - sum(len(line) + 1 for line in lines)
    return "\n".join([*lines, *_folded(report, room), ""])


def _head(report: Report) -> Iterator[str]:
    yield f"### {'❌' if report.exit_code else '✅'} {_text(report.title)}: {_text(report.sentence)}"
    if report.hint and report.exit_code:
        yield from ("", _text(report.hint))


def _troubles(report: Report) -> Iterator[str]:
    for where, reason in report.troubles[:MOST_NOTED]:
        yield from ("", f"> ⚠️ **{_text(where, NAME)}** could not be used: {_text(reason)}")
    if len(report.troubles) > MOST_NOTED:
        yield from ("", f"> … and {len(report.troubles) - MOST_NOTED:,} more")


def _tokens(moved: Sequence[ServerTokens]) -> Iterator[str]:
    before, after = sum(each.before for each in moved), sum(each.after for each in moved)
    if before == after:
        return
    yield from ("", f"Definitions: {_moved(before, after)}")
    if len(moved) > 1:
        others = [each for each in moved if each.before != each.after][:MOST_NOTED]
        yield from (
            "",
            *(f"- {_text(each.server, NAME)}: {_moved(each.before, each.after)}" for each in others),
        )


def _moved(before: int, after: int) -> str:
    percent = f", {(after / before - 1) * 100:+.1f}%" if before else ""
    return f"{before:,} → {after:,} tokens ({after - before:+,}{percent})"


def _table(entries: Sequence[Entry]) -> Iterator[str]:
    if not entries:
        return
    weighed = any(entry.tokens for entry in entries)
    yield from ("", "| | where | what | rule |" + (" saves |" if weighed else ""))
    yield "|---|---|---|---|" + ("--:|" if weighed else "")
    yield from _within([_row(entry, weighed) for entry in entries], TABLE_ROOM)


def _row(entry: Entry, weighed: bool) -> str:
    cells = [f"{_MARKS[entry.rank]} {entry.word}", _text(entry.where, NAME) or "all servers"]
    cells += [_text(entry.message), _text(entry.rule, NAME)]
    cells += [f"{entry.tokens:,}" if entry.tokens else ""] if weighed else []
    return f"| {' | '.join(cells)} |"


def _folded(report: Report, room: int) -> Iterator[str]:
    lines = list(_details(report))
    if lines:
        yield from ("", "<details><summary>details</summary>", "", *_within(lines, room), "", "</details>")


def _within(lines: Sequence[str], room: int) -> Iterator[str]:
    """As many whole lines as there is room for, and how many more there are."""
    for index, line in enumerate(lines):
        room -= len(line) + 1
        if room < 0:
            yield from ("", f"… and {len(lines) - index:,} more: --format json has all")
            return
        yield line


def _details(report: Report) -> Iterator[str]:
    for entry in report.entries:
        for line in detail_lines(entry, tokens=False):
            yield f"- **{_text(entry.where, NAME) or 'all servers'}** {_text(line, 2 * len(line))}"
    yield from (f"- {_text(note)}" for note in report.notes[:MOST_NOTED])


def _text(text: str, limit: int = MESSAGE) -> str:
    return for_markdown(text, limit).replace(
        "$", r"\$"
    )  # GitHub sets what stands between two of them as math
