"""Hits, or the lack of them → a few terms of the catalog worth trying."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Final

import numpy as np
from rapidfuzz.distance import JaroWinkler

from toolbooth.search.analysis import stem, stop_words
from toolbooth.search.embedder import Embedder
from toolbooth.search.fields import Field
from toolbooth.search.index import Index
from toolbooth.search.query import Query
from toolbooth.search.typo import is_known

_MOST: Final = 3
_MOST_NEAREST: Final = 5
_TOLD: Final = (Field.name, Field.server, Field.description)
_SHORTEST: Final = 3
_NAMES_ASKED: Final = 400  # candidates for the nearest terms; more say nothing new


def try_also(query: Query, hits: Sequence[int], index: Index) -> tuple[str, ...]:
    """Up to three telling terms that several hits share and the query lacks."""
    worth: dict[str, float] = defaultdict(float)
    holders: Counter[str] = Counter()
    for number in hits:
        for word, value in _terms_of(number, index).items():
            worth[word] += value
            holders[word] += 1
    asked = _asked(query)
    fresh = [word for word in worth if stem(word) not in asked]
    fresh.sort(key=lambda word: (-(holders[word] > 1), -round(worth[word], 4), word))
    return tuple(fresh[:_MOST])


def nearest(query: Query, best: Sequence[int], index: Index, embedder: Embedder | None) -> tuple[str, ...]:
    """Terms of the catalog closest to a query that nothing serves: in meaning, else in letters."""
    words = sorted({word for number in best for word in _terms_of(number, index, (Field.name,))})
    if not words or not query.concepts:
        return _commonest(index)
    if embedder is not None and len(best):
        ask = embedder.embed_queries([query.text])[0]
        close = np.vecdot(embedder.embed_queries(words[:_NAMES_ASKED]), ask)
    else:
        close = np.array([_alike(word, query) for word in words])
    order = sorted(range(len(close)), key=lambda at: (-round(float(close[at]), 4), words[at]))
    return tuple(words[at] for at in order[:_MOST_NEAREST])


def _terms_of(number: int, index: Index, fields: Collection[Field] = _TOLD) -> dict[str, float]:
    """Known words of one tool and how telling each is in this catalog."""
    at = int(index.server_of[number])
    block, local = index.blocks[at], number - int(index.starts[at])
    terms, _, held_in, _ = block.occurrences[:, block.starts[local] : block.starts[local + 1]]
    found = {}
    for term in dict.fromkeys(terms[np.isin(held_in, fields)].tolist()):
        word = block.surfaces[term]
        if len(word) >= _SHORTEST and word.isalpha() and word not in stop_words() and is_known(word):
            found[word] = index.idf(index.terms[block.terms[term]])
    return found


def _asked(query: Query) -> set[str]:
    words: Iterable[str] = (each.word for each in query.concepts)
    return {stem(word) for word in [*words, *query.corrected.values()]}


def _alike(word: str, query: Query) -> float:
    return max(JaroWinkler.similarity(word, concept.word) for concept in query.concepts)


def _commonest(index: Index) -> tuple[str, ...]:
    """What the catalog is about, where the query gives no hint at all."""
    counted: Counter[str] = Counter()
    for number in range(min(len(index), _NAMES_ASKED)):
        counted.update(_terms_of(number, index, (Field.name,)))
    best = sorted(counted.items(), key=lambda item: (-item[1], item[0]))
    return tuple(word for word, _ in best[:_MOST_NEAREST])
