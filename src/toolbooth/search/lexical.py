"""The lexical score: BM25F of every tool for a query, with the fields and tiers that matched."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from toolbooth.search import block
from toolbooth.search.index import Index
from toolbooth.search.query import Query


class Lexical(NamedTuple):
    """`scores` are in units of one perfectly distinctive word; `marks` are bits of fields and tiers."""

    scores: block.Floats
    marks: NDArray[np.uint16]


def score_words(query: Query, index: Index) -> Lexical:
    """Sum over the words of the query; only the best sense of a word counts."""
    total = np.zeros(len(index), np.float32)
    marks = np.zeros(len(index), np.uint16)
    for concept in query.concepts:
        alone = len(concept.senses) == 1
        best = total if alone else np.zeros(len(index), np.float32)
        for term, weight, tier in concept.senses:
            tools, impacts, fields, held = index.postings(term)
            worth = impacts * np.float32(concept.weight * weight * min(index.idf(term), concept.idf))
            best[tools] = best[tools] + worth if alone else np.maximum(best[tools], worth)
            marks[tools] |= fields | (held & np.uint16(tier))
        if len(concept.senses) > 1:
            total += best
    total /= np.float32(index.top_idf)
    return Lexical(total, marks)
