"""The report as workflow commands, which GitHub shows at the lines of the suite file."""

from collections.abc import Iterator

from toolbooth.safetext import workflow_command
from toolbooth.suite.report import CellReport, SuiteReport
from toolbooth.suite.reporters.figures import clean
from toolbooth.suite.reporters.registry import reporter
from toolbooth.suite.reporters.sentences import (
    BAD,
    MESSAGE,
    about,
    cell_name,
    comparison_totals,
    notes,
    reasons,
    remarks,
    totals,
    worse,
)


@reporter("github", "annotations of a GitHub workflow, at the lines of the suite file")
def write(report: SuiteReport) -> str:
    """One command per line; no line begins with foreign text."""
    return "".join(f"{line}\n" for line in _lines(report))


def _lines(report: SuiteReport) -> Iterator[str]:
    moved = worse(report)
    for cell in report.cells:
        if cell.status in BAD or cell.key in moved:  # one per cell: GitHub shows ten per step
            ended = _ENDED.get(cell.status, "got worse")
            lines = [*reasons(cell), *moved.get(cell.key, ())] if cell.status in BAD else moved[cell.key]
            yield _command("error", f"{cell_name(cell.key)} {ended}", "\n".join(lines) or ended, cell)
    for note in notes(report):
        yield _command("warning", about(note) or "toolbooth test", note.words, note.cells[0])
    for remark in remarks(report):
        yield _command("warning", "toolbooth test", remark)
    summary = totals(report) + ([comparison_totals(report.comparison)] if report.comparison else [])
    yield _command("notice", "toolbooth test", " · ".join(summary))


_ENDED = {"failed": "failed", "error": "ended in an error", "refused": "was refused"}


def _command(kind: str, title: str, message: str, cell: CellReport | None = None) -> str:
    path = clean(cell.path, MESSAGE) if cell else ""
    line = str(cell.line or "") if cell and path else ""
    return workflow_command(kind, message, file=path, line=line, title=title)
