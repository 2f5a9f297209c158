"""A query that matches nothing × the texts → their words that are most like those of the query."""

import re
from collections.abc import Iterable
from typing import Final

from toolbooth.gateway.results.relevance import read_terms
from toolbooth.gateway.results.shadow import shadow
from toolbooth.safetext import for_terminal

_WORD: Final = re.compile(r"[^\W\d_]{3,40}")
_ESCAPE: Final = re.compile(r"\\[nrt]")  # in JSON as it is written
_READ: Final = 1 << 20  # characters of the texts that are looked at, from the beginning
_PIECE: Final = 1 << 16  # characters at once: more would hold up the event loop
_ASKED: Final = 8  # words of the query
_OFFERED: Final = 5
_LIKENESS: Final = 0.6  # of 1: `tiemout` and `timeout` have 0.86


def nearest_words(query: str, texts: Iterable[str]) -> list[str]:
    """A few, the most alike first."""
    from rapidfuzz.distance import OSA
    from rapidfuzz.process import extract

    words = sorted(_words(texts))
    near: dict[str, float] = {}
    for term in read_terms(query)[:_ASKED]:
        likeness = OSA.normalized_similarity
        for word, alike, _ in extract(
            term.word, words, scorer=likeness, score_cutoff=_LIKENESS, limit=_OFFERED
        ):
            near[word] = max(alike, near.get(word, 0.0))
    best = sorted(near, key=lambda word: (-near[word], word))[:_OFFERED]
    return [for_terminal(word) for word in best]


def _words(texts: Iterable[str]) -> set[str]:
    found: set[str] = set()
    room = _READ
    for text in texts:
        for at in range(0, min(len(text), room), _PIECE):
            found.update(_WORD.findall(_ESCAPE.sub(" ", shadow(text[at : at + _PIECE]))))
        room -= len(text)
        if room <= 0:
            break
    return found
