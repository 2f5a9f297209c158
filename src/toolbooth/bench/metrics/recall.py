"""Ranked ids + relevance → recall at k, the share of what is relevant that stands in the first k; and its curve."""

from collections.abc import Sequence
from itertools import accumulate

from toolbooth.bench.metrics.gains import RELEVANT, Relevance, gains, relevant_count


def recall_at_k(ranked: Sequence[str], relevance: Relevance, k: int) -> float:
    """Relevant ids in the first `k` over all relevant ids; 0 where nothing is relevant."""
    wanted = relevant_count(relevance)
    found = sum(gain >= RELEVANT for gain in gains(ranked, relevance, k))
    return found / wanted if wanted else 0.0


def recall_curve(ranked: Sequence[str], relevance: Relevance, depth: int) -> list[float]:
    """Recall at every k from 1 to `depth`, in one pass."""
    wanted = relevant_count(relevance)
    hits = [gain >= RELEVANT for gain in gains(ranked, relevance, depth)]
    found = list(accumulate([*hits, *[False] * (depth - len(hits))]))
    return [each / wanted if wanted else 0.0 for each in found]
