"""The tools nearest to a query's vector by the dot product alone, from the vectors of an engine."""

from typing import NamedTuple

import numpy as np

from toolbooth.bench.scores import DEPTH
from toolbooth.catalog import Catalog
from toolbooth.search import SearchEngine
from toolbooth.search.embedder import Vectors


class VectorTable(NamedTuple):
    """Catalog ids, and a row for each."""

    ids: list[str]
    vectors: Vectors

    def nearest(self, asked: Vectors) -> list[str]:
        """The ten best, the first of equals first; none for a query that says nothing."""
        if not asked.any():
            return []
        best = np.argsort(-np.vecdot(self.vectors, asked), kind="stable")[:DEPTH]
        return [self.ids[at] for at in best.tolist()]


def vector_table(engine: SearchEngine, catalog: Catalog) -> VectorTable:
    """The vectors that the engine embedded, so that alone and fused use the same ones."""
    ids: list[str] = []
    rows: list[Vectors] = []
    for each in catalog.servers:
        found = engine.vectors(each.server)
        if found is not None and len(found):
            ids += [tool.id for tool in each.tools]
            rows.append(found)
    return VectorTable(ids, np.concatenate(rows))
