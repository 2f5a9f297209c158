"""Reports as Markdown, for a comment on a pull request or a job summary."""

from collections.abc import Iterator, Sequence
from typing import Final

from toolbooth import safetext
from toolbooth.contracts.reporting.details import detail_lines
from toolbooth.contracts.reporting.report import ContractReport, ReportEntry, ServerTokens, reporter

_MARKS: Final = ("⚪", "🟢", "🟠", "🔴")  # by rank
MAX_COMMENT_CHARACTERS: Final = 60_000  # GitHub allows 65,536 in a comment
MAX_TABLE_CHARACTERS: Final = 40_000  # the rest is for the folded details
MOST_NOTED: Final = 20
NAME: Final = 120
MESSAGE: Final = 400


@reporter("markdown", "for a comment on a pull request, or $GITHUB_STEP_SUMMARY")
def write(report: ContractReport) -> str:
    """The verdict, failed sources, changes in tokens, and a table with the worst first. Values are folded away."""
    lines = [*_head(report), *_source_errors(report), *_tokens(report.tokens), *_table(report.entries)]
    available = MAX_COMMENT_CHARACTERS - sum(len(line) + 1 for line in lines)
    return "\n".join([*lines, *_folded(report, available), ""])


def _head(report: ContractReport) -> Iterator[str]:
    yield f"### {'❌' if report.exit_code else '✅'} {_text(report.title)}: {_text(report.sentence)}"
    if report.hint and report.exit_code:
        yield from ("", _text(report.hint))


def _source_errors(report: ContractReport) -> Iterator[str]:
    for where, reason in report.source_errors[:MOST_NOTED]:
        yield from ("", f"> ⚠️ **{_text(where, NAME)}** could not be used: {_text(reason)}")
    if len(report.source_errors) > MOST_NOTED:
        yield from ("", f"> … and {len(report.source_errors) - MOST_NOTED:,} more")


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


def _table(entries: Sequence[ReportEntry]) -> Iterator[str]:
    if not entries:
        return
    weighed = any(entry.tokens for entry in entries)
    yield from ("", "| | where | what | rule |" + (" saves |" if weighed else ""))
    yield "|---|---|---|---|" + ("--:|" if weighed else "")
    yield from _within([_row(entry, weighed) for entry in entries], MAX_TABLE_CHARACTERS)


def _row(entry: ReportEntry, weighed: bool) -> str:
    cells = [f"{_MARKS[entry.rank]} {entry.word}", _text(entry.where, NAME) or "all servers"]
    cells += [_text(entry.message), _text(entry.rule, NAME)]
    cells += [f"{entry.tokens:,}" if entry.tokens else ""] if weighed else []
    return f"| {' | '.join(cells)} |"


def _folded(report: ContractReport, available: int) -> Iterator[str]:
    lines = list(_details(report))
    if lines:
        yield from (
            "",
            "<details><summary>details</summary>",
            "",
            *_within(lines, available),
            "",
            "</details>",
        )


def _within(lines: Sequence[str], available: int) -> Iterator[str]:
    """As many whole lines as fit, and how many are left out."""
    for index, line in enumerate(lines):
        available -= len(line) + 1
        if available < 0:
            yield from ("", f"… and {len(lines) - index:,} more: --format json has all")
            return
        yield line


def _details(report: ContractReport) -> Iterator[str]:
    for entry in report.entries:
        for line in detail_lines(entry, tokens=False):
            yield f"- **{_text(entry.where, NAME) or 'all servers'}** {_text(line, 2 * len(line))}"
    yield from (f"- {_text(note)}" for note in report.notes[:MOST_NOTED])


def _text(text: str, limit: int = MESSAGE) -> str:
    # GitHub renders text between two of them as math
    return safetext.for_markdown(text, limit).replace("$", r"\$")
