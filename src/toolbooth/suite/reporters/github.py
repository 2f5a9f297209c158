"""The report as workflow commands, which GitHub shows at the lines of the suite file."""

from collections.abc import Iterator

from toolbooth import safetext
from toolbooth.suite.report import CellReport, SuiteReport
from toolbooth.suite.reporters import figures, registry, sentences


@registry.reporter("github", "annotations of a GitHub workflow, at the lines of the suite file")
def write(report: SuiteReport) -> str:
    """One command per line; no line begins with foreign text."""
    return "".join(f"{line}\n" for line in _lines(report))


def _lines(report: SuiteReport) -> Iterator[str]:
    moved = sentences.worse(report)
    for cell in report.cells:
        if cell.status in sentences.BAD or cell.key in moved:  # one per cell: GitHub shows ten per step
            ended = _ENDED.get(cell.status, "got worse")
            lines = (
                [*sentences.reasons(cell), *moved.get(cell.key, ())]
                if cell.status in sentences.BAD
                else moved[cell.key]
            )
            yield _command(
                "error", f"{sentences.cell_name(cell.key)} {ended}", "\n".join(lines) or ended, cell
            )
    for note in sentences.notes(report):
        yield _command("warning", sentences.about(note) or "toolbooth test", note.words, note.cells[0])
    for remark in sentences.remarks(report):
        yield _command("warning", "toolbooth test", remark)
    summary = sentences.totals(report) + (
        [sentences.comparison_totals(report.comparison)] if report.comparison else []
    )
    yield _command("notice", "toolbooth test", " · ".join(summary))


_ENDED = {"failed": "failed", "error": "ended in an error", "refused": "was refused"}


def _command(kind: str, title: str, message: str, cell: CellReport | None = None) -> str:
    path = figures.clean(cell.path, sentences.MESSAGE) if cell else ""
    line = str(cell.line or "") if cell and path else ""
    return safetext.workflow_command(kind, message, file=path, line=line, title=title)
