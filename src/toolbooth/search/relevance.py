"""Relevance: how likely the best hits serve the query at all, from 0 to 1."""

import math
from typing import Final, NamedTuple

import numpy as np

from toolbooth.search import block
from toolbooth.search.fusion import Lexical
from toolbooth.search.query import Query

# Slope, offset, and logits per factor of ten in tools, because the best of many is better by chance alone. Fitted by
# `python -m training` on held-out requests, put to catalogs of 2 to 120 servers that have their tool,
# against requests of other servers, small talk, and requests for things that no server offers (docs/model-log.jsonl).
_WITH_MEANING: Final = (12.5, 2.9, 1.07)
# Words alone cannot separate such requests (small catalogs share too few of them): this is the curve of the question
# sets, moved so that it still refuses the same requests.
_WORDS_ALONE: Final = (12.1, 2.8, 0.45)
_WORDS_IN_EVIDENCE: Final = 0.5
_FALL: Final = 11.0  # logits lost per unit of fused score behind the first hit

LEAST_RELEVANT: Final = 0.06  # of the best hit: below it the answer is "nothing here fits"
LEAST_SHOWN: Final = 0.002  # of any hit


class HitEvidence(NamedTuple):
    """The evidence for the best hits, in logits, from which their relevance follows."""

    logit: float

    @property
    def relevant(self) -> bool:
        """Whether any hit fits the query."""
        return _sigmoid(self.logit) >= LEAST_RELEVANT

    def scores(self, behind: block.Floats) -> block.Floats:
        """The relevance of hits whose score is this far behind the first one."""
        logits = np.clip(self.logit - _FALL * behind, -60, 60)
        likely: block.Floats = 1 / (1 + np.exp(-logits, dtype=np.float32))
        return likely


def strength(
    query: Query, lexical: Lexical, semantic: block.Floats | None, best: block.Numbers
) -> float | None:
    """The evidence for the strongest of the best hits; words found by chance in a long query weigh less."""
    said = sum(concept.weight for concept in query.concepts)
    if not len(best) or not said or not query.understood:
        return None
    words = lexical.scores[best] / math.sqrt(said)
    if semantic is None or not semantic.any():
        return float(words.max()) if words.any() else None
    return float((semantic[best] + _WORDS_IN_EVIDENCE * words).max())


def weigh_evidence(
    query: Query, lexical: Lexical, semantic: block.Floats | None, best: block.Numbers
) -> HitEvidence:
    """The strength of the best hits, mapped to relevance; the best of many tools is better by chance."""
    found = strength(query, lexical, semantic, best)
    if found is None:
        return HitEvidence(-math.inf)
    slope, offset, chance = _WORDS_ALONE if semantic is None or not semantic.any() else _WITH_MEANING
    return HitEvidence(slope * found - offset - chance * math.log10(len(lexical.scores)))


def _sigmoid(logit: float) -> float:
    return 1 / (1 + math.exp(-min(max(logit, -60.0), 60.0)))
