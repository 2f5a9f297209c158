"""What a page is made of: figures with their numbers beside them, tables, and sections that hold them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeVar

from toolbooth.web.charts.shapes import Drawing, svg

SIZES: Final = {
    "narrow": 300,
    "wide": 560,
}  # pixels at which a chart is drawn; the style sheet shows one of them
WHOLE: Final = {"whole": 1100}  # and one more where a card takes the whole width
MOST_ROWS: Final = 40  # a page is read by people; report.json has them all
Row = TypeVar("Row")


class Column(NamedTuple):
    """Digits stand at the right; words wrap."""

    title: str
    digits: bool = True


@dataclass(frozen=True)
class Table:
    """Rows of words; the first of each row is its name. A `stacked` one is a list of cards on a phone."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    lead: str = ""
    left_out: str = ""
    stacked: bool = False


@dataclass(frozen=True)
class Figure:
    """A chart, drawn for each width, and the same numbers as a table. `label` says how they came about."""

    title: str
    lead: str
    drawn: tuple[tuple[str, str], ...]
    numbers: Table
    label: str = ""
    full: bool = False


class Tile(NamedTuple):
    """A headline: one figure, large, and what it is."""

    name: str
    value: str
    words: str
    tone: str = ""


@dataclass(frozen=True)
class Section:
    """A chapter of the page. `said` are sentences that belong to the figures; `notes` come from who measured."""

    id: str
    title: str
    lead: str
    blocks: tuple[Figure | Table, ...]
    said: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Chart:
    """How to draw a figure: a name for its ids, a title, a description for those who do not see it."""

    name: str
    title: str
    description: str
    draw: Callable[[float], Drawing] = field(repr=False)


def figure(chart: Chart, lead: str, numbers: Table, label: str = "", full: bool = False) -> Figure:
    """Drawn once for each width."""
    sizes = SIZES | WHOLE if full else SIZES
    drawn = tuple(
        (size, svg(chart.draw(width), f"{chart.name}-{size}", chart.title, chart.description))
        for size, width in sizes.items()
    )
    return Figure(chart.title, lead, drawn, numbers, label, full)


def cut(rows: Sequence[Row], noun: str) -> tuple[tuple[Row, ...], str]:
    """The rows that are shown, and what is said of the others."""
    shown = tuple(rows[:MOST_ROWS])
    left = len(rows) - len(shown)
    return shown, f"{len(shown)} of {len(rows):,} {noun}; report.json has them all" if left else ""
