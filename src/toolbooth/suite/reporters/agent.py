"""The report for a coding agent: only what failed and what to do, in as few tokens as possible."""

import shlex
from collections.abc import Iterator, Sequence

from toolbooth.suite.report import CellReport, SuiteReport
from toolbooth.suite.reporters import figures, registry, sentences

MOST_COLUMNS = 6
MOST_FILTERS = 3


@registry.reporter(
    "agent", "only what failed and what to do, in as few tokens as possible, for a coding agent"
)
def write(report: SuiteReport) -> str:
    """A single line if everything passed."""
    return "".join(f"{line}\n" for line in _lines(report))


def _lines(report: SuiteReport) -> Iterator[str]:
    ended = ", ended early" if report.partial else ""
    yield ", ".join(sentences.totals(report)) + ended
    bad = [cell for cell in report.cells if cell.status in sentences.BAD]
    for cells in _alike(bad):
        yield _failure(cells)
    known = {cell.key for cell in bad}
    for key, changes in sentences.worse(report).items():
        if key not in known:
            yield f"WORSE {sentences.cell_name(key)}: {'; '.join(changes)}"
    for warning in report.warnings:
        yield f"warning: {figures.clean(warning, sentences.MESSAGE)}"
    if report.exit_code:
        yield from _next(report, bad)


def _alike(cells: Sequence[CellReport]) -> list[list[CellReport]]:
    """Cells of one test with the same reasons, so that these are printed once for all models and surfaces."""
    found: dict[tuple[str, ...], list[CellReport]] = {}
    for cell in cells:
        found.setdefault((cell.status, cell.key.test, sentences.place(cell), *_why(cell)), []).append(cell)
    return list(found.values())


def _why(cell: CellReport) -> list[str]:
    """The errors, or else the reasons: after an error, missed tools are no news."""
    return list(
        dict.fromkeys(figures.clean(error, sentences.MESSAGE) for error in cell.errors)
    ) or sentences.reasons(cell)


def _failure(cells: Sequence[CellReport]) -> str:
    first = cells[0]
    columns = [sentences.column_name(cell.key) for cell in cells]
    left = len(columns) - MOST_COLUMNS
    listed = ", ".join(columns[:MOST_COLUMNS]) + (f" and {left} more" if left > 0 else "")
    where = " ".join(
        part for part in (sentences.place(first), figures.clean(first.key.test, sentences.NAME)) if part
    )
    return f"{first.status.upper()} {where} [{listed}]: {'; '.join(_why(first)) or 'no reason is known'}"


def _next(report: SuiteReport, bad: Sequence[CellReport]) -> Iterator[str]:
    if any(sentences.missed(cell) or sentences.unexpected(cell) for cell in bad if cell.status == "failed"):
        yield (
            "do: make the names and descriptions of missed and unexpected tools more distinct, or fix the test's "
            "classes or prompt; do not lower a gate without asking"
        )
    if any(cell.status == "error" for cell in bad):
        yield "do: fix the server or provider that the error names"
    if any(cell.status == "refused" and cell.source == "replayed" for cell in bad):
        yield "do: undo the change, or, if it is intended, ask the user to record again with --record"
    if any(cell.status == "refused" and cell.source != "replayed" for cell in bad):
        yield "do: ask the user before you raise a budget"
    yield f"again: toolbooth test {' '.join(map(shlex.quote, _again(report, bad)))}"


def _again(report: SuiteReport, bad: Sequence[CellReport]) -> list[str]:
    """The command that repeats the failed tests, if they are few and their names can be typed."""
    paths = dict.fromkeys(cell.path for cell in bad if cell.path) or dict.fromkeys(report.suites)
    tests = list(dict.fromkeys(cell.key.test for cell in bad))
    typed = len(tests) <= MOST_FILTERS and all(
        test and figures.clean(test, sentences.NAME) == test for test in tests
    )
    return [figures.clean(path) for path in paths] + ([f"--filter={test}" for test in tests] if typed else [])
