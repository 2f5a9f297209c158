"""Questions × engines → how well the right tools are found, with bounds, a comparison and a gate."""

from toolbooth.bench.retrieval.baseline_json import Baseline, baseline_bytes, read_baseline
from toolbooth.bench.retrieval.engines import ENGINES, Engine, EngineKind, engine_named
from toolbooth.bench.retrieval.folder import Found, LeftOut, MeasuredSet, SetFiles, find_sets, means_over
from toolbooth.bench.retrieval.gate import METRIC, TOLERANCE, GateRule
from toolbooth.bench.retrieval.run import Run
from toolbooth.bench.retrieval.section import measure_retrieval
from toolbooth.bench.retrieval.stored_run import StoredRun, read_runs
from toolbooth.bench.retrieval.verdicts import COMPARED

__all__ = [
    "COMPARED",
    "ENGINES",
    "METRIC",
    "TOLERANCE",
    "Baseline",
    "Engine",
    "EngineKind",
    "Found",
    "GateRule",
    "LeftOut",
    "MeasuredSet",
    "Run",
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
