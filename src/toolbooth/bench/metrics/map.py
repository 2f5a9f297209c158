"""Ranked ids + relevance → average precision; its mean over the queries is the MAP."""

from collections.abc import Sequence

from toolbooth.bench.metrics.gains import RELEVANT, Relevance, gains, relevant_count


def average_precision(ranked: Sequence[str], relevance: Relevance) -> float:
    """Σ precision at each relevant hit over all relevant ids; 0 where nothing is relevant."""
    found, total = 0, 0.0
    for rank, gain in enumerate(gains(ranked, relevance), start=1):
        if gain >= RELEVANT:
            found += 1
            total += found / rank
    wanted = relevant_count(relevance)
    return total / wanted if wanted else 0.0
