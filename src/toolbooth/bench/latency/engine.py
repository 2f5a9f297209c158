"""A catalog × queries → how long a search takes in this process, without any wire."""

import time
from collections.abc import Sequence
from itertools import cycle, islice

from toolbooth.bench.latency.spread import spread
from toolbooth.bench.report import LatencyMeasure
from toolbooth.catalog import Catalog
from toolbooth.search import SearchEngine


def measure_engine(catalog: Catalog, queries: Sequence[str], rounds: int, warm_up: int) -> LatencyMeasure:
    """The engine is made first: its making is no part of any search."""
    engine = SearchEngine.of(catalog)
    times = [_one(engine, query) for query in islice(cycle(queries), warm_up + rounds)]
    return LatencyMeasure(
        "engine", f"a search among {len(catalog):,} tools, in this process", spread(times[warm_up:])
    )


def _one(engine: SearchEngine, query: str) -> float:
    began = time.perf_counter()
    engine.search(query)
    return (time.perf_counter() - began) * 1000
