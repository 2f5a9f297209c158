"""How fast each figure grows with the catalog, and sentences about figures that grow too fast."""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from toolbooth.bench.report import SizePoint

FIGURES: Final[Mapping[str, str]] = {
    "baseline_tokens": "tokens of all definitions",
    "menu_tokens": "tokens of the menu",
    "read_ms": "reading the file",
    "build_ms": "making the index",
    "start_ms": "a warm start",
    "search_p50_ms": "a search (p50)",
    "search_p95_ms": "a search (p95)",
    "memory_mb": "memory",
}
_LAST: Final = 3  # sizes: two may catch a busy moment, and at small sizes fixed costs dominate
FASTER: Final = 1.25  # log-log: 1 is as fast as the catalog; caches of a busy machine change it by 0.15
_FLAT, _GROWS = 0.25, 0.5


def exponents(points: Sequence[SizePoint]) -> dict[str, float]:
    """The slope of each figure on a log-log scale, by least squares over the last sizes; none for a single size."""
    last = points[-_LAST:]
    slopes = {name: _slope(last, name) for name in FIGURES}
    return {name: round(slope, 3) for name, slope in slopes.items() if slope is not None}


def bends(points: Sequence[SizePoint]) -> tuple[str, ...]:
    """Sentences about figures that grow faster than the catalog at the end, and about those flat only at first."""
    steep = {name: max(slope, _last_slope(points, name)) for name, slope in exponents(points).items()}
    faster = tuple(
        f"{FIGURES[name]} grows faster than the catalog: {_parts(points, name)}"
        for name, slope in steep.items()
        if slope > FASTER
    )
    if steep and not faster:
        faster = ("nothing grows faster than the catalog",)
    return (
        *faster,
        *(said for name, slope in steep.items() if slope <= FASTER for said in _flat(points, name)),
    )


def _last_slope(points: Sequence[SizePoint], name: str) -> float:
    return _slope(points[-2:], name) or 0.0


def _parts(points: Sequence[SizePoint], name: str) -> str:
    """Every step from size to size that is too steep."""
    steep = [each for each in _steps(points, name) if each.slope > FASTER]
    return ", ".join(
        f"exponent {slope:.2f} from {small:,} to {large:,} tools" for small, large, slope in steep
    )


def _flat(points: Sequence[SizePoint], name: str) -> Iterator[str]:
    steps = _steps(points, name)
    flat = [at for at, each in enumerate(steps) if each.slope < _FLAT]
    if flat and any(each.slope > _GROWS for each in steps[flat[-1] + 1 :]):
        small, large, slope = steps[-1]
        yield (
            f"{FIGURES[name]} stays nearly flat up to {steps[flat[-1]].large:,} tools, then grows "
            f"(exponent {slope:.2f} from {small:,} to {large:,})"
        )


class _Step(NamedTuple):
    small: int
    large: int
    slope: float


def _steps(points: Sequence[SizePoint], name: str) -> list[_Step]:
    slopes = [(one.tools, other.tools, _slope((one, other), name)) for one, other in pairwise(points)]
    return [_Step(small, large, slope) for small, large, slope in slopes if slope is not None]


def _slope(points: Sequence[SizePoint], name: str) -> float | None:
    pairs = [(point.tools, float(getattr(point, name))) for point in points]
    logs = [(math.log(tools), math.log(value)) for tools, value in pairs if value > 0]
    if len(logs) < 2 or len(logs) < len(points):
        return None
    mean_x, mean_y = (sum(values) / len(logs) for values in zip(*logs, strict=True))
    spread = sum((x - mean_x) ** 2 for x, _ in logs)
    return sum((x - mean_x) * (y - mean_y) for x, y in logs) / spread if spread else None
