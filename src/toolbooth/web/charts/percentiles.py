"""Strips of percentiles on a logarithmic time axis: the median, the 95th and 99th percentile and the maximum."""

from collections.abc import Sequence
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element

from toolbooth.web.charts import axes, shapes
from toolbooth.web.charts.labels import LegendEntry, RowLayout, legend, rows_for, text_width as words_width

_PITCH: Final = 22
_GAP: Final = 8
_UNDER: Final = 42


class Strip(NamedTuple):
    """One timed measure; `direct` strips belong to the one above them and are drawn in grey."""

    label: str
    p50: float
    p95: float
    p99: float
    most: float
    words: str
    direct: bool = False


def percentiles(strips: Sequence[Strip], width: float, digits: axes.Digits, title: str) -> shapes.Drawing:
    """One strip per row. Times too short to measure are drawn at the left end."""
    rows = rows_for([strip.label for strip in strips], width)
    key = legend(_ENTRIES, width)
    space = 0.0 if rows.above else max((words_width(strip.words) for strip in strips), default=0.0) + 12
    values = [value for strip in strips for value in strip[1:5]]
    edge = max(6.0, *(words_width(digits(end)) / 2 for end in _ends(values)))
    scale = axes.logarithmic(values, rows.start + edge, rows.end - max(space, edge))
    parts: list[Element] = []
    y = key.height + 4.0
    for strip in strips:
        y += 0 if strip.direct else _GAP
        parts += _strip(strip, rows, scale, y)
        y += _PITCH + rows.above * 0.8
    axis = axes.draw_x_axis(
        axes.Axis(scale, digits, scale.ticks(6 if width > 400 else 5)), key.height + 6, y + 4, title
    )
    return shapes.Drawing(width, y + _UNDER, (*key.parts, *axis, *parts))


def _ends(values: Sequence[float]) -> tuple[float, float]:
    """The values at the ends of the axis, whose digits extend beyond it."""
    scale = axes.logarithmic(values, 0, 1)
    return scale.low, scale.high


def _strip(strip: Strip, rows: RowLayout, scale: axes.Scale, top: float) -> list[Element]:
    tone = "tone-base" if strip.direct else "tone-0"
    middle = top + rows.above + _PITCH / 2 - (3 if rows.above else 0)
    places = [scale.at(value) if value >= axes.LEAST else scale.start for value in axes.usable(strip[1:5])]
    parts = [rows.label(strip.label, top, middle, taken=words_width(strip.words) + 8)]
    right = shapes.Position(rows.width, top + 12) if rows.above else shapes.Position(rows.end, middle + 4)
    parts.append(shapes.text(right, strip.words, "value", "end"))
    return parts + (_marks(places, middle, tone) if len(places) == 4 else [])


def _marks(places: Sequence[float], y: float, tone: str) -> list[Element]:
    p50, p95, p99, most = places
    return [
        shapes.line(shapes.Position(p50, y), shapes.Position(most, y), f"thin {tone}"),
        shapes.line(shapes.Position(p50, y), shapes.Position(p95, y), f"thick {tone}"),
        shapes.line(shapes.Position(p95, y - 6), shapes.Position(p95, y + 6), f"tall {tone}"),
        shapes.line(shapes.Position(p99, y - 4), shapes.Position(p99, y + 4), f"tall {tone}"),
        shapes.element("circle", f"hollow {tone}", cx=most, cy=y, r=3.2),
        shapes.element("circle", f"mark {tone}", cx=p50, cy=y, r=4.6),
    ]


def _circle(at: shapes.Position, css: str, radius: float) -> list[Element]:
    return [shapes.element("circle", f"{css} tone-0", cx=at.x + 5, cy=at.y, r=radius)]


def _tall(at: shapes.Position, half: float) -> list[Element]:
    return [
        shapes.line(
            shapes.Position(at.x + 5, at.y - half), shapes.Position(at.x + 5, at.y + half), "tall tone-0"
        )
    ]


_ENTRIES: Final = (
    LegendEntry("median", lambda at: _circle(at, "mark", 4.6), 10),
    LegendEntry("p95", lambda at: _tall(at, 6), 10),
    LegendEntry("p99", lambda at: _tall(at, 4), 10),
    LegendEntry("most", lambda at: _circle(at, "hollow", 3.2), 10),
)
