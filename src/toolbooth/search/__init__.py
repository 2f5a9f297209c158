"""The search over a catalog: which tools fit a query, how well, and why."""

from toolbooth.search.embedder import Embedder
from toolbooth.search.engine import SearchEngine
from toolbooth.search.onnx_embedder import OnnxEmbedder
from toolbooth.search.result import Hit, SearchResult, Why
from toolbooth.search.signature import (
    Member,
    Parameter,
    brief_line,
    members,
    one_line,
    parameter_lines,
    parameters,
    signature,
)
from toolbooth.search.static_table import StaticTable

__all__ = [
    "Embedder",
    "Hit",
    "Member",
    "OnnxEmbedder",
    "Parameter",
    "SearchEngine",
    "SearchResult",
    "StaticTable",
    "Why",
    "brief_line",
    "members",
    "one_line",
    "parameter_lines",
    "parameters",
    "signature",
]
