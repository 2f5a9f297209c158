"""Search engines by name, each of which turns a catalog into a search function.

`toolbooth` is the engine of the gateway, `words` is the same without vectors, `onnx:PATH` the same with a sentence
model of the user's. `bm25` is plain BM25 over lower-case words, the usual baseline.
"""

import math
import re
from collections import Counter
from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from toolbooth import errors, registry, safetext, suggest
from toolbooth.bench.scores import DEPTH, SearchFunction
from toolbooth.catalog import Catalog
from toolbooth.search import OnnxEmbedder, SearchEngine

MakeSearch = Callable[[Catalog, str], SearchFunction]


class EngineKind(NamedTuple):
    """One engine: its name, what it is, and what it takes after a colon (`onnx:PATH`; empty: nothing)."""

    name: str
    says: str
    takes: str
    make: MakeSearch


class Engine(NamedTuple):
    """An engine as a user named it, ready for any catalog."""

    name: str
    kind: EngineKind
    given: str

    def over(self, catalog: Catalog) -> SearchFunction:
        """Its search function: it takes a query and returns at most ten ids, the best first; none is a rejection."""
        return self.kind.make(catalog, self.given)


ENGINES: Final = registry.Registry[EngineKind]("engine")


def engine(name: str, says: str, takes: str = "") -> Callable[[MakeSearch], MakeSearch]:
    """Register an engine under its name."""

    def register(make: MakeSearch) -> MakeSearch:
        ENGINES.add(name, EngineKind(name, says, takes, make))
        return make

    return register


def engine_named(text: str) -> Engine:
    """The engine of a name such as `bm25` or `onnx:PATH`. Raises UserMistake with the nearest name."""
    name, colon, given = text.partition(":")
    kind = ENGINES.get(name)
    if kind is None:
        raise errors.UserMistake(f'unknown engine "{safetext.for_terminal(text, 60)}"; {_nearest(name)}')
    if kind.takes and not given:
        raise errors.UserMistake(f"engine {name} needs {kind.takes} after a colon; write {_spelled(kind)}")
    if colon and not kind.takes:
        raise errors.UserMistake(f"engine {name} takes nothing after a colon; write {name}")
    return Engine(text, kind, given)


def _nearest(name: str) -> str:
    near = suggest.closest(name, ENGINES)
    if near:
        return f"did you mean {_spelled(ENGINES[near[0]])}?"
    return f"the engines are {', '.join(_spelled(ENGINES[each]) for each in sorted(ENGINES))}"


def _spelled(kind: EngineKind) -> str:
    return f"{kind.name}:{kind.takes}" if kind.takes else kind.name


@engine("toolbooth", "the engine of the gateway")
def toolbooth_engine(catalog: Catalog, _given: str) -> SearchFunction:
    """With the built-in word vectors."""
    return ids_of(SearchEngine.of(catalog))


def ids_of(searching: SearchEngine) -> SearchFunction:
    """The ids of its hits."""
    return lambda query: [hit.tool.id for hit in searching.search(query, DEPTH).hits]


@engine("words", "the same by words alone, without vectors")
def words_engine(catalog: Catalog, _given: str) -> SearchFunction:
    """The lexical engine, without an embedder."""
    return ids_of(SearchEngine.of(catalog, None))


@engine("onnx", "the same with a local sentence model", takes="PATH")
def onnx_engine(catalog: Catalog, path: str) -> SearchFunction:
    """Raises UserMistake if the model, its vocabulary or the `onnx` extra is missing."""
    return ids_of(SearchEngine.of(catalog, OnnxEmbedder(path)))


_K1: Final = 1.2  # the textbook values, which Lucene and Bleve use, too
_B: Final = 0.75
_WORD: Final = re.compile(r"[a-z0-9]+")


class _Postings(NamedTuple):
    """The tools that hold a word, and the score that one occurrence in a query adds to each."""

    tools: NDArray[np.int64]
    worth: NDArray[np.float64]


@engine("bm25", "plain BM25 over the words of name and description")
def bm25_engine(catalog: Catalog, _given: str) -> SearchFunction:
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


def _index(texts: list[list[str]]) -> dict[str, _Postings]:
    lengths = np.array([len(words) for words in texts], np.float64)
    norms = _K1 * (1 - _B + _B * lengths / max(float(lengths.mean()), 1))
    found: dict[str, list[tuple[int, int]]] = {}
    for at, words in enumerate(texts):
        for word, often in Counter(words).items():
            found.setdefault(word, []).append((at, often))
    return {word: _weigh(pairs, norms) for word, pairs in found.items()}


def _weigh(pairs: list[tuple[int, int]], norms: NDArray[np.float64]) -> _Postings:
    tools, often = np.array(pairs, np.int64).T
    idf = math.log(1 + (len(norms) - len(pairs) + 0.5) / (len(pairs) + 0.5))
    return _Postings(tools, idf * often * (_K1 + 1) / (often + norms[tools]))


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())
