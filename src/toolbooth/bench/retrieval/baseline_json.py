"""A stored baseline (published shape, `report.json` or its retrieval section) → its metrics; and back to a file.

The published shape has the metrics at its top: `{corpus_version, golden_version, recall_at: {k: …}, mrr, ndcg_at_10,
map, tolerance: {metric: …}, runs_averaged}`; other keys are notes.
"""

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import orjson

from toolbooth import __version__
from toolbooth.bench.json_file import read_json
from toolbooth.bench.report import RetrievalSection
from toolbooth.bench.score import KS, MEASURES
from toolbooth.errors import ConfigError
from toolbooth.safetext import for_terminal


class Baseline(NamedTuple):
    """Means by flat name, those that the file has; versions are empty where it names none."""

    path: Path
    corpus_version: str
    golden_version: str
    metrics: Mapping[str, float]
    tolerance: Mapping[str, float]


def read_baseline(path: Path) -> Baseline:
    """Read one; raises ConfigError with what is wrong and where in it."""
    block = _block(path)
    found = dict(_metrics(block.get("metrics", block), path))
    if not found:
        raise ConfigError(
            "there are no metrics in it: a baseline is what --write-baseline writes, or a report.json", path
        )
    corpus, golden = (_version(block.get(key), key, path) for key in ("corpus_version", "golden_version"))
    return Baseline(path, corpus, golden, found, dict(_tolerances(block, path)))


def baseline_bytes(section: RetrievalSection, metric: str, tolerance: float) -> bytes:
    """A run as a baseline of the published shape, its gate's tolerance with it."""
    made_by = {"harness": f"toolbooth {__version__}", "engine": section.engine}
    document = {
        "corpus_version": section.corpus_version,
        "golden_version": section.golden_version,
        "generated_from": made_by | {"questions": section.query_count},
        **msgspec.to_builtins(section.metrics),
        "tolerance": {metric: tolerance},
        "runs_averaged": section.runs_averaged,
    }
    return orjson.dumps(document, option=orjson.OPT_INDENT_2) + b"\n"


def _block(path: Path) -> Mapping[str, Any]:
    """The object in which the metrics stand."""
    document = read_json(path, "a baseline")
    block = document.get("retrieval", document) if isinstance(document, Mapping) else document
    if block is None:
        raise ConfigError("this report has no retrieval section; `toolbooth bench retrieval` makes one", path)
    if not isinstance(block, Mapping):
        raise ConfigError("a baseline is an object with metrics", path)
    return block


def _metrics(metrics: Any, path: Path) -> Iterator[tuple[str, float]]:
    if not isinstance(metrics, Mapping):
        raise ConfigError("metrics must be an object", path)
    recalls = metrics.get("recall_at", {})
    if not isinstance(recalls, Mapping):
        raise ConfigError("recall_at must be an object: k and a number", path)
    given = {f"recall_at_{k}": recalls.get(str(k)) for k in KS}
    given |= {each: metrics.get(each) for each in MEASURES if each not in given}
    yield from ((each, _share(value, each, path)) for each, value in given.items() if value is not None)


def _tolerances(block: Mapping[str, Any], path: Path) -> Iterator[tuple[str, float]]:
    """The file's own, or that of the gate of a report."""
    named, gate = block.get("tolerance"), block.get("gate")
    if named is None and isinstance(gate, Mapping) and gate.get("tolerance") is not None:
        named = {str(gate.get("metric")): gate["tolerance"]}
    if named is not None and not isinstance(named, Mapping):
        raise ConfigError('tolerance must be an object, as in {"recall_at_5": 0.05}', path)
    yield from ((each, _share(value, f"tolerance.{each}", path)) for each, value in (named or {}).items())


def _version(value: Any, key: str, path: Path) -> str:
    if value is not None and not isinstance(value, str):
        raise ConfigError(f"{key} must be text", path)
    return value or ""


def _share(value: Any, where: str, path: Path) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not _between(value):
        raise ConfigError(f"{for_terminal(where, 60)} must be a number from 0 to 1", path)
    return float(value)


def _between(value: float) -> bool:
    return math.isfinite(value) and 0 <= value <= 1
