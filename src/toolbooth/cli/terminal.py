"""Output on a terminal: consoles, progress, and tables that fit.

Results go to stdout, progress and errors to stderr, colours only to a terminal. A table never cuts a number: where the
width is too small, whole columns are left out in a fixed order.
"""

import json
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol, TextIO, cast

from rich.cells import cell_len
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from toolbooth import safetext

PIPE_WIDTH = (
    10_000  # columns where there is no terminal: nothing is wrapped or left out in a pipe or a CI log
)
_TRAILING = re.compile(r"(?<![ \t])[ \t]++(?=\n|$)")


class PlainConsole(Console):
    """Markup and highlighting are off: foreign text is only ever text."""

    def on_broken_pipe(self) -> None:
        """Rich would end with exit 1, which means over budget here."""
        raise BrokenPipeError


class _Unpadded:
    """A pipe without the blanks at the end of table lines. Rich writes whole lines."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        self._stream.write(_TRAILING.sub("", text))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def out() -> Console:
    """The console for results."""
    return _console(sys.stdout)


def err() -> Console:
    """The console for progress and errors."""
    return _console(sys.stderr)


def _console(stream: TextIO) -> Console:
    if stream.isatty():
        return PlainConsole(file=stream, markup=False, highlight=False, emoji=False, soft_wrap=False)
    unpadded = cast("TextIO", _Unpadded(stream))
    return PlainConsole(
        file=unpadded, markup=False, highlight=False, emoji=False, width=PIPE_WIDTH, soft_wrap=False
    )


def indented(text: Text) -> Padding:
    """Two columns in, on every line that it takes."""
    return Padding(text, (0, 0, 0, 2), expand=False)


def print_json(document: Any) -> None:
    """JSON in ASCII: lossless, and no foreign character can control the terminal."""
    sys.stdout.write(json.dumps(document, indent=2, ensure_ascii=True, default=str) + "\n")


def wrote(path: Path | str) -> None:
    """Say which file was written; on stderr, so that results stay alone on stdout."""
    err().print(Text(f"wrote {safetext.for_terminal(str(path), 400)}", "dim"), soft_wrap=True)


def complain(where: str, reason: str) -> None:
    """Print one error on one line."""
    line = Text("✗ ", style="red")
    line.append(safetext.for_terminal(where, 120), style="bold").append(
        f"  {safetext.fault_for_terminal(reason, 400)}"
    )
    err().print(indented(line))


class Progress(Protocol):
    """Receives each server as it finishes."""

    def done(self, name: str) -> None: ...


class _Waiting:
    def __init__(self, names: Sequence[str]) -> None:
        self._open = list(names)
        self._all = len(names)
        self.console = err()
        self.status = self.console.status(self._words(), spinner="dots")

    def done(self, name: str) -> None:
        if name in self._open:
            self._open.remove(name)
        self.status.update(self._words())

    def _words(self) -> Text:
        servers = "server" if self._all == 1 else "servers"
        reached = f"connecting to {self._all} {servers} · {self._all - len(self._open)} done"
        waiting = ", ".join(safetext.for_terminal(name, 30) for name in self._open[:4])
        more = f" and {len(self._open) - 4} more" if len(self._open) > 4 else ""
        return Text(f"{reached} · waiting for {waiting}{more}" if self._open else reached)


class _Silent:
    def done(self, name: str) -> None:
        """No output in a pipe."""


@contextmanager
def progress(names: Sequence[str]) -> Iterator[Progress]:
    """Show the servers still awaited on a terminal; nothing in a pipe."""
    if not names or not sys.stderr.isatty():
        yield _Silent()
        return
    waiting = _Waiting(names)
    with waiting.status:
        yield waiting


GAP = 2
NO_TERMINAL = (
    1000  # more columns than any terminal has: the output is a pipe, where nothing is wrapped or cut
)
LEAST = {"name": 20, "words": 18, "bar": 4}
MOST = {"name": 62, "words": 60, "bar": 24}
_EIGHTHS = " ▏▎▍▌▋▊▉█"
Kind = Literal["name", "number", "words", "bar"]


@dataclass(frozen=True, eq=False)
class Column:
    """One column. The one with the highest `goes` is left out first; one with 0 is always shown.

    `useful` is a minimum width, where that of its kind is too small.
    """

    title: str
    kind: Kind
    cells: Sequence[str | Text | float] = field(repr=False)
    goes: int = 0
    style: str = ""
    legend: str = ""
    useful: int = 0

    @property
    def widest(self) -> int:
        """The width at which nothing is cut or wrapped."""
        if self.kind == "bar":
            return MOST["bar"]
        return min(self.longest, MOST.get(self.kind, 1000))

    @property
    def longest(self) -> int:
        """The width of its longest cell."""
        return (
            MOST["bar"]
            if self.kind == "bar"
            else max(cell_len(str(each)) for each in (self.title, *self.cells))
        )

    @property
    def least(self) -> int:
        """The minimum width; a number is never cut."""
        return min(self.widest, max(self.useful, LEAST.get(self.kind, 1000)))


def fit(columns: Sequence[Column], available: int) -> list[Column]:
    """The columns that fit into `available`, each at its least width."""
    kept = list(columns)
    while _needed(kept) > available and any(column.goes for column in kept):
        kept.remove(max(kept, key=lambda column: column.goes))
    return kept


def widths(columns: Sequence[Column], available: int) -> list[int]:
    """The width of each column: spare space goes to names first, then words, then bars."""
    if (
        sum(column.longest for column in columns) + GAP * len(columns) <= available
        and available > NO_TERMINAL
    ):
        return [column.longest for column in columns]
    given = {id(column): column.least for column in columns}
    spare = available - _needed(columns)
    for kind in ("name", "words", "bar"):
        for column in columns:
            if column.kind == kind and spare > 0:
                more = min(spare, column.widest - column.least)
                given[id(column)] += more
                spare -= more
            elif column.kind == "name" and spare < 0:  # a very narrow terminal: names are cut, numbers never
                given[id(column)] = max(1, column.least + spare)
    return [given[id(column)] for column in columns]


def print_columns(console: Console, columns: Sequence[Column], available: int) -> list[Column]:
    """Print what fits; returns the columns left out, for the legend."""
    kept = fit(columns, available)
    table = Table(box=None, pad_edge=False, padding=(0, GAP // 2), header_style="dim", show_edge=False)
    shares = widths(kept, available)
    for column, width in zip(kept, shares, strict=True):
        table.add_column(
            column.title,
            justify="right" if column.kind == "number" else "left",
            no_wrap=column.kind != "words",
            overflow="fold" if column.kind == "words" else "ellipsis",
            style=column.style,
            width=width,
            min_width=width,
        )
    for row in zip(*(_drawn(column, width) for column, width in zip(kept, shares, strict=True)), strict=True):
        table.add_row(*row)
    console.print(table)
    return [column for column in columns if column not in kept]


def left_out_words(gone: Sequence[Column], available: int) -> str:
    """What a wider terminal would show."""
    names = ", ".join(dict.fromkeys(column.title for column in gone))
    return f"left out at {available} columns: {names} (--json has all)" if gone else ""


def _needed(columns: Sequence[Column]) -> int:
    return sum(column.least for column in columns) + GAP * (len(columns) - 1)


def _drawn(column: Column, width: int) -> list[str | Text]:
    return [Text(bar(cell, width)) if isinstance(cell, float) else cell for cell in column.cells]


def bar(share: float, width: int) -> str:
    """A bar of up to `width` characters; any share above zero is visible."""
    eighths = max(1, round(share * width * 8)) if share > 0 else 0
    return "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()
