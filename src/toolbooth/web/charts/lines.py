"""Line charts of series of points with interval bands, on linear or logarithmic axes, with names at the ends of the
lines.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element

from toolbooth.web.charts import axes, shapes
from toolbooth.web.charts.labels import (
    LINE_HEIGHT,
    WIDE_FROM,
    legend,
    line_entry,
    shorten,
    spread_apart,
    text_width as words_width,
)

HEIGHT: Final = 215  # of the field between the axes
_UNDER: Final = 42
_NAME_SHARE: Final = 0.3  # of the width, for names at the ends of lines


class Point(NamedTuple):
    """A value at a position, with its interval where it has one; a `hollow` point is not about real tools."""

    x: float
    y: float
    low: float | None = None
    high: float | None = None
    hollow: bool = False


class Series(NamedTuple):
    """A line; `number` selects its colour, dashes and mark."""

    name: str
    points: tuple[Point, ...]
    number: int


class AxisMark(NamedTuple):
    """A position along the x axis that has a meaning."""

    x: float
    words: str


@dataclass(frozen=True)
class LinePlot:
    """The data of a line chart.

    `x_ticks` replace the ticks of the x axis where they are given; `top` is the least upper end of the y axis.
    """

    series: tuple[Series, ...]
    x_title: str
    y_title: str
    x_digits: axes.Digits
    y_digits: axes.Digits
    x_log: bool = False
    y_log: bool = False
    x_ticks: tuple[float, ...] = ()
    top: float = 0.0
    marks: tuple[AxisMark, ...] = ()
    height: float = HEIGHT


class PlotArea(NamedTuple):
    """The position of the axes, and the height of the whole chart."""

    x: axes.Scale
    y: axes.Scale
    names: float  # the width for names at the right; 0 where they are in a legend
    height: float


def lines(given: LinePlot, width: float) -> shapes.Drawing:
    """Names are at the ends of the lines where they fit, else in a legend above."""
    plot = _drawable(given)
    in_legend = plot.series if width < WIDE_FROM and len(plot.series) > 1 else ()
    key = legend([line_entry(each.name, each.number) for each in in_legend], width)
    field = _field(plot, width, key.height)
    x_ticks = plot.x_ticks or field.x.ticks(8 if width > WIDE_FROM else 5)
    y_axis = axes.Axis(field.y, plot.y_digits, field.y.ticks(6))
    # The title is above its axis, not along it, so that nobody has to tilt their head.
    parts = [*key.parts, shapes.text(shapes.Position(0, key.height + 13), plot.y_title, "axis-title")]
    parts += axes.draw_y_axis(y_axis, field.x.start, field.x.end)
    parts += axes.draw_x_axis(
        axes.Axis(field.x, plot.x_digits, x_ticks), field.y.end, field.y.start, plot.x_title
    )
    parts += _marks(plot.marks, field)
    over = sorted(plot.series, key=_drawn_over)
    parts += [element for each in over for element in _band(each, field)]
    parts += [element for each in over for element in _line(each, field)]
    parts += _names(plot.series, field) if field.names else []
    return shapes.Drawing(width, field.height, tuple(parts))


def _drawn_over(series: Series) -> tuple[bool, int]:
    """The baseline is drawn first and the first series, which the chart is about, last, on top of the others."""
    return series.number != shapes.BASE, -series.number


def _drawable(plot: LinePlot) -> LinePlot:
    """Without points that cannot be drawn: not finite, or not above zero where an axis is logarithmic."""
    series = tuple(
        Series(each.name, tuple(point for point in each.points if _has_place(point, plot)), each.number)
        for each in plot.series
    )
    return LinePlot(**{**vars(plot), "series": tuple(each for each in series if each.points)})


def _has_place(point: Point, plot: LinePlot) -> bool:
    finite = len(axes.usable(point[:2])) == 2
    return finite and (not plot.x_log or point.x >= axes.LEAST) and (not plot.y_log or point.y >= axes.LEAST)


def _field(plot: LinePlot, width: float, key: float) -> PlotArea:
    xs = [point.x for each in plot.series for point in each.points]
    ys = [bound for each in plot.series for point in each.points for bound in point[1:4] if bound is not None]
    top = key + 30 + LINE_HEIGHT * 0.8 * len(plot.marks)
    bottom = top + plot.height
    y = (
        axes.logarithmic(ys, bottom, top)
        if plot.y_log
        else axes.linear([*ys, plot.top], bottom, top, ticks=6)
    )
    left = axes.tick_width(axes.Axis(y, plot.y_digits, y.ticks(6))) + 12
    names = 0.0
    if width >= WIDE_FROM and plot.series:
        widest = max(words_width(each.name) for each in plot.series) + 16
        names = min(widest, width * _NAME_SHARE)
    right = width - (names or max(12.0, words_width(plot.x_digits(max(xs, default=0))) / 2 + 2))
    return PlotArea(_x_scale(plot, xs, left, right), y, names, bottom + _UNDER)


def _x_scale(plot: LinePlot, xs: Sequence[float], left: float, right: float) -> axes.Scale:
    """From the first point to the last, without a margin before or after them."""
    if plot.x_log:
        low, high = min(xs, default=1.0), max(xs, default=10.0)
        return (
            axes.Scale(low, high, left, right, log=True)
            if high > low
            else axes.logarithmic([low], left, right)
        )
    low, high = min(xs, default=0.0), max(xs, default=1.0)
    return axes.Scale(low, high, left, right) if high > low else axes.Scale(low - 1, high + 1, left, right)


def _at(point: Point, field: PlotArea) -> shapes.Position:
    return shapes.Position(field.x.at(point.x), field.y.at(point.y))


def _band(series: Series, field: PlotArea) -> list[Element]:
    known = [point for point in series.points if point.low is not None and point.high is not None]
    if len(known) < 2:
        return []
    upper = [shapes.Position(field.x.at(point.x), field.y.at(point.high or 0)) for point in known]
    lower = [shapes.Position(field.x.at(point.x), field.y.at(point.low or 0)) for point in reversed(known)]
    return [shapes.path(upper + lower, f"band {shapes.tone(series.number)}", closed=True)]


def _line(series: Series, field: PlotArea) -> list[Element]:
    places = [_at(point, field) for point in series.points]
    parts = [shapes.path(places, f"line {shapes.tone(series.number)}")] if len(places) > 1 else []
    for point, place in zip(series.points, places, strict=True):
        parts.append(shapes.marker(place, series.number, point.hollow))
    return parts


def _names(series: Sequence[Series], field: PlotArea) -> list[Element]:
    ends = [_at(each.points[-1], field) for each in series]
    heights = spread_apart([end.y for end in ends], 16, field.y.end + 2, field.y.start)
    left = field.x.end + 12
    parts = []
    for each, end, y in zip(series, ends, heights, strict=True):
        if abs(end.y - y) > 3 or end.x < field.x.end - 1:
            parts.append(
                shapes.line(
                    shapes.Position(end.x + 6, end.y),
                    shapes.Position(left - 2, y),
                    f"leader {shapes.tone(each.number)}",
                )
            )
        name = shorten(each.name, field.names - 14)
        parts.append(
            shapes.text(
                shapes.Position(left, y + 4), name, f"name {shapes.tone(each.number)}", whole=each.name
            )
        )
    return parts


def _marks(marks: Sequence[AxisMark], field: PlotArea) -> list[Element]:
    """Dashed vertical lines, each only as high as its own label, so that no line crosses the label of another."""
    parts = []
    for index, mark in enumerate(sorted(marks, key=lambda each: -each.x)):
        x = field.x.at(mark.x)
        y = field.y.end - 8 - LINE_HEIGHT * 0.8 * index
        parts.append(shapes.line(shapes.Position(x, y - 9), shapes.Position(x, field.y.start), "reference"))
        right, left = field.x.end + field.names - x - 6, x - 6
        to_right = words_width(mark.words) <= right or right >= left
        words = shorten(mark.words, right if to_right else left)
        at, anchor = (shapes.Position(x + 5, y), "start") if to_right else (shapes.Position(x - 5, y), "end")
        parts.append(shapes.text(at, words, "note", anchor, whole=mark.words))
    return parts
