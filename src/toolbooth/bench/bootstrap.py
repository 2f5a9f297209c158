"""Statistics over queries: seeded percentile bootstrap intervals, and the p value of a paired difference."""

from collections.abc import Callable, Iterator, Sequence
from statistics import fmean
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]

RESAMPLES = (
    10_000  # the bounds of a 95 % interval then differ by about a hundredth of its width between seeds
)
_BLOCK = 1 << 20  # drawn indexes in memory at once: 8 MB, for any number of queries
_ROUNDING = 1e-12  # sums in another order differ by this much and are still "as large"


class Interval(NamedTuple):
    """A mean and its confidence bounds."""

    mean: float
    low: float
    high: float


def bootstrap_mean(
    values: Sequence[float], *, seed: int = 0, resamples: int = RESAMPLES, confidence: float = 0.95
) -> Interval:
    """Percentile interval of the mean; the same values and seed give the same bounds."""
    column = np.asarray(values, dtype=np.float64)[:, np.newaxis]
    return bootstrap_means(column, seed=seed, resamples=resamples, confidence=confidence)[0]


def bootstrap_means(
    table: Values, *, seed: int = 0, resamples: int = RESAMPLES, confidence: float = 0.95
) -> list[Interval]:
    """Bootstrap every column of a table with one row per query, from one set of draws.

    A draw counts how often each query was drawn, so all columns are one matrix product: 2,000 queries and 40 columns
    take as long as a single column would otherwise.
    """
    queries = len(table)
    if not queries:
        raise ValueError("there are no values to average")
    rng = np.random.default_rng(seed)

    def draw(rows: int) -> Values:
        drawn = rng.integers(queries, size=(rows, queries)) + np.arange(rows)[:, np.newaxis] * queries
        often = np.bincount(drawn.ravel(), minlength=rows * queries).reshape(rows, queries)
        return np.asarray(often.astype(np.float64) @ table) / queries

    tail = (1 - confidence) / 2
    low, high = np.quantile(_in_blocks(draw, resamples, queries), (tail, 1 - tail), axis=0)
    bounds = zip(map(fmean, table.T.tolist()), low.tolist(), high.tolist(), strict=True)
    return [Interval(*each) for each in bounds]


def sign_flip(differences: Values, seed: int = 0, resamples: int = RESAMPLES) -> float:
    """The p value: how often random signs of the differences give a sum at least as far from zero."""
    moved = differences[differences != 0]  # a pair without a difference has no sign to flip
    if not moved.size:
        return 1.0
    observed = abs(float(moved.sum())) - _ROUNDING
    if 2**moved.size <= resamples:
        signs = np.array(list(_all_signs(moved.size)), dtype=np.float64).reshape(-1, moved.size)
        return float(np.mean(np.abs(signs @ moved) >= observed))
    rng = np.random.default_rng(seed)

    def draw(rows: int) -> Values:
        signs: NDArray[Any] = rng.integers(2, size=(rows, moved.size), dtype=np.int8) * 2 - 1
        return np.asarray(np.abs(signs @ moved))

    as_far = np.count_nonzero(_in_blocks(draw, resamples, moved.size) >= observed)
    return float((as_far + 1) / (resamples + 1))  # the observed signs count, so p is never zero


def _all_signs(size: int) -> Iterator[list[int]]:
    return ([1 if number >> place & 1 else -1 for place in range(size)] for number in range(2**size))


def _in_blocks(draw: Callable[[int], Values], resamples: int, size: int) -> Values:
    step = max(1, _BLOCK // max(1, size))
    return np.concatenate([draw(min(step, resamples - done)) for done in range(0, resamples, step)])
