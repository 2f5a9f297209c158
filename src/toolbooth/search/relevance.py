"""Evidence for the best hits → how likely they serve the query at all, 0 to 1."""

import math
from typing import Final, NamedTuple

import numpy as np

from toolbooth.search.block import Floats, Numbers
from toolbooth.search.lexical import Lexical
from toolbooth.search.query import Query

# Logistic fits on first hits that are right, over seven question sets of equal weight, against first hits
# of questions put to catalogs that cannot serve them (other sets' questions, chat, gibberish).
_WITH_MEANING: Final = (13.4, 6.4)
_WORDS_ALONE: Final = (12.1, 3.6)
_BY_CHANCE: Final = 0.45  # logits for each tenfold of tools: the best of many is better by chance alone
_WORDS_IN_EVIDENCE: Final = 0.5
_FALL: Final = 11.0  # logits lost for each unit of fused score behind the first hit

LEAST_RELEVANT: Final = 0.027  # of the best hit: under it the answer is "nothing here fits"
LEAST_SHOWN: Final = 0.002  # of any hit


class Evidence(NamedTuple):
    """What speaks for the best hits: logits, before they become a relevance."""

    logit: float

    @property
    def relevant(self) -> bool:
        """Whether anything here fits."""
        return _sigmoid(self.logit) >= LEAST_RELEVANT

    def scores(self, behind: Floats) -> Floats:
        """The relevance of hits that lie this far behind the first one."""
        logits = np.clip(self.logit - _FALL * behind, -60, 60)
        likely: Floats = 1 / (1 + np.exp(-logits, dtype=np.float32))
        return likely


def weigh_evidence(query: Query, lexical: Lexical, semantic: Floats | None, best: Numbers) -> Evidence:
    """The strongest of the best hits speaks; words found by chance in a long query weigh less."""
    said = sum(concept.weight for concept in query.concepts)
    if not len(best) or not said or not query.understood:
        return Evidence(-math.inf)
    words = lexical.scores[best] / math.sqrt(said)
    chance = _BY_CHANCE * math.log10(len(lexical.scores))
    if semantic is None or not semantic.any():
        slope, offset = _WORDS_ALONE
        return Evidence(slope * float(words.max()) - offset - chance if words.any() else -math.inf)
    slope, offset = _WITH_MEANING
    return Evidence(slope * float((semantic[best] + _WORDS_IN_EVIDENCE * words).max()) - offset - chance)


def _sigmoid(logit: float) -> float:
    return 1 / (1 + math.exp(-min(max(logit, -60.0), 60.0)))
