"""`words/opposites.toml`, query × index → the tools whose name says the opposite of what is asked."""

import tomllib
from functools import cache

import numpy as np
from numpy.typing import NDArray

from toolbooth.search.analysis import WORDS, stem
from toolbooth.search.fields import Field
from toolbooth.search.index import Index
from toolbooth.search.query import Query


@cache
def opposites() -> dict[str, frozenset[str]]:
    """Every stem of the file with the stems of the other side of its rows."""
    rows = tomllib.loads((WORDS / "opposites.toml").read_text("utf-8"))["rows"]
    found: dict[str, frozenset[str]] = {}
    for left, right in rows:
        one, other = (frozenset(stem(word) for word in side.split()) for side in (left, right))
        for own, against in ((one, other), (other, one)):
            for each in own:
                found[each] = found.get(each, frozenset()) | against
    return found


def opposed(query: Query, index: Index) -> NDArray[np.bool_]:
    """Which tools are the wrong way round; none where the query names no such action, or both sides of it."""
    asked = {stem(concept.word) for concept in query.concepts}
    against = frozenset[str]().union(*(opposites().get(each, frozenset()) for each in asked)) - asked
    found = np.zeros(len(index), np.bool_)
    for term in (index.terms[each] for each in against if each in index.terms):
        tools, _, fields, _ = index.postings(term)
        found[tools] |= fields & np.uint16(1 << Field.NAME) > 0
    return found
