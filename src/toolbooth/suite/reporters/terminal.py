"""A report → a table of cells, then what failed and why, for people at a terminal."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Final

from toolbooth.suite.report import CellReport, Comparison, Report
from toolbooth.suite.reporters.clean import clean
from toolbooth.suite.reporters.columns import Column, fit, table
from toolbooth.suite.reporters.figures import cost, f1_and_grade, figure, interval, share
from toolbooth.suite.reporters.registry import reporter
from toolbooth.suite.reporters.sentences import (
    BAD,
    NAME,
    about,
    cell_name,
    comparison_totals,
    failed_checks,
    heading,
    missed,
    moved_words,
    notes,
    place,
    remarks,
    times,
    totals,
    unexpected,
)

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

MOST_KEYS: Final = 20
UNSEEN: Final = 10_000  # columns where there is no terminal: a pipe wraps nothing
STYLES: Final = {
    "passed": "green",
    "failed": "bold red",
    "error": "bold magenta",
    "refused": "bold yellow",
    "not run": "dim",
}


@reporter("terminal", "a table of cells, then failures with missed classes and unexpected tools")
def write(report: Report) -> str:
    """As it is printed where there are no colours."""
    from io import StringIO

    from rich.console import Console

    to = StringIO()
    console = Console(
        file=to, width=UNSEEN, color_system=None, force_terminal=False, legacy_windows=False, _environ={}
    )
    show(report, console)
    return "".join(f"{line.rstrip()}\n" for line in to.getvalue().splitlines())


def show(report: Report, console: "Console") -> None:
    """Print it at the width of the console, in colours if it has any; no text of it is markup."""
    for part in parts(report, console.width):
        console.print(part, markup=False, highlight=False, emoji=False)


def parts(report: Report, width: int) -> Iterator["RenderableType"]:
    """What stands below each other."""
    yield _line(", ".join(clean(suite, NAME) for suite in report.suites) or "toolbooth test", "bold")
    yield _line(heading(report), "dim")
    if report.cells:
        yield from ("", table(_columns(report.cells), width))
        yield from _left_out(_columns(report.cells), width)
    failed = [cell for cell in report.cells if cell.status in BAD]
    if failed:
        yield from _titled("what went wrong")
    for cell in failed:
        yield from _failure(cell)
    yield from _notes(report)
    if report.comparison is not None:
        yield from _compared(report.comparison)
    yield from ("", _totals(report))


def _columns(cells: Sequence[CellReport]) -> list[Column]:
    return [
        Column("test", _once([clean(cell.key.test, NAME) for cell in cells]), kind="name"),
        Column("model", [clean(cell.key.model, NAME) for cell in cells], kind="name"),
        Column("surface", [clean(cell.key.surface, NAME) for cell in cells], kind="name"),
        Column("status", [_line(cell.status, STYLES[cell.status]) for cell in cells], kind="word"),
        Column("F1", [f1_and_grade(cell) for cell in cells]),
        Column("tokens/\ncorrect", [figure(cell, "tokens_per_correct") for cell in cells], 1),
        Column("paid/\ncorrect", [figure(cell, "paid_tokens_per_correct") for cell in cells], 3),
        Column("dollars", [cost(cell.cost) for cell in cells], 2),
        Column("runs\nright", [share(cell.passes) for cell in cells], 4),
        Column("95%\nrange", [interval(cell.passes) for cell in cells], 5),
    ]


def _left_out(columns: Sequence[Column], width: int) -> Iterator["RenderableType"]:
    kept = {column.title for column in fit(columns, width)}
    gone = [column for column in columns if column.title not in kept and any(map(str, column.cells))]
    if gone:
        names = ", ".join(column.title.replace("\n", " ").replace("/ ", "/") for column in gone)
        yield _line(f"left out at {width} columns: {names}", "dim")


def _once(names: Sequence[str]) -> list[str]:
    """A test that stands above is not named again."""
    return ["" if index and names[index - 1] == name else name for index, name in enumerate(names)]


def _failure(cell: CellReport) -> Iterator["RenderableType"]:
    line = _line(f"{cell.status}  ", STYLES[cell.status]).append(cell_name(cell.key), "bold")
    yield _indented(line.append(f"  {place(cell)}", "dim") if place(cell) else line, 2)
    for error in dict.fromkeys(cell.errors):
        yield _indented(_line(clean(error, 400)))
    for words in failed_checks(cell):
        yield _indented(_line(words))
    for title, counts in (("missed      ", missed(cell)), ("unexpected  ", unexpected(cell))):
        if counts:
            yield _indented(_line(title, "dim").append(times(counts), "yellow"))


def _notes(report: Report) -> Iterator["RenderableType"]:
    found, said = notes(report), remarks(report)
    if found or said:
        yield from _titled("notes")
    for remark in said:
        yield _indented(_line(remark, "yellow"), 2)
    for note in found:
        yield _indented(_line(f"{about(note)}: ", "dim").append(note.words), 2)


def _compared(comparison: Comparison) -> Iterator["RenderableType"]:
    yield from _titled(f"compared with {clean(comparison.baseline, NAME)}")
    yield _indented(_line(comparison_totals(comparison)), 2)
    for key, moved in groupby(comparison.moved, key=lambda each: each.key):
        yield _indented(_line(cell_name(key), "bold"), 2)
        for each in moved:
            mark = _line("worse  ", "bold red") if each.worse else _line("       ")
            yield _indented(mark.append(moved_words(each)))
    for title, keys in (("new", comparison.added), ("gone", comparison.gone)):
        for key in keys[:MOST_KEYS]:
            yield _indented(_line(f"{title}  ", "dim").append(cell_name(key)), 2)


def _totals(report: Report) -> "Text":
    style = "bold red" if report.exit_code else "bold green"
    return _line(" · ".join(totals(report)), style if report.cells else "bold")


def _titled(title: str) -> Iterator["RenderableType"]:
    yield from ("", _line(title, "bold"))


def _line(words: str, style: str = "") -> "Text":
    from rich.text import Text

    return Text(words, style)


def _indented(text: "Text", by: int = 4) -> "RenderableType":
    from rich.padding import Padding

    return Padding(text, (0, 0, 0, by), expand=False)
