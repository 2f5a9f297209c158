"""The report as Markdown, for a comment on a pull request or a workflow summary."""

from collections.abc import Iterator, Sequence

from toolbooth import safetext
from toolbooth.suite.report import CellReport, RunComparison, SuiteReport
from toolbooth.suite.reporters import figures, registry, sentences

_MARKS = {"passed": "✅", "failed": "❌", "error": "💥", "refused": "⛔", "not run": "➖"}
_COLUMNS = (
    "",
    "test",
    "model",
    "surface",
    "F1",
    "tokens / correct",
    "paid / correct",
    "dollars",
    "runs right",
)
MOST_ROWS = 200  # a comment holds 65,536 characters
MOST_FAILURES = 50


@registry.reporter("markdown", "for a comment on a pull request, or $GITHUB_STEP_SUMMARY")
def write(report: SuiteReport) -> str:
    """Failures are open; a long table of all cells is folded."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: SuiteReport) -> Iterator[str]:
    yield f"### {'❌' if report.exit_code else '✅'} toolbooth test: {_text(', '.join(sentences.totals(report)))}"
    yield ""
    yield _text(sentences.heading(report)) + (
        f" · {_text(', '.join(report.suites))}" if report.suites else ""
    )
    for remark in sentences.remarks(report):
        yield from ("", f"> ⚠️ {_text(remark)}")
    yield from _failures([cell for cell in report.cells if cell.status in sentences.BAD])
    if report.comparison is not None:
        yield from _comparison(report.comparison)
    yield from _cells(report.cells)
    noted = sentences.notes(report)
    yield from ("", "**Notes**", "") if noted else ()
    yield from (f"- {_text(sentences.about(note))}: {_text(note.words)}" for note in noted)


def _failures(cells: Sequence[CellReport]) -> Iterator[str]:
    for cell in cells[:MOST_FAILURES]:
        at = f" ({_text(sentences.place(cell))})" if sentences.place(cell) else ""
        yield from (
            "",
            f"{_MARKS[cell.status]} **{_text(sentences.cell_name(cell.key))}** {cell.status}{at}",
            "",
        )
        yield from (f"- {_text(reason)}" for reason in sentences.reasons(cell))
    if len(cells) > MOST_FAILURES:
        yield from ("", f"… and {len(cells) - MOST_FAILURES} more")


def _comparison(comparison: RunComparison) -> Iterator[str]:
    yield from (
        "",
        f"**Compared with {_text(comparison.baseline)}**: {_text(sentences.comparison_totals(comparison))}",
    )
    if comparison.moved:
        yield from ("", "| | cell | change |", "|---|---|---|")
    for moved in comparison.moved[:MOST_ROWS]:
        mark = "❌" if moved.worse else ""
        yield f"| {mark} | {_text(sentences.cell_name(moved.key))} | {_text(sentences.moved_words(moved))} |"


def _cells(cells: Sequence[CellReport]) -> Iterator[str]:
    if not cells:
        return
    folded = len(cells) > 12
    yield from ("", f"<details><summary>all {len(cells)} cells</summary>") if folded else ()
    yield from ("", f"| {' | '.join(_COLUMNS)} |", "|---|---|---|---|--:|--:|--:|--:|--:|")
    yield from (f"| {' | '.join(_row(cell))} |" for cell in cells[:MOST_ROWS])
    if len(cells) > MOST_ROWS:
        yield from ("", f"… and {len(cells) - MOST_ROWS} more")
    yield from ("", "</details>") if folded else ()


def _row(cell: CellReport) -> list[str]:
    passes = (
        f"{figures.share(cell.passes)} ({figures.interval(cell.passes)})" if cell.passes is not None else ""
    )
    return [
        _MARKS[cell.status],
        *(_text(part) for part in cell.key),
        *(_text(part) for part in (figures.f1_and_grade(cell), figures.figure(cell, "tokens_per_correct"))),
        figures.figure(cell, "paid_tokens_per_correct"),
        _text(figures.cost(cell.cost)),
        _text(passes),
    ]


def _text(text: str) -> str:
    # GitHub renders text between two dollar signs as math
    return safetext.for_markdown(text, 600).replace("$", r"\$")
