"""A catalog × contenders → engines; engines × questions → their answers alone and fused, and the times of embedding."""

import time
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from toolbooth.bench import Pair
from toolbooth.bench.retrieval import EngineRun
from toolbooth.bench.retrieval.engines import ids_of
from toolbooth.catalog import Catalog
from toolbooth.search import Embedder, SearchEngine
from toolbooth.search.embedder import Vectors

from .contenders import Contender
from .cosine import Shelf, shelve


class Built(NamedTuple):
    """A contender over a catalog; words have no shelf of vectors."""

    contender: Contender
    engine: SearchEngine
    shelf: Shelf | None


class Asked(NamedTuple):
    """Runs in the order of the contenders; by name the seconds that each query took to embed."""

    fused: list[EngineRun]
    alone: list[EngineRun]
    seconds: dict[str, list[float]]


class _Timed(NamedTuple):
    vector: Vectors
    seconds: float


def build(contender: Contender, catalog: Catalog) -> Built:
    engine = SearchEngine.of(catalog, contender.embedder)
    return Built(contender, engine, shelve(engine, catalog) if contender.embedder else None)


def ask(built: Sequence[Built], pair: Pair) -> Asked:
    """Alone first: there each query is embedded for the first time, as it comes in daily use."""
    alone, seconds = _alone(built, pair)
    fused = [
        EngineRun(name, {each.id: search(each.query) for each in pair.golden.questions})
        for name, search in ((each.contender.name, ids_of(each.engine)) for each in built)
    ]
    return Asked(fused, alone, seconds)


def _alone(built: Sequence[Built], pair: Pair) -> tuple[list[EngineRun], dict[str, list[float]]]:
    """They take turns in a new order each time: a busy moment, or the cold cache that MiniLM leaves, meets all."""
    answers: dict[str, dict[str, list[str]]] = {each.contender.name: {} for each in built if each.shelf}
    seconds: dict[str, list[float]] = {name: [] for name in answers}
    orders = np.random.default_rng(0)
    for question in pair.golden.questions:
        for contender, _, shelf in (built[at] for at in orders.permutation(len(built))):
            if shelf is not None and contender.embedder is not None:
                vector, took = _timed(contender.embedder, question.query)
                answers[contender.name][question.id] = shelf.nearest(vector)
                seconds[contender.name].append(took)
    return [EngineRun(name, found) for name, found in answers.items()], seconds


def _timed(embedder: Embedder, query: str) -> _Timed:
    start = time.perf_counter()
    vector = embedder.embed_queries([query])[0]
    return _Timed(vector, time.perf_counter() - start)


def p50_ms(seconds: Sequence[float]) -> float:
    """The median, in milliseconds."""
    return float(np.median(seconds)) * 1000
