"""The order of the hits, from fused scores, names, filters and usage.

Tools that do the opposite of the request are found here, too: `words/opposites.toml` lists opposite actions.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from toolbooth.search import analysis, block, fusion
from toolbooth.search.fields import Field
from toolbooth.search.index import Index
from toolbooth.search.query import Query

_LONGEST_NAME: Final = 300  # no id is longer, so that a longer query is not a name
_DIGITS: Final = 6  # scores that differ only in later digits are the same score, summed in another order


class Ranked(NamedTuple):
    """Tools from best to worst, the usage boost of each, and which of them the query names outright."""

    numbers: block.Numbers
    boosts: block.Floats
    named: NDArray[np.bool_]


def rank(
    fused: block.Floats,
    candidates: block.Numbers,
    limit: int,
    named: Mapping[int, int],
    index: Index,
    usage: Mapping[str, int],
) -> Ranked:
    """Named tools come first, then the order is by boosted score, then by id; each id occurs once."""
    if named:
        candidates = np.union1d(candidates, np.array(list(named), np.intp))
    boosts = np.zeros(len(candidates), np.float32)
    if usage:
        boosts = fusion.usage_boosts(
            np.array([usage.get(index.tools[at].id, 0) for at in candidates], np.float64)
        )
    levels = np.array([named.get(int(at), 0) for at in candidates], np.intp)
    worth = np.round(fused[candidates] + boosts, _DIGITS)
    order = np.lexsort((index.ids_in_order[candidates], -worth, -levels))
    order = order[_first_of_each(candidates[order], index)][:limit]
    return Ranked(candidates[order], boosts[order], levels[order] > 0)


def names_in(query: str, allowed: NDArray[np.bool_] | None, index: Index) -> dict[int, int]:
    """The tools that the query names: 2 for an exact match, 1 where only case and separators differ."""
    asked = query.strip()
    if not asked or len(asked) > _LONGEST_NAME:
        return {}
    found = [at for at in index.named(analysis.squeeze(asked)) if allowed is None or allowed[at]]
    spelled = ((at, index.tools[at]) for at in found)
    return {at: 2 if asked in (tool.name.strip(), tool.id.strip()) else 1 for at, tool in spelled}


def best_of(fused: block.Floats, limit: int, allowed: NDArray[np.bool_] | None) -> block.Numbers:
    """The tools with the best scores, in no order, and those that usage could still lift among them."""
    open_to = np.arange(len(fused)) if allowed is None else np.flatnonzero(allowed)
    if len(open_to) <= limit:
        return open_to
    scores = fused[open_to]
    last = np.partition(scores, len(scores) - limit)[len(scores) - limit]
    best: block.Numbers = open_to[scores >= last - fusion.USAGE_LIMIT]
    return best


def _first_of_each(ordered: block.Numbers, index: Index) -> list[int]:
    """The positions of tools whose id did not occur before."""
    seen: dict[str, int] = {}
    for place, at in enumerate(ordered.tolist()):
        seen.setdefault(index.tools[at].id, place)
    return list(seen.values())


@cache
def opposites() -> dict[str, frozenset[str]]:
    """Every stem of the file with the stems of the other side of its rows."""
    rows = tomllib.loads((analysis.WORDS / "opposites.toml").read_text("utf-8"))["rows"]
    found: dict[str, frozenset[str]] = {}
    for left, right in rows:
        one, other = (frozenset(analysis.stem(word) for word in side.split()) for side in (left, right))
        for own, against in ((one, other), (other, one)):
            for each in own:
                found[each] = found.get(each, frozenset()) | against
    return found


def opposed(query: Query, index: Index) -> NDArray[np.bool_]:
    """The tools that do the opposite; none where the query names no such action, or both sides of one."""
    asked = {analysis.stem(concept.word) for concept in query.concepts}
    against = frozenset[str]().union(*(opposites().get(each, frozenset()) for each in asked)) - asked
    found = np.zeros(len(index), np.bool_)
    for term in (index.terms[each] for each in against if each in index.terms):
        tools, _, fields, _ = index.postings(term)
        found[tools] |= fields & np.uint16(1 << Field.NAME) > 0
    return found
