"""The words in a chart: estimated widths, shortened names, labels of rows, and the legend.

Labels are placed beside their rows where the chart is wide enough, and above them where it is not.
"""

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element

from toolbooth import safetext
from toolbooth.web.charts.shapes import Position, box, line, marker, text, tone

TEXT_SIZE: Final = 12  # pixels, as `style.css` says
# Widths in a wide sans-serif (DejaVu Sans, to which Linux falls back): other fonts are narrower.
_NARROW: Final = frozenset("iljtfrI.,:;'|!()[]{}/\\ -·")
_BROAD: Final = frozenset("mwMW@%—…&")


def text_width(words: str, size: float = TEXT_SIZE) -> float:
    """The width in pixels, estimated generously."""
    return sum(_character_width(character) for character in words) * size


def _character_width(character: str) -> float:
    if character in _NARROW:
        return 0.42
    if character in _BROAD:
        return 1.0
    if unicodedata.east_asian_width(character) in "WF":
        return 1.1
    if unicodedata.category(character) == "Mn":
        return 0.0
    return 0.72 if character.isupper() or ord(character) > 0x24F else 0.65


def shorten(words: str, space: float, size: float = TEXT_SIZE) -> str:
    """The text cleaned, and cut in the middle where it is too wide: both ends of a tool's name matter."""
    words = safetext.for_terminal(words)
    if text_width(words, size) <= space:
        return words
    for kept in range(min(len(words), int(space / size * 2.4)) - 1, 1, -1):
        tail = kept // 2
        shorter = f"{words[: kept - tail]}…{words[-tail:]}"
        if text_width(shorter, size) <= space:
            return shorter
    return "…"


def spread_apart(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Positions near the wanted ones, in the same order, `gap` apart as far as `low`…`high` allows."""
    if not wanted:
        return []
    gap = min(gap, (high - low) / max(1, len(wanted) - 1))
    order = sorted(range(len(wanted)), key=lambda index: wanted[index])
    places = [0.0] * len(wanted)
    edge = low
    for index in order:
        places[index] = edge = max(wanted[index], edge)
        edge += gap
    edge = high
    for index in reversed(order):
        places[index] = edge = min(places[index], edge)
        edge -= gap
    return places


WIDE_FROM: Final = 440
_LABEL_SHARE: Final = 0.36  # of the width, at most
_ABOVE: Final = 19  # pixels that a label takes above its row


@dataclass(frozen=True)
class RowLayout:
    """Bars or dots are drawn from `start` to `end`; `above` is the height of a label over its row."""

    width: float
    start: float
    end: float
    above: float

    def label(self, words: str, top: float, middle: float, taken: float = 0) -> Element:
        """The name of a row that begins at `top`; `taken` is the width used at the right end of the same line."""
        if self.above:
            return text(Position(0, top + 12), shorten(words, self.width - taken), "label", whole=words)
        short = shorten(words, self.start - 10)
        return text(Position(self.start - 10, middle + 4), short, "label", "end", whole=words)


def rows_for(labels: Iterable[str], total: float) -> RowLayout:
    """The layout for bars beside these labels, or below them."""
    if total < WIDE_FROM:
        return RowLayout(total, 1, total - 1, _ABOVE)
    widest = max((text_width(safetext.for_terminal(label)) for label in labels), default=0.0)
    return RowLayout(total, min(widest, total * _LABEL_SHARE) + 12, total - 1, 0)


LINE_HEIGHT: Final = 19  # pixels from one line of a legend to the next
_GAP: Final = 18
Swatch = Callable[[Position], list[Element]]  # drawn from the left, around a middle height


class LegendEntry(NamedTuple):
    """One entry of a legend."""

    name: str
    swatch: Swatch
    swatch_width: float


class Legend(NamedTuple):
    """The elements of a legend and its height."""

    parts: list[Element]
    height: float


def legend(entries: Sequence[LegendEntry], space: float) -> Legend:
    """Entries from left to right, wrapped to the next line where one is full."""
    parts: list[Element] = []
    x, y = 0.0, TEXT_SIZE / 2 + 2
    for entry in entries:
        name = shorten(entry.name, space - entry.swatch_width - 6)
        needed = entry.swatch_width + 6 + text_width(name)
        if x and x + needed > space:
            x, y = 0.0, y + LINE_HEIGHT
        parts += entry.swatch(Position(x, y))
        parts.append(text(Position(x + entry.swatch_width + 6, y + 4), name, whole=entry.name))
        x += needed + _GAP
    return Legend(parts, y + LINE_HEIGHT - TEXT_SIZE / 2 if entries else 0.0)


def line_entry(name: str, number: int) -> LegendEntry:
    """A piece of a series' line with its mark."""

    def swatch(at: Position) -> list[Element]:
        piece = line(at, Position(at.x + 28, at.y), f"line {tone(number)}")
        return [piece, marker(Position(at.x + 14, at.y), number)]

    return LegendEntry(name, swatch, 28)


def mark_entry(name: str, number: int) -> LegendEntry:
    """The mark of a series alone."""
    return LegendEntry(name, lambda at: [marker(Position(at.x + 6, at.y), number)], 12)


def fill_entry(name: str, css: str) -> LegendEntry:
    """A piece of an area."""
    return LegendEntry(name, lambda at: [box(Position(at.x, at.y - 6), 12, 12, css)], 12)
