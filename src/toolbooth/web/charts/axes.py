"""Scales → axes: thin lines, few ticks, a title that stands where it is read."""

from collections.abc import Callable, Sequence
from typing import NamedTuple
from xml.etree.ElementTree import Element

from toolbooth.web.charts.lettering import width
from toolbooth.web.charts.scale import Scale, thinned
from toolbooth.web.charts.shapes import Place, line, text

Digits = Callable[[float], str]


class Axis(NamedTuple):
    """A scale, what its ticks say, and which they are where not the scale's own."""

    scale: Scale
    digits: Digits
    ticks: Sequence[float]


def tick_room(axis: Axis) -> float:
    """The width of the widest tick."""
    return max((width(axis.digits(value)) for value in axis.ticks), default=0.0)


def below(axis: Axis, top: float, bottom: float, title: str = "") -> list[Element]:
    """Under a chart: lines up through it, the digits below, the title at the right end."""
    places = [axis.scale.at(value) for value in axis.ticks]
    words = [axis.digits(value) for value in axis.ticks]
    shown = thinned(places, [width(each) for each in words])
    parts = [line(Place(places[at], top), Place(places[at], bottom), "grid") for at in shown]
    parts += [text(Place(places[at], bottom + 16), words[at], "tick", "middle") for at in shown]
    if title:
        parts.append(
            text(Place(max(axis.scale.start, axis.scale.end), bottom + 33), title, "axis-title", "end")
        )
    return parts


def beside(axis: Axis, left: float, right: float) -> list[Element]:
    """At the left of a chart: lines across it, and their digits."""
    parts = []
    for value in axis.ticks:
        y = axis.scale.at(value)
        parts.append(line(Place(left, y), Place(right, y), "grid"))
        parts.append(text(Place(left - 8, y + 4), axis.digits(value), "tick", "end"))
    return parts
