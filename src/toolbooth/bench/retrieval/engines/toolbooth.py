"""The engine of the gateway, as it is: words and meaning."""

from toolbooth.bench.retrieval.engines.registry import engine
from toolbooth.bench.score import DEPTH, Search
from toolbooth.catalog import Catalog
from toolbooth.search import SearchEngine


@engine("toolbooth", "the engine of the gateway")
def make(catalog: Catalog, _given: str) -> Search:
    """With the built-in table of meaning."""
    return ids_of(SearchEngine.of(catalog))


def ids_of(searching: SearchEngine) -> Search:
    """Only the ids of its hits."""
    return lambda query: [hit.tool.id for hit in searching.search(query, DEPTH).hits]
