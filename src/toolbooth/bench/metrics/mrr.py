"""Ranked ids + relevance → reciprocal rank; its mean over the queries is the MRR."""

from collections.abc import Sequence

from toolbooth.bench.metrics.gains import RELEVANT, Relevance, gains


def first_relevant_rank(ranked: Sequence[str], relevance: Relevance) -> int | None:
    """The rank, from 1, of the first relevant id; None where none was found."""
    found = enumerate(gains(ranked, relevance), start=1)
    return next((rank for rank, gain in found if gain >= RELEVANT), None)


def reciprocal_rank(ranked: Sequence[str], relevance: Relevance) -> float:
    """One over the rank of the first relevant id; 0 where none was found."""
    rank = first_relevant_rank(ranked, relevance)
    return 1 / rank if rank else 0.0
