"""The parts of a page: figures with their numbers beside them, tables, and the sections that hold them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple, TypeVar

from toolbooth.web.charts.shapes import Drawing, svg

# The widths in pixels at which a chart is drawn; the style sheet shows one of them.
SIZES: Final = {"narrow": 300, "wide": 560}
WHOLE: Final = {"whole": 1100}  # a third one, where a card takes the whole width
MOST_ROWS: Final = 40  # a page is for people; report.json has all rows
Row = TypeVar("Row")


class TableColumn(NamedTuple):
    """Digits are aligned right; words wrap."""

    title: str
    digits: bool = True


@dataclass(frozen=True)
class PageTable:
    """Rows of words; the first cell of each row is its name. A `stacked` table becomes a list of cards on a phone."""

    title: str
    columns: tuple[TableColumn, ...]
    rows: tuple[tuple[str, ...], ...]
    lead: str = ""
    left_out: str = ""
    stacked: bool = False


@dataclass(frozen=True)
class Chart:
    """How to draw a figure: a name for its ids, a title, and a description for those who cannot see it."""

    name: str
    title: str
    description: str
    draw: Callable[[float], Drawing] = field(repr=False)


@dataclass(frozen=True)
class Figure:
    """A chart, its caption and the same numbers as a table.

    `label` says where the numbers come from (measured, computed or modelled).
    """

    chart: Chart
    lead: str
    numbers: PageTable
    label: str = ""
    full: bool = False

    def drawn(self) -> Iterator[tuple[str, str]]:
        """The chart drawn once for each width, keyed by the name of that width."""
        for size, width in (SIZES | WHOLE if self.full else SIZES).items():
            yield (
                size,
                svg(
                    self.chart.draw(width),
                    f"{self.chart.name}-{size}",
                    self.chart.title,
                    self.chart.description,
                ),
            )


class Tile(NamedTuple):
    """A headline: one large figure, and what it means."""

    name: str
    value: str
    words: str
    tone: str = ""


@dataclass(frozen=True)
class PageSection:
    """A chapter of the page.

    `said` are sentences that belong to the figures; `notes` come from the measurement.
    """

    id: str
    title: str
    lead: str
    blocks: tuple[Figure | PageTable, ...]
    said: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def cut(rows: Sequence[Row], noun: str) -> tuple[tuple[Row, ...], str]:
    """The rows that are shown, and a sentence about the others."""
    shown = tuple(rows[:MOST_ROWS])
    left = len(rows) - len(shown)
    return shown, f"{len(shown)} of {len(rows):,} {noun}; report.json has them all" if left else ""


def laid_out(blocks: Sequence[Figure | PageTable]) -> tuple[Figure | PageTable, ...]:
    """Two figures are placed side by side; one alone before a table, or at the end, takes the whole width."""
    laid: list[Figure | PageTable] = []
    alone = False
    for block in blocks:
        half = isinstance(block, Figure) and not block.full
        if not half and alone:
            laid[-1] = widened(laid[-1])
        alone = half and not alone
        laid.append(block)
    return tuple([*laid[:-1], widened(laid[-1])] if alone else laid)


def widened(block: Figure | PageTable) -> Figure | PageTable:
    """A figure over the whole width; tables are always that wide."""
    return replace(block, full=True) if isinstance(block, Figure) else block
