"""Hits, or the lack of them → a few terms of the catalog worth trying."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

import numpy as np
from rapidfuzz.distance import JaroWinkler

from toolbooth.search.analysis import stem, stop_words
from toolbooth.search.embedder import Embedder
from toolbooth.search.fields import Field
from toolbooth.search.index import Index
from toolbooth.search.query import Query
from toolbooth.search.relevance import understood
from toolbooth.search.typo import is_known

_MOST: Final = 3
_MOST_NEAREST: Final = 5
_SHORTEST: Final = 3
_TOOLS_ASKED: Final = 300  # tools and words that are looked through for the nearest terms
_WORDS_ASKED: Final = 400


def try_also(query: Query, hits: Sequence[int], index: Index) -> tuple[str, ...]:
    """Up to three telling terms that several hits share and the query lacks."""
    found = _terms_of(hits, index, Field.DESCRIPTION)
    asked = {stem(word) for word in [*(each.word for each in query.concepts), *query.corrected.values()]}
    fresh = (word for word in found if stem(word) not in asked)
    return tuple(islice(fresh, _MOST))


def nearest(query: Query, best: Sequence[int], index: Index, embedder: Embedder | None) -> tuple[str, ...]:
    """Terms of the catalog closest to a query that nothing serves: in meaning, else in letters."""
    if not understood(query):
        best = range(min(len(index), _TOOLS_ASKED))
    words = sorted(islice(_terms_of(best, index, Field.NAME), _WORDS_ASKED))
    if not words or not query.concepts:
        return tuple(islice(_commonest(index), _MOST_NEAREST))
    if embedder is not None and understood(query):
        close = np.vecdot(embedder.embed_queries(words), embedder.embed_queries([query.text])[0])
    else:
        close = np.array([_alike(word, query) for word in words])
    order = sorted(range(len(close)), key=lambda at: (-round(float(close[at]), 4), words[at]))
    return tuple(words[at] for at in order[:_MOST_NEAREST])


def _terms_of(tools: Sequence[int], index: Index, last: Field) -> Iterator[str]:
    """Known words in the fields up to `last`: those that several tools share first, the most telling first."""
    counted: Counter[int] = Counter()
    where: dict[int, str] = {}
    for number in tools:
        at = int(index.server_of[number])
        block, local = index.blocks[at], number - int(index.starts[at])
        part = slice(int(block.starts[local]), int(block.starts[local + 1]))
        terms, _, fields, _ = block.occurrences[:, part]
        local_terms = terms[fields <= last]
        for term, each in set(
            zip(local_terms.tolist(), index.numbers[at][local_terms].tolist(), strict=True)
        ):
            counted[each] += 1
            where[each] = min(where.get(each, block.surfaces[term]), block.surfaces[term])
    order = sorted(
        counted, key=lambda each: (counted[each] < 2, -counted[each] * index.idf(each), where[each])
    )
    return (where[each] for each in order if _worth_saying(where[each]))


def _worth_saying(word: str) -> bool:
    return len(word) >= _SHORTEST and word.isalpha() and word not in stop_words() and is_known(word)


def _commonest(index: Index) -> Iterator[str]:
    """What the catalog is about, where the query gives no hint at all."""
    order = sorted(index.terms.items(), key=lambda item: (-index.held(item[1]), item[0]))
    names = set(_terms_of(range(min(len(index), _TOOLS_ASKED)), index, Field.NAME))
    stems = {stem(word): word for word in sorted(names)}
    return (stems[term] for term, _ in order if term in stems)


def _alike(word: str, query: Query) -> float:
    return max(JaroWinkler.similarity(word, concept.word) for concept in query.concepts)
