"""The engines of all contenders over a catalog, their answers, alone and fused, and the embedding times."""

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
from .cosine import VectorTable, vector_table


class Built(NamedTuple):
    """A contender over a catalog; the one by words alone has no vectors."""

    contender: Contender
    engine: SearchEngine
    vectors: VectorTable | None


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
    return Built(contender, engine, vector_table(engine, catalog) if contender.embedder else None)


def ask(built: Sequence[Built], pair: Pair) -> Asked:
    """Alone first: there each query is embedded for the first time, as in daily use."""
    alone, seconds = _alone(built, pair)
    fused = [
        EngineRun(name, {each.id: search(each.query) for each in pair.golden.questions})
        for name, search in ((each.contender.name, ids_of(each.engine)) for each in built)
    ]
    return Asked(fused, alone, seconds)


def _alone(built: Sequence[Built], pair: Pair) -> tuple[list[EngineRun], dict[str, list[float]]]:
    """They take turns in a changing order: a busy moment, or the cold cache that MiniLM leaves, affects all."""
    answers: dict[str, dict[str, list[str]]] = {each.contender.name: {} for each in built if each.vectors}
    seconds: dict[str, list[float]] = {name: [] for name in answers}
    orders = np.random.default_rng(0)
    for question in pair.golden.questions:
        for contender, _, vectors in (built[at] for at in orders.permutation(len(built))):
            if vectors is not None and contender.embedder is not None:
                vector, took = _timed(contender.embedder, question.query)
                answers[contender.name][question.id] = vectors.nearest(vector)
                seconds[contender.name].append(took)
    return [EngineRun(name, found) for name, found in answers.items()], seconds


def _timed(embedder: Embedder, query: str) -> _Timed:
    start = time.perf_counter()
    vector = embedder.embed_queries([query])[0]
    return _Timed(vector, time.perf_counter() - start)


def p50_ms(seconds: Sequence[float]) -> float:
    """The median, in milliseconds."""
    return float(np.median(seconds)) * 1000
