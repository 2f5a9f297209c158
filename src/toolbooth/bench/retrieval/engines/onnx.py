"""The engine of the gateway with a sentence model of the user's instead of the built-in table."""

from toolbooth.bench.retrieval.engines.registry import engine
from toolbooth.bench.retrieval.engines.toolbooth import ids_of
from toolbooth.bench.score import Search
from toolbooth.catalog import Catalog
from toolbooth.search import OnnxEmbedder, SearchEngine


@engine("onnx", "the same with a local sentence model", takes="PATH")
def make(catalog: Catalog, path: str) -> Search:
    """Raises UserMistake where the model, its vocabulary or the `onnx` extra is missing."""
    return ids_of(SearchEngine.of(catalog, OnnxEmbedder(path)))
