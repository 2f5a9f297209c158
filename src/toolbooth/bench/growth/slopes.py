"""Figures at several sizes → how fast each of them grows, and sentences about those that grow too fast."""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

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
_LAST: Final = 3  # sizes: two may tell of a busy moment, more of the beginning, where fixed costs rule
FASTER: Final = 1.25  # log-log: 1 is as fast as the catalog; a busy machine's caches move it by .15
_FLAT, _GROWS = 0.25, 0.5


def exponents(points: Sequence[SizePoint]) -> dict[str, float]:
    """The slope of each figure on a log-log scale, by least squares over the last sizes; none of a single size."""
    last = points[-_LAST:]
    slopes = {name: _slope(last, name) for name in FIGURES}
    return {name: round(slope, 3) for name, slope in slopes.items() if slope is not None}


def bends(points: Sequence[SizePoint]) -> tuple[str, ...]:
    """What grows faster than the catalog, and what is flat at first and then is not."""
    return tuple(sentence for name in FIGURES for sentence in _bends(points, name))


def _bends(points: Sequence[SizePoint], name: str) -> Iterator[str]:
    slopes = [(one, other, _slope((one, other), name)) for one, other in pairwise(points)]
    known = [(one.tools, other.tools, slope) for one, other, slope in slopes if slope is not None]
    faster = [each for each in known if each[2] > FASTER]
    if faster:
        parts = ", ".join(f"{small:,} to {large:,} (exponent {slope:.2f})" for small, large, slope in faster)
        yield f"{FIGURES[name]} grows faster than the catalog from {parts}"
        return
    flat = [at for at, each in enumerate(known) if each[2] < _FLAT]
    if flat and any(slope > _GROWS for _, _, slope in known[flat[-1] + 1 :]):
        small, large, slope = known[-1]
        yield (
            f"{FIGURES[name]} stays nearly flat up to {known[flat[-1]][1]:,} tools and then grows with the catalog "
            f"(exponent {slope:.2f} from {small:,} to {large:,})"
        )


def _slope(points: Sequence[SizePoint], name: str) -> float | None:
    pairs = [(point.tools, float(getattr(point, name))) for point in points]
    logs = [(math.log(tools), math.log(value)) for tools, value in pairs if value > 0]
    if len(logs) < 2 or len(logs) < len(points):
        return None
    mean_x, mean_y = (sum(values) / len(logs) for values in zip(*logs, strict=True))
    spread = sum((x - mean_x) ** 2 for x, _ in logs)
    return sum((x - mean_x) * (y - mean_y) for x, y in logs) / spread if spread else None
