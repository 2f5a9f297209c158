"""The retrieval benchmark: how well engines find the right tools, with intervals, a comparison and a gate."""

from toolbooth.bench.retrieval.baseline import (
    METRIC,
    TOLERANCE,
    Baseline,
    GateRule,
    baseline_bytes,
    read_baseline,
)
from toolbooth.bench.retrieval.engines import ENGINES, Engine, EngineKind, engine_named
from toolbooth.bench.retrieval.folder import FoundSets, LeftOut, MeasuredSet, SetFiles, find_sets, means_over
from toolbooth.bench.retrieval.measure import measure_retrieval
from toolbooth.bench.retrieval.runs import EngineRun, StoredRun, read_runs
from toolbooth.bench.retrieval.scoring import COMPARED

__all__ = [
    "COMPARED",
    "ENGINES",
    "METRIC",
    "TOLERANCE",
    "Baseline",
    "Engine",
    "EngineKind",
    "EngineRun",
    "FoundSets",
    "GateRule",
    "LeftOut",
    "MeasuredSet",
    "SetFiles",
    "StoredRun",
    "baseline_bytes",
    "engine_named",
    "find_sets",
    "means_over",
    "measure_retrieval",
    "read_baseline",
    "read_runs",
]
