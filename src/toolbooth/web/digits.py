"""Figures → the digits that people read; what is unknown or not finite is a dash."""

from math import floor, isfinite, log10
from typing import Final

UNKNOWN: Final = "–"
_NO_DIGITS: Final = 100  # from here on fractions of a token say nothing
_BEYOND: Final = 1e15
_UNITS: Final = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))


def number(value: float | None) -> str:
    """12345.6 → 12,346; 12.34 → 12.3; 0.0123 → 0.012."""
    if value is None or not isfinite(value):
        return UNKNOWN
    if abs(value) >= _BEYOND:
        return f"{value:.3g}"
    if value == int(value) or abs(value) >= _NO_DIGITS:
        return f"{round(value):,}".replace("-", "−")
    return (f"{value:.1f}" if abs(value) >= 1 else f"{value:.2g}").replace("-", "−")


def short(value: float) -> str:
    """For ticks: 1500 → 1.5k, 20000 → 20k, 0.2 → 0.2."""
    if not isfinite(value):
        return UNKNOWN
    for size, unit in _UNITS:
        if abs(value) >= size:
            return f"{value / size:.3g}{unit}".replace("-", "−")
    return f"{value:.3g}".replace("-", "−")


def size(tools: float) -> str:
    """Of a catalog: 2,048 as it is, 17,570 as 17.6k."""
    return number(tools) if abs(tools) < 10_000 else short(tools)


def milliseconds(value: float | None) -> str:
    """Two digits at least, and the unit in which people say it: 840 µs, 12 ms, 1.4 s."""
    if value is None or not isfinite(value):
        return UNKNOWN
    if value >= 1000:
        return f"{_two(value / 1000)} s"
    return f"{_two(value * 1000)} µs" if 0 < value < 0.1 else f"{_two(value)} ms"


def megabytes(value: float | None) -> str:
    """With its unit."""
    if value is None or not isfinite(value):
        return UNKNOWN
    return f"{_two(value / 1024)} GB" if value >= 10_240 else f"{_two(value)} MB"


def score(value: float | None) -> str:
    """A mean between 0 and 1: three decimals."""
    return _decimals(value, ".3f")


def hundredths(value: float | None) -> str:
    """The same where there is little room."""
    return _decimals(value, ".2f")


def signed(value: float | None) -> str:
    """A difference of two such means."""
    return _decimals(value, "+.3f")


def interval(bounds: tuple[float, float] | None) -> str:
    """`0.812 to 0.934`; equal bounds come from equal values, and drawing from those tells nothing."""
    return (
        UNKNOWN if bounds is None or bounds[0] == bounds[1] else f"{score(bounds[0])} to {score(bounds[1])}"
    )


def percent(share: float | None) -> str:
    """0.934 → 93.4 %, −0.12 → −12 %; never 100 % for what is not all."""
    if share is None or not isfinite(share):
        return UNKNOWN
    if abs(share) >= _BEYOND:
        return f"{share * 100:.3g} %"
    tenths = f"{share * 100:.1f}"
    exact = tenths if tenths != "100.0" or share == 1 else f"{floor(share * 10_000) / 100:.2f}"
    return f"{exact.removesuffix('.0')} %".replace("-", "−")


def times(value: float | None) -> str:
    """A ratio: 1.84×."""
    return UNKNOWN if value is None or not isfinite(value) else f"{value:.3g}×"


def probability(value: float) -> str:
    """Never a plain zero: a test with so many draws cannot say that."""
    return "< 0.001" if value < 0.001 else score(value)


def counted(count: float, noun: str) -> str:
    """1 tool, 2 tools."""
    return f"{number(count)} {noun}" if count == 1 else f"{number(count)} {noun}s"


def _decimals(value: float | None, form: str) -> str:
    if value is None or not isfinite(value):
        return UNKNOWN
    return (f"{value:{form}}" if abs(value) < _BEYOND else f"{value:.3g}").replace("-", "−")


def _two(value: float) -> str:
    """At least two digits that mean something, at most one decimal from ten on."""
    if abs(value) >= _BEYOND:
        return f"{value:.3g}"
    if value >= 100 or value <= 0:
        return f"{value:,.0f}"
    return f"{value:.{max(0, 1 - floor(log10(value)))}f}" if value >= 1e-6 else f"{value:.2g}"
