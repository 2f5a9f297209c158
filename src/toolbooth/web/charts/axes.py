"""Scales and axes, linear or logarithmic, with a few round ticks."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor, isfinite, log10
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element

from toolbooth.web.charts.labels import text_width
from toolbooth.web.charts.shapes import Position, line, text

LEAST, MOST = 1e-9, 1e15  # more than any count of tokens, milliseconds or megabytes
_STEPS: Final = (1, 2, 5, 10)
_NEARLY: Final = 1e-9  # of a step: sums of floats differ from their round number by less


@dataclass(frozen=True)
class Scale:
    """Maps `low`…`high` to `start`…`end`, which may run backwards; values outside are drawn at the nearer end."""

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def at(self, value: float) -> float:
        """The position of a value."""
        inside = min(max(value, self.low), self.high)
        if self.log:
            share = log10(inside / self.low) / log10(self.high / self.low)
        else:
            share = (inside - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)

    def ticks(self, most: int = 6) -> list[float]:
        """Round values inside the range, about this many at most."""
        return log_ticks(self.low, self.high, most) if self.log else linear_ticks(self.low, self.high, most)


def linear(values: Iterable[float], start: float, end: float, ticks: int = 6) -> Scale:
    """A scale that includes zero and begins and ends at a tick."""
    known = [0.0, *usable(values)]
    low, high = min(known), max(known)
    high = high if high > low else low + 1
    step = _step((high - low) / max(1, ticks - 1))
    return Scale(floor(low / step + _NEARLY) * step, ceil(high / step - _NEARLY) * step, start, end)


def logarithmic(values: Iterable[float], start: float, end: float) -> Scale:
    """A scale over positive values, from one round number to another (1, 2, 5, 10, 20, …)."""
    known = [value for value in usable(values) if value >= LEAST] or [1.0, 10.0]
    low, high = _round_below(min(known)), _round_above(max(known))
    return Scale(low, high if high > low else low * 10, start, end, log=True)


def usable(values: Iterable[float]) -> list[float]:
    """Finite values that are not so large that their differences lose all digits."""
    return [min(max(value, -MOST), MOST) for value in values if isfinite(value)]


def linear_ticks(low: float, high: float, most: int) -> list[float]:
    """Multiples of 1, 2 or 5 times a power of ten; an empty range has one tick."""
    if not low < high:
        return [low]
    step = _step((high - low) / max(1, most - 1))
    first, last = ceil(low / step - _NEARLY), floor(high / step + _NEARLY)
    return [min(max(number * step, low), high) for number in range(first, last + 1)]


def log_ticks(low: float, high: float, most: int) -> list[float]:
    """Powers of ten, thinned where there are many; 1, 2, 5, 10 where there are few."""
    decades = range(floor(log10(low)), ceil(log10(high)) + 1)
    fine = [digit * 10.0**power for power in decades for digit in _STEPS[:3]]
    powers = [10.0**power for power in decades]
    chosen = [value for value in powers if low <= value <= high]
    if len(chosen) < 3:
        chosen = [value for value in fine if low <= value <= high] or [low]
    return chosen[:: ceil(len(chosen) / max(1, most))]


def thinned(places: Sequence[float], widths: Sequence[float], gap: float = 8) -> list[int]:
    """The labels that fit without touching one another, from the first on."""
    kept: list[int] = []
    for index, (place, width) in enumerate(zip(places, widths, strict=True)):
        if not kept or abs(place - places[kept[-1]]) >= (width + widths[kept[-1]]) / 2 + gap:
            kept.append(index)
    return kept


def _step(rough: float) -> float:
    power = 10.0 ** floor(log10(rough))
    return next(digit * power for digit in _STEPS if digit * power >= rough * (1 - _NEARLY))


def _round_below(value: float) -> float:
    power = 10.0 ** floor(log10(value))
    return max(digit * power for digit in (0.5, *_STEPS) if digit * power <= value * (1 + _NEARLY))


def _round_above(value: float) -> float:
    power = 10.0 ** floor(log10(value))
    return min(digit * power for digit in (*_STEPS, 20) if digit * power >= value * (1 - _NEARLY))


Digits = Callable[[float], str]


class Axis(NamedTuple):
    """A scale, the text of its ticks, and the ticks themselves where they are not the scale's own."""

    scale: Scale
    digits: Digits
    ticks: Sequence[float]


def tick_width(axis: Axis) -> float:
    """The width of the widest tick."""
    return max((text_width(axis.digits(value)) for value in axis.ticks), default=0.0)


def draw_x_axis(axis: Axis, top: float, bottom: float, title: str = "") -> list[Element]:
    """Below a chart: vertical lines through it, the digits under them, the title at the right end."""
    places = [axis.scale.at(value) for value in axis.ticks]
    words = [axis.digits(value) for value in axis.ticks]
    shown = thinned(places, [text_width(each) for each in words])
    parts = [line(Position(places[at], top), Position(places[at], bottom), "grid") for at in shown]
    parts += [text(Position(places[at], bottom + 16), words[at], "tick", "middle") for at in shown]
    if title:
        parts.append(
            text(Position(max(axis.scale.start, axis.scale.end), bottom + 33), title, "axis-title", "end")
        )
    return parts


def draw_y_axis(axis: Axis, left: float, right: float) -> list[Element]:
    """At the left of a chart: horizontal lines through it, and their digits."""
    parts = []
    for value in axis.ticks:
        y = axis.scale.at(value)
        parts.append(line(Position(left, y), Position(right, y), "grid"))
        parts.append(text(Position(left - 8, y + 4), axis.digits(value), "tick", "end"))
    return parts
