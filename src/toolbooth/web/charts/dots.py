"""Dots with whiskers on one axis, for groups of values with intervals; each series of a group has a row."""

from collections.abc import Sequence
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element

from toolbooth import figures
from toolbooth.web.charts import axes, shapes
from toolbooth.web.charts.labels import legend, mark_entry, rows_for, text_width as words_width

_PITCH: Final = 16
_GAP: Final = 11
_UNDER: Final = 24


class Dot(NamedTuple):
    """A value of one series with its interval; None where the series has no value."""

    value: float | None
    low: float | None = None
    high: float | None = None


class DotGroup(NamedTuple):
    """One measured quantity: a dot of every series, in their order."""

    label: str
    dots: tuple[Dot, ...]


def dots(
    groups: Sequence[DotGroup], names: Sequence[str], width: float, digits: axes.Digits
) -> shapes.Drawing:
    """All groups on one scale from zero, with a legend where there is more than one series."""
    rows = rows_for([group.label for group in groups], width)
    key = legend([mark_entry(name, at) for at, name in enumerate(names)] if len(names) > 1 else [], width)
    values = [bound for group in groups for dot in group.dots for bound in dot if bound is not None]
    space = max((words_width(digits(value)) for value in axes.usable(values)), default=0.0) + 12
    scale = axes.linear(
        [*values, 1.0 if max(axes.usable(values), default=0) <= 1 else 0.0], rows.start + 5, rows.end - space
    )
    pitch = max(1, len(names)) * _PITCH + _GAP + rows.above
    top = key.height + 4
    bottom = top + max(1, len(groups)) * pitch
    parts = list(key.parts) + axes.draw_x_axis(
        axes.Axis(scale, figures.short, scale.ticks(6 if width > 400 else 4)), top, bottom
    )
    for index, group in enumerate(groups):
        start = top + index * pitch + _GAP / 2
        middle = start + rows.above + len(names) * _PITCH / 2
        parts.append(rows.label(group.label, start, middle))
        parts += _dots(group, scale, start + rows.above, digits)
    return shapes.Drawing(width, bottom + _UNDER, tuple(parts))


def _dots(group: DotGroup, scale: axes.Scale, top: float, digits: axes.Digits) -> list[Element]:
    parts: list[Element] = []
    for number, dot in enumerate(group.dots):
        if dot.value is None or not axes.usable([dot.value]):
            continue
        y = top + (number + 0.5) * _PITCH
        bounds = axes.usable([bound for bound in (dot.low, dot.high) if bound is not None])
        if len(bounds) == 2:
            parts.append(
                shapes.line(
                    shapes.Position(scale.at(bounds[0]), y),
                    shapes.Position(scale.at(bounds[1]), y),
                    f"whisker {shapes.tone(number)}",
                )
            )
        parts.append(shapes.marker(shapes.Position(scale.at(dot.value), y), number))
        right = scale.at(max([dot.value, *bounds]))
        parts.append(shapes.text(shapes.Position(right + 8, y + 4), digits(dot.value), "value"))
    return parts
