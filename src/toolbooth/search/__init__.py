"""The search over a catalog: which tools fit a query, how well, and why."""

from toolbooth.lazy import exports

TYPE_CHECKING = False  # as in `typing`, which takes too long to import

if TYPE_CHECKING:
    from toolbooth.search.analysis import flat as flat, split as split, stem as stem, stop_words as stop_words
    from toolbooth.search.embedder import Embedder as Embedder
    from toolbooth.search.engine import SearchEngine as SearchEngine
    from toolbooth.search.hint import search_hint as search_hint
    from toolbooth.search.onnx_embedder import OnnxEmbedder as OnnxEmbedder
    from toolbooth.search.result import Hit as Hit, SearchResult as SearchResult, Why as Why
    from toolbooth.search.signatures import (
        Member as Member,
        Parameter as Parameter,
        members as members,
        one_line as one_line,
        parameter_lines as parameter_lines,
        parameters as parameters,
        signature as signature,
    )
    from toolbooth.search.static_table import StaticTable as StaticTable
else:
    __getattr__, __dir__, __all__ = exports(
        __name__,
        {
            "analysis": "flat split stem stop_words",
            "embedder": "Embedder",
            "engine": "SearchEngine",
            "hint": "search_hint",
            "onnx_embedder": "OnnxEmbedder",
            "result": "Hit SearchResult Why",
            "signatures": "Member Parameter members one_line parameter_lines parameters signature",
            "static_table": "StaticTable",
        },
    )
