"""A catalog → a search function, by name; each engine in its own file."""

from toolbooth.bench.retrieval.engines import bm25, onnx, toolbooth, words  # each registers itself
from toolbooth.bench.retrieval.engines.registry import ENGINES, Engine, EngineKind, engine_named

ENGINE_MODULES = (toolbooth, words, bm25, onnx)

__all__ = ["ENGINES", "ENGINE_MODULES", "Engine", "EngineKind", "engine_named"]
