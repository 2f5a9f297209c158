"""Retrieval metrics of one ranking: recall at k, reciprocal rank, nDCG at k, average precision.

Each takes ranked ids and the relevance of ids. All metrics use the same gains: a repeated id gains nothing.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from math import log2

Relevance = Mapping[str, int]

RELEVANT = 1  # a label with at least this relevance counts as relevant; below it, the tool is judged wrong


def gains(ranked: Sequence[str], relevance: Relevance, k: int | None = None) -> list[int]:
    """The relevance found at each of the first `k` ranks; a repeated id gains nothing there."""
    seen: set[str] = set()
    found = []
    for each in ranked[:k]:
        found.append(0 if each in seen else max(0, relevance.get(each, 0)))
        seen.add(each)
    return found


def relevant_count(relevance: Relevance) -> int:
    """How many relevant ids there are."""
    return sum(value >= RELEVANT for value in relevance.values())


def recall_at_k(ranked: Sequence[str], relevance: Relevance, k: int) -> float:
    """Relevant ids in the first `k` divided by all relevant ids; 0 if nothing is relevant."""
    wanted = relevant_count(relevance)
    found = sum(gain >= RELEVANT for gain in gains(ranked, relevance, k))
    return found / wanted if wanted else 0.0


def recall_curve(ranked: Sequence[str], relevance: Relevance, depth: int) -> list[float]:
    """Recall at every k from 1 to `depth`, in one pass."""
    wanted = relevant_count(relevance)
    hits = [gain >= RELEVANT for gain in gains(ranked, relevance, depth)]
    found = list(accumulate([*hits, *[False] * (depth - len(hits))]))
    return [each / wanted if wanted else 0.0 for each in found]


def first_relevant_rank(ranked: Sequence[str], relevance: Relevance) -> int | None:
    """The rank, from 1, of the first relevant id; None if none was found."""
    found = enumerate(gains(ranked, relevance), start=1)
    return next((rank for rank, gain in found if gain >= RELEVANT), None)


def reciprocal_rank(ranked: Sequence[str], relevance: Relevance) -> float:
    """One divided by the rank of the first relevant id; 0 if none was found."""
    rank = first_relevant_rank(ranked, relevance)
    return 1 / rank if rank else 0.0


def ndcg_at_k(ranked: Sequence[str], relevance: Relevance, k: int) -> float:
    """Σ rel/log2(rank+1) over the first `k`, divided by that of the ideal order; 0 if nothing is relevant."""
    best = sorted((max(0, value) for value in relevance.values()), reverse=True)
    ideal = _discounted(best[:k])
    return _discounted(gains(ranked, relevance, k)) / ideal if ideal else 0.0


def _discounted(values: Iterable[int]) -> float:
    return sum(value / log2(rank + 1) for rank, value in enumerate(values, start=1))


def average_precision(ranked: Sequence[str], relevance: Relevance) -> float:
    """Σ precision at each relevant hit, divided by all relevant ids; 0 if nothing is relevant."""
    found, total = 0, 0.0
    for rank, gain in enumerate(gains(ranked, relevance), start=1):
        if gain >= RELEVANT:
            found += 1
            total += found / rank
    wanted = relevant_count(relevance)
    return total / wanted if wanted else 0.0
