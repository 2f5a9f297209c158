"""Columns × the width of a terminal → a table in which no number is cut: whole columns go, names are shortened."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

GAP: Final = 2
LEAST_NAME: Final = 20


@dataclass(frozen=True, eq=False)
class Column:
    """One column of clean text. The highest `goes` is left out first; 0 stays whatever the width."""

    title: str
    cells: Sequence["str | Text"]
    goes: int = 0
    kind: Literal["name", "word", "number"] = "number"

    @property
    def widest(self) -> int:
        """At which nothing is cut."""
        from rich.cells import cell_len

        return max(cell_len(str(cell)) for cell in (*self.title.splitlines(), *self.cells, ""))

    @property
    def least(self) -> int:
        """A name may be shortened, all else is whole or not there."""
        return min(self.widest, LEAST_NAME) if self.kind == "name" else self.widest


def fit(columns: Sequence[Column], room: int) -> list[Column]:
    """Those that are not empty and that the room holds."""
    kept = [column for column in columns if any(map(str, column.cells))]
    while _needed(kept) > room and any(column.goes for column in kept):
        kept.remove(max(kept, key=lambda column: column.goes))
    return kept


def table(columns: Sequence[Column], room: int) -> "Table":
    """What fits, as Rich prints it."""
    from rich.table import Table

    kept = fit(columns, room)
    widths = _widths(kept, room)
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


def _needed(columns: Sequence[Column]) -> int:
    return sum(column.least for column in columns) + GAP * max(0, len(columns) - 1)


def _widths(columns: Sequence[Column], room: int) -> list[int]:
    """Spare room goes to the names, from the left; a very narrow terminal takes it from them."""
    spare = room - _needed(columns)
    given = []
    for column in columns:
        more = min(spare, column.widest - column.least) if column.kind == "name" else 0
        width = max(1, column.least + more)
        spare -= width - column.least
        given.append(width)
    return given
