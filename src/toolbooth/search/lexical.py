"""Query × index → BM25F score of every tool, with the fields and tiers that made it."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from toolbooth.search.block import Floats
from toolbooth.search.index import Index
from toolbooth.search.query import Concept, Query


class Lexical(NamedTuple):
    """`scores` in units of one perfectly telling word; `marks` are bits of fields and tiers."""

    scores: Floats
    marks: NDArray[np.uint16]


def score_words(query: Query, index: Index) -> Lexical:
    """Sum over the query's words; of the senses of one word, the best counts."""
    total = np.zeros(len(index), np.float32)
    marks = np.zeros(len(index), np.uint16)
    for concept in query.concepts:
        if len(concept.senses) == 1:
            _add(total, marks, concept, index)
        elif concept.senses:
            best = np.zeros(len(index), np.float32)
            _best(best, marks, concept, index)
            total += best
    total /= index.top_idf
    return Lexical(total, marks)


def _add(total: Floats, marks: NDArray[np.uint16], concept: Concept, index: Index) -> None:
    term, weight, tier = concept.senses[0]
    tools, impacts, fields = index.postings(term)
    total[tools] += impacts * np.float32(concept.weight * weight * min(index.idf(term), concept.idf))
    marks[tools] |= fields | np.uint16(tier)


def _best(best: Floats, marks: NDArray[np.uint16], concept: Concept, index: Index) -> None:
    for term, weight, tier in concept.senses:
        tools, impacts, fields = index.postings(term)
        worth = impacts * np.float32(concept.weight * weight * min(index.idf(term), concept.idf))
        best[tools] = np.maximum(best[tools], worth)
        marks[tools] |= fields | np.uint16(tier)
