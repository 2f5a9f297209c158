"""Horizontal bars with their values beside them, plain, or stacked from parts with a legend above."""

from collections.abc import Sequence
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element

from toolbooth.web.charts import axes, shapes
from toolbooth.web.charts.labels import RowLayout, fill_entry, legend, rows_for, text_width as words_width

THICK: Final = 16
_PITCH: Final = 32
_GAP: Final = 8


class Bar(NamedTuple):
    """A value, its text and a note; without a value only the text is shown."""

    label: str
    value: float | None
    words: str
    note: str = ""
    css: str = "fill tone-0"
    bad: bool = False

    @property
    def space(self) -> float:
        """The width of the text beside it."""
        return words_width(self.words) + (words_width(self.note) + 6 if self.note else 0) + _GAP

    @property
    def size(self) -> float:
        """The value that the bar shows."""
        return next(iter(axes.usable([self.value])), 0.0) if self.value is not None else 0.0


def bars(given: Sequence[Bar], width: float, reference: float | None = None) -> shapes.Drawing:
    """One bar per row; `reference` draws a pale bar of that length under each, for comparison."""
    rows = rows_for([bar.label for bar in given], width)
    reference = next(iter(axes.usable([] if reference is None else [reference])), None)
    scale = _scale(given, rows, reference)
    pitch = _PITCH + rows.above * 0.75
    parts: list[Element] = []
    if scale.low < 0:
        parts.append(
            shapes.line(
                shapes.Position(scale.at(0), 0), shapes.Position(scale.at(0), len(given) * pitch), "zero"
            )
        )
    for index, bar in enumerate(given):
        parts += _row(bar, rows, scale, index * pitch, reference)
    return shapes.Drawing(width, max(1, len(given)) * pitch, tuple(parts))


def _scale(given: Sequence[Bar], rows: RowLayout, reference: float | None) -> axes.Scale:
    """Bars are as long as the text after them allows; beside pale bars all text is aligned in one column."""
    sizes = [0.0, *(bar.size for bar in given), reference or 0.0]
    low, high = min(sizes), max(sizes)
    high = high if high > low else low + 1
    end = rows.end
    for bar in given if not rows.above else ():
        share = 1.0 if reference is not None else (max(bar.size, 0) - low) / (high - low)
        free = rows.end - rows.start - bar.space
        end = min(end, rows.start + max(free / share if share > 0 else free, 40))
    return axes.Scale(low, high, rows.start, end)


def _row(bar: Bar, rows: RowLayout, scale: axes.Scale, top: float, reference: float | None) -> list[Element]:
    bar_top = top + rows.above + (0 if rows.above else (_PITCH - THICK) / 2)
    zero, left, right = scale.at(0), *sorted((scale.at(0), scale.at(bar.size)))
    parts = [rows.label(bar.label, top, bar_top + THICK / 2, taken=bar.space)]
    if reference is not None:
        parts.append(shapes.box(shapes.Position(zero, bar_top), scale.at(reference) - zero, THICK, "track"))
    if bar.size:
        parts.append(shapes.box(shapes.Position(left, bar_top), max(right - left, 1.5), THICK, bar.css))
    css = "bad" if bar.bad else "note"
    if rows.above:
        parts.append(
            shapes.words_and_note(shapes.Position(rows.width, top + 12), bar.words, bar.note, css, "end")
        )
    else:
        beside = scale.end if reference is not None else right
        parts.append(
            shapes.words_and_note(
                shapes.Position(beside + _GAP, bar_top + THICK / 2 + 4), bar.words, bar.note, css
            )
        )
    return parts


STACK_THICK: Final = 15
_STACK_PITCH: Final = 27


class Stack(NamedTuple):
    """The parts of one bar in the order of the legend, and the text beside it."""

    label: str
    parts: tuple[float, ...]
    words: str
    note: str = ""

    @property
    def space(self) -> float:
        """The width of the text."""
        return words_width(self.words) + (words_width(self.note) + 6 if self.note else 0) + 8


def stacked_bars(given: Sequence[Stack], names: Sequence[str], width: float) -> shapes.Drawing:
    """One bar per row, all on one scale."""
    rows = rows_for([stack.label for stack in given], width)
    key = legend([fill_entry(name, f"part-{at}") for at, name in enumerate(names)], width)
    most = max((sum(axes.usable(stack.parts)) for stack in given), default=0.0)
    space = max((stack.space for stack in given), default=0.0)
    end = rows.end if rows.above else max(rows.end - space, rows.start + 40)
    scale = axes.Scale(0, most or 1, rows.start, end)
    pitch = _STACK_PITCH + rows.above * 0.8
    parts = list(key.parts)
    for index, stack in enumerate(given):
        parts += _stack_row(stack, rows, scale, key.height + 6 + index * pitch)
    return shapes.Drawing(width, key.height + 6 + max(1, len(given)) * pitch, tuple(parts))


def _stack_row(stack: Stack, rows: RowLayout, scale: axes.Scale, top: float) -> list[Element]:
    bar_top = top + rows.above + (0 if rows.above else (_STACK_PITCH - STACK_THICK) / 2)
    parts = [rows.label(stack.label, top, bar_top + STACK_THICK / 2, taken=stack.space)]
    done = 0.0
    for number, size in enumerate(axes.usable(stack.parts)):
        left, right = scale.at(done), scale.at(done + size)
        if size > 0:
            parts.append(
                shapes.box(
                    shapes.Position(left, bar_top),
                    max(right - left - 0.8, 0.8),
                    STACK_THICK,
                    f"part-{number}",
                    1,
                )
            )
        done += size
    if rows.above:
        parts.append(
            shapes.words_and_note(
                shapes.Position(rows.width, top + 12), stack.words, stack.note, "note", "end"
            )
        )
    else:
        at = shapes.Position(scale.at(done) + 8, bar_top + STACK_THICK / 2 + 4)
        parts.append(shapes.words_and_note(at, stack.words, stack.note, "note"))
    return parts
