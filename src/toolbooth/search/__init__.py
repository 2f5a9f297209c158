"""Query + catalog → ranking: which tools fit, how well, and why."""

from toolbooth.search.embedder import Embedder
from toolbooth.search.engine import SearchEngine
from toolbooth.search.onnx_embedder import OnnxEmbedder
from toolbooth.search.result import Hit, SearchResult, Why
from toolbooth.search.static_table import StaticTable

__all__ = [
    "Embedder",
    "Hit",
    "OnnxEmbedder",
    "SearchEngine",
    "SearchResult",
    "StaticTable",
    "Why",
]
