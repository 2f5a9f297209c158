"""Ranked ids + relevance of ids → the gain at each rank, as every metric reads it."""

from collections.abc import Mapping, Sequence

Relevance = Mapping[str, int]

RELEVANT = 1  # from this relevance on a label counts as relevant; below it, it is a judged miss


def gains(ranked: Sequence[str], relevance: Relevance, k: int | None = None) -> list[int]:
    """The relevance found at each of the first `k` ranks; an id that comes again gains nothing there."""
    seen: set[str] = set()
    found = []
    for each in ranked[:k]:
        found.append(0 if each in seen else max(0, relevance.get(each, 0)))
        seen.add(each)
    return found


def relevant_count(relevance: Relevance) -> int:
    """How many ids there are to be found."""
    return sum(value >= RELEVANT for value in relevance.values())
