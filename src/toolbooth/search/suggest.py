"""The terms of the catalog worth trying next, from the hits or from the lack of them."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from typing import Final

import numpy as np
from rapidfuzz.distance import JaroWinkler

from toolbooth.search import analysis, unknown_words
from toolbooth.search.block import Block
from toolbooth.search.embedder import Embedder
from toolbooth.search.index import Index
from toolbooth.search.query import Query

_MOST: Final = 3
_MOST_NEAREST: Final = 5
_SHORTEST: Final = 3
_TOOLS_ASKED: Final = 300  # tools and words that are examined for the nearest terms
_WORDS_ASKED: Final = 400


def try_also(query: Query, hits: Sequence[int], index: Index) -> tuple[str, ...]:
    """Up to three telling terms that several hits share and the query lacks."""
    asked = {
        analysis.stem(word) for word in [*(each.word for each in query.concepts), *query.corrected.values()]
    }
    return tuple(islice(_distinctive(hits, index, asked), _MOST))


def nearest(query: Query, best: Sequence[int], index: Index, embedder: Embedder | None) -> tuple[str, ...]:
    """The terms of the catalog closest to a query that nothing serves, by meaning, else by letters."""
    if not query.concepts:
        return _commonest(index)
    with_meaning = embedder is not None and query.understood
    tools = best if with_meaning else range(min(len(index), _TOOLS_ASKED))
    words = sorted(islice(_distinctive(tools, index, ()), _WORDS_ASKED))
    if embedder is not None and with_meaning:
        close = np.vecdot(embedder.embed_queries(words), embedder.embed_queries([query.text])[0]).tolist()
    else:
        close = [max(JaroWinkler.similarity(word, each.word) for each in query.concepts) for word in words]
    order = sorted(range(len(words)), key=lambda at: (-round(close[at], 4), words[at]))
    return tuple(words[at] for at in order[:_MOST_NEAREST])


def _distinctive(tools: Sequence[int], index: Index, but: Collection[str]) -> Iterator[str]:
    """Distinctive known words of these tools: those that several share first, the rarest first."""
    counted: Counter[str] = Counter()
    blocks: dict[int, Block] = {}
    for number in tools:
        at = int(index.server_of[number])
        block = blocks.setdefault(at, index.blocks[at])
        counted.update(block.own_stems(number - int(index.starts[at])))
    for wanted in (range(2, len(tools) + 1), (1,)):
        worth = [
            (-held * index.idf(index.terms[each]), each) for each, held in counted.items() if held in wanted
        ]
        for _, each in sorted(worth):
            word = min(block.surfaces[block.terms[each]] for block in blocks.values() if each in block.terms)
            if each not in but and _worth_saying(word):
                yield word


def _worth_saying(word: str) -> bool:
    return (
        len(word) >= _SHORTEST
        and word.isalpha()
        and word not in analysis.stop_words()
        and unknown_words.is_known(word)
    )


def _commonest(index: Index) -> tuple[str, ...]:
    """What the catalog is about; used where the query gives no hint at all."""
    words = set(_distinctive(range(min(len(index), _TOOLS_ASKED)), index, ()))
    order = sorted(words, key=lambda word: (-index.held(index.words[word]), word))
    return tuple(order[:_MOST_NEAREST])
