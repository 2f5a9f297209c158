"""Lexical and semantic scores of every tool → one score, and the relevance it stands for."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from toolbooth.search.block import Floats
from toolbooth.search.index import Index

# Convex: (1 − a)·cosine + a·BM25F with a = .18, written with the cosine at one. Both are absolute, so that
# the lexical side weighs as much as the words it found: per-query minmax and max lost .008 on the mean.
LEXICAL_SHARE: Final = 0.22
# A tool whose siblings fit too is likelier: the mean over its server counts a quarter (+.007 on the mean).
SERVER_SHARE: Final = 0.25
# Of a task of several steps, the best step's share; .3 gains two thirds of what .5 does, no set loses (docs/design).
STEP_SHARE: Final = 0.5
_SERVER_PRIOR: Final = 0.5  # a server of one tool does not vouch for itself in full
OPPOSITE: Final = np.float32(0.1)  # taken from a tool that undoes what is asked for; .05 to .2 do the same
USAGE_LIMIT: Final = 0.03  # reorders near-ties only: a clearly better match lies further ahead
_HALF_AT: Final = 10.0  # calls


def own_score(lexical: Floats, semantic: Floats | None) -> Floats:
    """What words and meaning say of every tool; comparable across queries."""
    by_words = np.float32(LEXICAL_SHARE) * lexical
    return by_words if semantic is None else by_words + semantic


def with_steps(whole: Floats, steps: Sequence[Floats]) -> Floats:
    """A task of several steps: half the score is that of the step which a tool serves best."""
    if not steps:
        return whole
    best: Floats = np.max(np.stack(steps), axis=0)
    return np.float32(1 - STEP_SHARE) * whole + np.float32(STEP_SHARE) * best


def fuse(own: Floats, index: Index) -> Floats:
    """One score a tool: its own, and a share of its siblings'."""
    if len(index.blocks) < 2:
        return own
    centred = own - own.mean(dtype=np.float32)
    sums = np.bincount(index.server_of, centred, len(index.blocks))
    means = (sums / (np.diff(index.starts) + _SERVER_PRIOR)).astype(np.float32)
    return own + np.float32(SERVER_SHARE) * means[index.server_of]


def usage_boosts(used: NDArray[np.float64]) -> Floats:
    """Calls made of each tool → what they add: nothing for none, half the limit at ten, never the limit."""
    calls = np.maximum(np.nan_to_num(used), 0)
    return (USAGE_LIMIT * calls / (calls + _HALF_AT)).astype(np.float32)
