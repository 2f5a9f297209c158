"""Ranked ids + relevance → recall at k: the share of what is relevant that stands in the first k."""

from collections.abc import Sequence

from toolbooth.bench.metrics.gains import RELEVANT, Relevance, gains, relevant_count


def recall_at_k(ranked: Sequence[str], relevance: Relevance, k: int) -> float:
    """Relevant ids in the first `k` over all relevant ids; 0 where nothing is relevant."""
    wanted = relevant_count(relevance)
    found = sum(gain >= RELEVANT for gain in gains(ranked, relevance, k))
    return found / wanted if wanted else 0.0
