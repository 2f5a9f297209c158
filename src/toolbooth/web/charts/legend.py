"""Names of series → a legend above a chart, in as many lines as the width asks for."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element

from toolbooth.web.charts.lettering import SIZE, shorten, width
from toolbooth.web.charts.markers import marker, tone
from toolbooth.web.charts.shapes import Place, box, line, text

LINE: Final = 19  # pixels from one line of a legend to the next
_GAP: Final = 18
Swatch = Callable[[Place], list[Element]]  # drawn from the left, around a middle height


class Entry(NamedTuple):
    """One thing that a legend explains."""

    name: str
    swatch: Swatch
    swatch_width: float


class Legend(NamedTuple):
    """Its elements and its height."""

    parts: list[Element]
    height: float


def legend(entries: Sequence[Entry], room: float) -> Legend:
    """From left to right, and on the next line where one is full."""
    parts: list[Element] = []
    x, y = 0.0, SIZE / 2 + 2
    for entry in entries:
        name = shorten(entry.name, room - entry.swatch_width - 6)
        needed = entry.swatch_width + 6 + width(name)
        if x and x + needed > room:
            x, y = 0.0, y + LINE
        parts += entry.swatch(Place(x, y))
        parts.append(text(Place(x + entry.swatch_width + 6, y + 4), name, whole=entry.name))
        x += needed + _GAP
    return Legend(parts, y + LINE - SIZE / 2 if entries else 0.0)


def line_entry(name: str, number: int) -> Entry:
    """A piece of a series' line with its mark."""

    def swatch(at: Place) -> list[Element]:
        piece = line(at, Place(at.x + 28, at.y), f"line {tone(number)}")
        return [piece, marker(Place(at.x + 14, at.y), number)]

    return Entry(name, swatch, 28)


def mark_entry(name: str, number: int) -> Entry:
    """The mark of a series alone."""
    return Entry(name, lambda at: [marker(Place(at.x + 6, at.y), number)], 12)


def fill_entry(name: str, css: str) -> Entry:
    """A piece of an area."""
    return Entry(name, lambda at: [box(Place(at.x, at.y - 6), 12, 12, css)], 12)
