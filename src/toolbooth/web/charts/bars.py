"""Named values → horizontal bars with their values beside them; zero has a line where a value is below it."""

from collections.abc import Sequence
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element

from toolbooth.web.charts.lettering import width as words_width
from toolbooth.web.charts.rows import Rows, rows_for
from toolbooth.web.charts.scale import Scale, usable
from toolbooth.web.charts.shapes import Drawing, Place, box, line, words_and_note

THICK: Final = 16
_PITCH: Final = 32
_GAP: Final = 8


class Bar(NamedTuple):
    """A value, how it is written, and a note; without a value only the words stand there."""

    label: str
    value: float | None
    words: str
    note: str = ""
    css: str = "fill tone-0"
    bad: bool = False

    @property
    def room(self) -> float:
        """The width of what is written beside it."""
        return words_width(self.words) + (words_width(self.note) + 6 if self.note else 0) + _GAP

    @property
    def size(self) -> float:
        """The value to draw."""
        return next(iter(usable([self.value])), 0.0) if self.value is not None else 0.0


def bars(given: Sequence[Bar], width: float, reference: float | None = None) -> Drawing:
    """One bar a row; `reference` lays a pale bar of that length under each, to compare it with."""
    rows = rows_for([bar.label for bar in given], width)
    reference = next(iter(usable([] if reference is None else [reference])), None)
    scale = _scale(given, rows, reference)
    pitch = _PITCH + rows.above * 0.75
    parts: list[Element] = []
    if scale.low < 0:
        parts.append(line(Place(scale.at(0), 0), Place(scale.at(0), len(given) * pitch), "zero"))
    for index, bar in enumerate(given):
        parts += _row(bar, rows, scale, index * pitch, reference)
    return Drawing(width, max(1, len(given)) * pitch, tuple(parts))


def _scale(given: Sequence[Bar], rows: Rows, reference: float | None) -> Scale:
    """As long as the bars can be with their words after them; beside pale bars all words stand in a column."""
    sizes = [0.0, *(bar.size for bar in given), reference or 0.0]
    low, high = min(sizes), max(sizes)
    high = high if high > low else low + 1
    end = rows.end
    for bar in given if not rows.above else ():
        share = 1.0 if reference is not None else (max(bar.size, 0) - low) / (high - low)
        free = rows.end - rows.start - bar.room
        end = min(end, rows.start + max(free / share if share > 0 else free, 40))
    return Scale(low, high, rows.start, end)


def _row(bar: Bar, rows: Rows, scale: Scale, top: float, reference: float | None) -> list[Element]:
    bar_top = top + rows.above + (0 if rows.above else (_PITCH - THICK) / 2)
    zero, left, right = scale.at(0), *sorted((scale.at(0), scale.at(bar.size)))
    parts = [rows.label(bar.label, top, bar_top + THICK / 2, taken=bar.room)]
    if reference is not None:
        parts.append(box(Place(zero, bar_top), scale.at(reference) - zero, THICK, "track"))
    if bar.size:
        parts.append(box(Place(left, bar_top), max(right - left, 1.5), THICK, bar.css))
    css = "bad" if bar.bad else "note"
    if rows.above:
        parts.append(words_and_note(Place(rows.width, top + 12), bar.words, bar.note, css, "end"))
    else:
        beside = scale.end if reference is not None else right
        parts.append(words_and_note(Place(beside + _GAP, bar_top + THICK / 2 + 4), bar.words, bar.note, css))
    return parts
