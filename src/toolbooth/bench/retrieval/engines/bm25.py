"""Plain BM25 over lower-case words of name and description: what everybody's search is measured against."""

import math
import re
from collections import Counter
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from toolbooth.bench.retrieval.engines.registry import engine
from toolbooth.bench.score import DEPTH, Search
from toolbooth.catalog import Catalog

_K1: Final = 1.2  # the textbook's values, and the ones of Lucene and Bleve
_B: Final = 0.75
_WORD: Final = re.compile(r"[a-z0-9]+")


class _Held(NamedTuple):
    """The tools that hold a word, and how much one occurrence of it in a query is worth to each."""

    tools: NDArray[np.int64]
    worth: NDArray[np.float64]


@engine("bm25", "plain BM25 over the words of name and description")
def make(catalog: Catalog, _given: str) -> Search:
    """No stemming, no stop words, no typos; equal scores keep the order of the catalog."""
    ids = [tool.id for tool in catalog]
    postings = _index([_words(f"{tool.name} {tool.description}") for tool in catalog])

    def search(query: str) -> list[str]:
        scores = np.zeros(len(ids))
        for word in _words(query):
            if (held := postings.get(word)) is not None:
                scores[held.tools] += held.worth
        best = np.argsort(-scores, kind="stable")[:DEPTH]
        return [ids[at] for at in best.tolist() if scores[at] > 0]

    return search


def _index(texts: list[list[str]]) -> dict[str, _Held]:
    lengths = np.array([len(words) for words in texts], np.float64)
    norms = _K1 * (1 - _B + _B * lengths / max(float(lengths.mean()), 1))
    found: dict[str, list[tuple[int, int]]] = {}
    for at, words in enumerate(texts):
        for word, often in Counter(words).items():
            found.setdefault(word, []).append((at, often))
    return {word: _weigh(pairs, norms) for word, pairs in found.items()}


def _weigh(pairs: list[tuple[int, int]], norms: NDArray[np.float64]) -> _Held:
    tools, often = np.array(pairs, np.int64).T
    idf = math.log(1 + (len(norms) - len(pairs) + 0.5) / (len(pairs) + 0.5))
    return _Held(tools, idf * often * (_K1 + 1) / (often + norms[tools]))


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())
