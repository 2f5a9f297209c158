"""Ranked ids + relevance → nDCG at k with linear gain, against the best order the labels allow."""

from collections.abc import Iterable, Sequence
from math import log2

from toolbooth.bench.metrics.gains import Relevance, gains


def ndcg_at_k(ranked: Sequence[str], relevance: Relevance, k: int) -> float:
    """Σ rel/log2(rank+1) over the first `k`, divided by that of the ideal order; 0 where nothing is relevant."""
    best = sorted((max(0, value) for value in relevance.values()), reverse=True)
    ideal = _discounted(best[:k])
    return _discounted(gains(ranked, relevance, k)) / ideal if ideal else 0.0


def _discounted(values: Iterable[int]) -> float:
    return sum(value / log2(rank + 1) for rank, value in enumerate(values, start=1))
