"""The engine of the gateway without its table of meaning: what words alone find."""

from toolbooth.bench.retrieval.engines.registry import engine
from toolbooth.bench.retrieval.engines.toolbooth import ids_of
from toolbooth.bench.score import Search
from toolbooth.catalog import Catalog
from toolbooth.search import SearchEngine


@engine("words", "the same by words alone, without meaning")
def make(catalog: Catalog, _given: str) -> Search:
    """No embedder."""
    return ids_of(SearchEngine.of(catalog, None))
