"""Columns and the width of a terminal → a table in which no number is cut: whole columns go, in a fixed order."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

GAP = 2
ROOMY = 1000  # columns that no terminal has: what is printed is a pipe, where nothing is wrapped or cut
LEAST = {"name": 20, "words": 18, "bar": 4}
MOST = {"name": 62, "words": 60, "bar": 24}
_EIGHTHS = " ▏▎▍▌▋▊▉█"
Kind = Literal["name", "number", "words", "bar"]


@dataclass(frozen=True, eq=False)
class Column:
    """One column. The one with the highest `goes` is left out first; one with 0 stays whatever the width.

    `useful` is a width below which others rather go, where its kind's own is too small.
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
        """The width at which nothing of it is cut or wrapped."""
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
        """The width below which it is of no use; for a number, its own."""
        return min(self.widest, max(self.useful, LEAST.get(self.kind, 1000)))


def fit(columns: Sequence[Column], room: int) -> list[Column]:
    """The columns that `room` holds, each at its least width."""
    kept = list(columns)
    while _needed(kept) > room and any(column.goes for column in kept):
        kept.remove(max(kept, key=lambda column: column.goes))
    return kept


def widths(columns: Sequence[Column], room: int) -> list[int]:
    """The room shared out: names get what they want first, then words, then bars."""
    if sum(column.longest for column in columns) + GAP * len(columns) <= room and room > ROOMY:
        return [column.longest for column in columns]
    given = {id(column): column.least for column in columns}
    spare = room - _needed(columns)
    for kind in ("name", "words", "bar"):
        for column in columns:
            if column.kind == kind and spare > 0:
                more = min(spare, column.widest - column.least)
                given[id(column)] += more
                spare -= more
            elif column.kind == "name" and spare < 0:  # a very narrow terminal: names pay, numbers never
                given[id(column)] = max(1, column.least + spare)
    return [given[id(column)] for column in columns]


def print_columns(console: Console, columns: Sequence[Column], room: int) -> list[Column]:
    """Print what fits; gives back what was left out, for the legend."""
    kept = fit(columns, room)
    table = Table(box=None, pad_edge=False, padding=(0, GAP // 2), header_style="dim", show_edge=False)
    shares = widths(kept, room)
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


def left_out_words(gone: Sequence[Column], room: int) -> str:
    """What a wider terminal would show."""
    names = ", ".join(dict.fromkeys(column.title for column in gone))
    return f"left out at {room} columns: {names} (--json has all)" if gone else ""


def _needed(columns: Sequence[Column]) -> int:
    return sum(column.least for column in columns) + GAP * (len(columns) - 1)


def _drawn(column: Column, width: int) -> list[str | Text]:
    return [Text(bar(cell, width)) if isinstance(cell, float) else cell for cell in column.cells]


def bar(share: float, width: int) -> str:
    """A bar of up to `width` characters; the smallest share above zero is still seen, zero is not."""
    eighths = max(1, round(share * width * 8)) if share > 0 else 0
    return "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()
