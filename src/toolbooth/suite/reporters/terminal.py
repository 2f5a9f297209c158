"""The terminal report: a table of cells, then what failed and why.

If the terminal is too narrow, whole columns are dropped; a number is never cut.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Final, Literal

from toolbooth.suite.report import CellReport, RunComparison, SuiteReport
from toolbooth.suite.reporters import figures, registry, sentences

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table
    from rich.text import Text


GAP: Final = 2
LEAST_NAME: Final = 20


@dataclass(frozen=True, eq=False)
class TerminalColumn:
    """One column of clean text. The column with the highest `goes` is dropped first; 0 is never dropped."""

    title: str
    cells: Sequence["str | Text"]
    goes: int = 0
    kind: Literal["name", "word", "number"] = "number"

    @property
    def widest(self) -> int:
        """The width at which nothing is cut."""
        from rich.cells import cell_len

        return max(cell_len(str(cell)) for cell in (*self.title.splitlines(), *self.cells, ""))

    @property
    def least(self) -> int:
        """The smallest width: only names may be shortened."""
        return min(self.widest, LEAST_NAME) if self.kind == "name" else self.widest


def fit(columns: Sequence[TerminalColumn], available: int) -> list[TerminalColumn]:
    """The columns that are not empty and that fit the width."""
    kept = [column for column in columns if any(map(str, column.cells))]
    while _needed(kept) > available and any(column.goes for column in kept):
        kept.remove(max(kept, key=lambda column: column.goes))
    return kept


def table(columns: Sequence[TerminalColumn], available: int) -> "Table":
    """A Rich table of the columns that fit."""
    from rich.table import Table

    kept = fit(columns, available)
    widths = _widths(kept, available)
    made = Table(box=None, pad_edge=False, padding=(0, GAP // 2), header_style="dim", show_edge=False)
    for column, width in zip(kept, widths, strict=True):
        justify: Literal["left", "right"] = "right" if column.kind == "number" else "left"
        made.add_column(
            column.title,
            justify=justify,
            vertical="bottom",
            no_wrap=True,
            overflow="ellipsis",
            width=width,
            min_width=width,
        )
    drawn = [
        [shortened(cell, width) if isinstance(cell, str) else cell for cell in column.cells]
        for column, width in zip(kept, widths, strict=True)
    ]
    for row in zip(*drawn, strict=True):
        made.add_row(*row)
    return made


def shortened(name: str, width: int) -> str:
    """Cut in the middle: names of models and tests differ at their ends."""
    from rich.cells import cell_len

    if cell_len(name) <= width:
        return name
    head, tail = name[: len(name) // 2], name[len(name) // 2 :]
    while head + tail and cell_len(head) + cell_len(tail) > width - 1:
        if cell_len(head) > cell_len(tail):
            head = head[:-1]
        else:
            tail = tail[1:]
    return f"{head.rstrip()}…{tail.lstrip()}"


def _needed(columns: Sequence[TerminalColumn]) -> int:
    return sum(column.least for column in columns) + GAP * max(0, len(columns) - 1)


def _widths(columns: Sequence[TerminalColumn], available: int) -> list[int]:
    """Spare width goes to the name columns, from the left; on a very narrow terminal they get less."""
    spare = available - _needed(columns)
    given = []
    for column in columns:
        more = min(spare, column.widest - column.least) if column.kind == "name" else 0
        width = max(1, column.least + more)
        spare -= width - column.least
        given.append(width)
    return given


MOST_KEYS: Final = 20
UNSEEN: Final = 10_000  # columns without a terminal: nothing is wrapped in a pipe
STYLES: Final = {
    "passed": "green",
    "failed": "bold red",
    "error": "bold magenta",
    "refused": "bold yellow",
    "not run": "dim",
}


@registry.reporter("terminal", "a table of cells, then failures with missed classes and unexpected tools")
def write(report: SuiteReport) -> str:
    """The report as it is printed without colours."""
    from io import StringIO

    from rich.console import Console

    to = StringIO()
    console = Console(
        file=to, width=UNSEEN, color_system=None, force_terminal=False, legacy_windows=False, _environ={}
    )
    show(report, console)
    return "".join(f"{line.rstrip()}\n" for line in to.getvalue().splitlines())


def show(report: SuiteReport, console: "Console") -> None:
    """Print the report at the width of the console, in colours if it has any. No text is read as markup."""
    for part in parts(report, console.width):
        console.print(part, markup=False, highlight=False, emoji=False)


def parts(report: SuiteReport, width: int) -> Iterator["RenderableType"]:
    """The parts of the report, from top to bottom."""
    yield _line(
        ", ".join(figures.clean(suite, sentences.NAME) for suite in report.suites) or "toolbooth test", "bold"
    )
    yield _line(sentences.heading(report), "dim")
    if report.cells:
        yield from ("", table(_columns(report.cells), width))
        yield from _left_out(_columns(report.cells), width)
    failed = [cell for cell in report.cells if cell.status in sentences.BAD]
    if failed:
        yield from _titled("what went wrong")
    for cell in failed:
        yield from _failure(cell)
    yield from _notes(report)
    if report.comparison is not None:
        yield from _compared(report.comparison)
    yield from ("", _totals(report))


def _columns(cells: Sequence[CellReport]) -> list[TerminalColumn]:
    return [
        TerminalColumn(
            "test", _once([figures.clean(cell.key.test, sentences.NAME) for cell in cells]), kind="name"
        ),
        TerminalColumn(
            "model", [figures.clean(cell.key.model, sentences.NAME) for cell in cells], kind="name"
        ),
        TerminalColumn(
            "surface", [figures.clean(cell.key.surface, sentences.NAME) for cell in cells], kind="name"
        ),
        TerminalColumn("status", [_line(cell.status, STYLES[cell.status]) for cell in cells], kind="word"),
        TerminalColumn("F1", [figures.f1_and_grade(cell) for cell in cells]),
        TerminalColumn("tokens/\ncorrect", [figures.figure(cell, "tokens_per_correct") for cell in cells], 1),
        TerminalColumn(
            "paid/\ncorrect", [figures.figure(cell, "paid_tokens_per_correct") for cell in cells], 3
        ),
        TerminalColumn("dollars", [figures.cost(cell.cost) for cell in cells], 2),
        TerminalColumn("runs\nright", [figures.share(cell.passes) for cell in cells], 4),
        TerminalColumn("95%\nrange", [figures.interval(cell.passes) for cell in cells], 5),
    ]


def _left_out(columns: Sequence[TerminalColumn], width: int) -> Iterator["RenderableType"]:
    kept = {column.title for column in fit(columns, width)}
    gone = [column for column in columns if column.title not in kept and any(map(str, column.cells))]
    if gone:
        names = ", ".join(column.title.replace("\n", " ").replace("/ ", "/") for column in gone)
        yield _line(f"left out at {width} columns: {names}", "dim")


def _once(names: Sequence[str]) -> list[str]:
    """Each name once: repeated names below each other are left empty."""
    return ["" if index and names[index - 1] == name else name for index, name in enumerate(names)]


def _failure(cell: CellReport) -> Iterator["RenderableType"]:
    line = _line(f"{cell.status}  ", STYLES[cell.status]).append(sentences.cell_name(cell.key), "bold")
    yield _indented(line.append(f"  {sentences.place(cell)}", "dim") if sentences.place(cell) else line, 2)
    for error in dict.fromkeys(cell.errors):
        yield _indented(_line(figures.clean(error, 400)))
    for words in sentences.failed_checks(cell):
        yield _indented(_line(words))
    for title, counts in (
        ("missed      ", sentences.missed(cell)),
        ("unexpected  ", sentences.unexpected(cell)),
    ):
        if counts:
            yield _indented(_line(title, "dim").append(sentences.times(counts), "yellow"))


def _notes(report: SuiteReport) -> Iterator["RenderableType"]:
    found, about_run = sentences.notes(report), sentences.remarks(report)
    if found or about_run:
        yield from _titled("notes")
    for remark in about_run:
        yield _indented(_line(remark, "yellow"), 2)
    for note in found:
        yield _indented(_line(f"{sentences.about(note)}: ", "dim").append(note.words), 2)


def _compared(comparison: RunComparison) -> Iterator["RenderableType"]:
    yield from _titled(f"compared with {figures.clean(comparison.baseline, sentences.NAME)}")
    yield _indented(_line(sentences.comparison_totals(comparison)), 2)
    for key, moved in groupby(comparison.moved, key=lambda each: each.key):
        yield _indented(_line(sentences.cell_name(key), "bold"), 2)
        for each in moved:
            mark = _line("worse  ", "bold red") if each.worse else _line("       ")
            yield _indented(mark.append(sentences.moved_words(each)))
    for title, keys in (("new", comparison.added), ("gone", comparison.gone)):
        for key in keys[:MOST_KEYS]:
            yield _indented(_line(f"{title}  ", "dim").append(sentences.cell_name(key)), 2)


def _totals(report: SuiteReport) -> "Text":
    style = "bold red" if report.exit_code else "bold green"
    return _line(" · ".join(sentences.totals(report)), style if report.cells else "bold")


def _titled(title: str) -> Iterator["RenderableType"]:
    yield from ("", _line(title, "bold"))


def _line(words: str, style: str = "") -> "Text":
    from rich.text import Text

    return Text(words, style)


def _indented(text: "Text", by: int = 4) -> "RenderableType":
    from rich.padding import Padding

    return Padding(text, (0, 0, 0, by), expand=False)
