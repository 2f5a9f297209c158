"""Named sums of parts → horizontal bars in pieces, from dark to light, with a legend above."""

from collections.abc import Sequence
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element

from toolbooth.web.charts.legend import fill_entry, legend
from toolbooth.web.charts.lettering import width as words_width
from toolbooth.web.charts.rows import Rows, rows_for
from toolbooth.web.charts.scale import Scale, usable
from toolbooth.web.charts.shapes import Drawing, Place, box, words_and_note

THICK: Final = 15
_PITCH: Final = 27


class Stack(NamedTuple):
    """The parts of one bar in the order of the legend, and what is written beside it."""

    label: str
    parts: tuple[float, ...]
    words: str
    note: str = ""

    @property
    def room(self) -> float:
        """The width of what is written."""
        return words_width(self.words) + (words_width(self.note) + 6 if self.note else 0) + 8


def stacked_bars(given: Sequence[Stack], names: Sequence[str], width: float) -> Drawing:
    """One bar a row, all on one scale."""
    rows = rows_for([stack.label for stack in given], width)
    key = legend([fill_entry(name, f"part-{at}") for at, name in enumerate(names)], width)
    most = max((sum(usable(stack.parts)) for stack in given), default=0.0)
    room = max((stack.room for stack in given), default=0.0)
    end = rows.end if rows.above else max(rows.end - room, rows.start + 40)
    scale = Scale(0, most or 1, rows.start, end)
    pitch = _PITCH + rows.above * 0.8
    parts = list(key.parts)
    for index, stack in enumerate(given):
        parts += _row(stack, rows, scale, key.height + 6 + index * pitch)
    return Drawing(width, key.height + 6 + max(1, len(given)) * pitch, tuple(parts))


def _row(stack: Stack, rows: Rows, scale: Scale, top: float) -> list[Element]:
    bar_top = top + rows.above + (0 if rows.above else (_PITCH - THICK) / 2)
    parts = [rows.label(stack.label, top, bar_top + THICK / 2, taken=stack.room)]
    done = 0.0
    for number, size in enumerate(usable(stack.parts)):
        left, right = scale.at(done), scale.at(done + size)
        if size > 0:
            parts.append(box(Place(left, bar_top), max(right - left - 0.8, 0.8), THICK, f"part-{number}", 1))
        done += size
    if rows.above:
        parts.append(words_and_note(Place(rows.width, top + 12), stack.words, stack.note, "note", "end"))
    else:
        at = Place(scale.at(done) + 8, bar_top + THICK / 2 + 4)
        parts.append(words_and_note(at, stack.words, stack.note, "note"))
    return parts
