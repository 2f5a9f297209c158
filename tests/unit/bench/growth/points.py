"""Sizes whose figures all grow as the catalog does, unless said otherwise."""

from toolbooth.bench.growth import FIGURES
from toolbooth.bench.report import SizePoint


def point(tools: int, **figures: float) -> SizePoint:
    plain = {name: float(tools) for name in FIGURES}
    return SizePoint(tools, 0, **{**plain, **figures})  # type: ignore[arg-type]
