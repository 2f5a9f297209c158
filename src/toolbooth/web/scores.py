"""The figures that only pages print: scores between 0 and 1, their differences and intervals, and sizes of catalogs.

All other figures are printed by `toolbooth.figures`.
"""

from math import isfinite
from typing import Final

from toolbooth import figures

_BEYOND: Final = 1e15


def size(tools: float) -> str:
    """The size of a catalog: 2,048 in full, 17,570 as 17.6k."""
    return figures.number(tools) if abs(tools) < 10_000 else figures.short(tools)


def score(value: float | None) -> str:
    """A mean between 0 and 1, with three decimals."""
    return _decimals(value, ".3f")


def hundredths(value: float | None) -> str:
    """A mean with two decimals, for narrow places."""
    return _decimals(value, ".2f")


def signed(value: float | None) -> str:
    """A difference of two such means."""
    return _decimals(value, "+.3f")


def interval(bounds: tuple[float, float] | None) -> str:
    """`0.812 to 0.934`; unknown for equal bounds, because resampling equal values says nothing."""
    return (
        figures.UNKNOWN
        if bounds is None or bounds[0] == bounds[1]
        else f"{score(bounds[0])} to {score(bounds[1])}"
    )


def probability(value: float) -> str:
    """Never a plain zero, because a test with a limited number of draws cannot show that."""
    return "< 0.001" if value < 0.001 else score(value)


def _decimals(value: float | None, form: str) -> str:
    if value is None or not isfinite(value):
        return figures.UNKNOWN
    return (f"{value:{form}}" if abs(value) < _BEYOND else f"{value:.3g}").replace("-", "−")
