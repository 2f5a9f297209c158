"""The scores of every tool for a query: lexical (BM25F), and fused with meaning, sibling tools and usage into one."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from toolbooth.search import block
from toolbooth.search.block import Floats
from toolbooth.search.index import Index
from toolbooth.search.query import Query

# Convex: (1 − a)·cosine + a·BM25F with a = .18, written with the cosine at one. Both are absolute, so that
# the lexical side weighs as much as the words it found: per-query minmax and max lost .008 on the mean.
LEXICAL_SHARE: Final = 0.22
# A tool is likelier where its siblings fit too: the mean over its server counts a quarter (+.007 on the mean).
SERVER_SHARE: Final = 0.25
# The share of a task's best step; .3 gains two thirds of what .5 does, and no set loses (docs/design).
STEP_SHARE: Final = 0.5
_SERVER_PRIOR: Final = 0.5  # so that a server with only one tool does not count fully as its own evidence
# Subtracted from a tool that does the opposite; .05 to .2 work equally well
OPPOSITE: Final = np.float32(0.1)
USAGE_LIMIT: Final = 0.03  # reorders near-ties only: a clearly better match is further ahead
_HALF_AT: Final = 10.0  # calls


def own_score(lexical: Floats, semantic: Floats | None) -> Floats:
    """The score of every tool by its own words and meaning; comparable across queries."""
    by_words = np.float32(LEXICAL_SHARE) * lexical
    return by_words if semantic is None else by_words + semantic


def with_steps(whole: Floats, steps: Sequence[Floats]) -> Floats:
    """Mix in the score of the step that a tool serves best; for a task of several steps."""
    if not steps:
        return whole
    best: Floats = np.max(np.stack(steps), axis=0)
    return np.float32(1 - STEP_SHARE) * whole + np.float32(STEP_SHARE) * best


def fuse(own: Floats, index: Index) -> Floats:
    """One score per tool: its own, and a share of its siblings'."""
    if len(index.blocks) < 2:
        return own
    centred = own - own.mean(dtype=np.float32)
    sums = np.bincount(index.server_of, centred, len(index.blocks))
    means = (sums / (np.diff(index.starts) + _SERVER_PRIOR)).astype(np.float32)
    return own + np.float32(SERVER_SHARE) * means[index.server_of]


def usage_boosts(used: NDArray[np.float64]) -> Floats:
    """The boost for the calls made of each tool: zero without calls, half the limit at ten, always under the limit."""
    calls = np.maximum(np.nan_to_num(used), 0)
    return (USAGE_LIMIT * calls / (calls + _HALF_AT)).astype(np.float32)


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
