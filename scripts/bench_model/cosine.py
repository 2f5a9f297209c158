"""An engine's vectors of a catalog → the tools nearest to a query's vector, by their dot product alone."""

from typing import NamedTuple

import numpy as np

from toolbooth.bench.score import DEPTH
from toolbooth.catalog import Catalog
from toolbooth.search import SearchEngine
from toolbooth.search.embedder import Vectors


class Shelf(NamedTuple):
    """Catalog ids, and a row for each."""

    ids: list[str]
    vectors: Vectors

    def nearest(self, asked: Vectors) -> list[str]:
        """The ten best, the first of equals first; none for a query that says nothing."""
        if not asked.any():
            return []
        best = np.argsort(-np.vecdot(self.vectors, asked), kind="stable")[:DEPTH]
        return [self.ids[at] for at in best.tolist()]


def shelve(engine: SearchEngine, catalog: Catalog) -> Shelf:
    """What the engine embedded, so that alone and fused have the same vectors."""
    ids: list[str] = []
    rows: list[Vectors] = []
    for each in catalog.servers:
        found = engine.vectors(each.server)
        if found is not None and len(found):
            ids += [tool.id for tool in each.tools]
            rows.append(found)
    return Shelf(ids, np.concatenate(rows))
