"""A stored baseline, and the gate that compares a run with it.

A baseline is read from the published shape, from `report.json` or from its retrieval section. The published shape has
the metrics at the top level: `{corpus_version, golden_version, recall_at: {k: …}, mrr, ndcg_at_10, map, tolerance:
{metric: …}, runs_averaged}`; other keys are notes.
"""

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import UNSET

from toolbooth import __version__, errors, own_json, safetext
from toolbooth.bench import json_file, scores
from toolbooth.bench.corpus import Pair
from toolbooth.bench.report import BaselineGate, RetrievalSection


class Baseline(NamedTuple):
    """The means that the file has, by flat name; versions are empty if it names none."""

    path: Path
    corpus_version: str
    golden_version: str
    metrics: Mapping[str, float]
    tolerance: Mapping[str, float]


def read_baseline(path: Path) -> Baseline:
    """Read a baseline; raises ConfigError with what is wrong and where."""
    block = _block(path)
    found = dict(_metrics(block.get("metrics", block), path))
    if not found:
        raise errors.ConfigError(
            "the file has no metrics; name a file that --write-baseline wrote, or a report.json", path
        )
    corpus, golden = (_version(block.get(key), key, path) for key in ("corpus_version", "golden_version"))
    return Baseline(path, corpus, golden, found, dict(_tolerances(block, path)))


def baseline_bytes(section: RetrievalSection, metric: str, tolerance: float) -> bytes:
    """A run as a baseline of the published shape, with the tolerance of its gate."""
    made_by = {"harness": f"toolbooth {__version__}", "engine": section.engine}
    document = {
        "corpus_version": section.corpus_version,
        "golden_version": section.golden_version,
        "generated_from": made_by | {"questions": section.query_count},
        **msgspec.to_builtins(section.metrics),
        "tolerance": {metric: tolerance},
        "runs_averaged": section.runs_averaged,
    }
    return own_json.encode(document, indent=2)


def _block(path: Path) -> Mapping[str, Any]:
    """The object that holds the metrics."""
    document = json_file.read_json(path, "a baseline")
    block = document.get("retrieval", document) if isinstance(document, Mapping) else document
    if block is None:
        raise errors.ConfigError(
            "this report has no retrieval section; `toolbooth bench retrieval` makes one", path
        )
    if not isinstance(block, Mapping):
        raise errors.ConfigError("a baseline must be an object with metrics", path)
    return block


def _metrics(metrics: Any, path: Path) -> Iterator[tuple[str, float]]:
    if not isinstance(metrics, Mapping):
        raise errors.ConfigError("metrics must be an object", path)
    recalls = metrics.get("recall_at", {})
    if not isinstance(recalls, Mapping):
        raise errors.ConfigError('recall_at must be an object such as {"5": 0.9}', path)
    given = {f"recall_at_{k}": recalls.get(str(k)) for k in scores.KS}
    given |= {each: metrics.get(each) for each in scores.MEASURES if each not in given}
    yield from ((each, _share(value, each, path)) for each, value in given.items() if value is not None)


def _tolerances(block: Mapping[str, Any], path: Path) -> Iterator[tuple[str, float]]:
    """The tolerances of the file itself, or of the gate of a report."""
    named, gate = block.get("tolerance"), block.get("gate")
    if named is None and isinstance(gate, Mapping) and gate.get("tolerance") is not None:
        named = {str(gate.get("metric")): gate["tolerance"]}
    if named is not None and not isinstance(named, Mapping):
        raise errors.ConfigError('tolerance must be an object such as {"recall_at_5": 0.05}', path)
    yield from ((each, _share(value, f"tolerance.{each}", path)) for each, value in (named or {}).items())


def _version(value: Any, key: str, path: Path) -> str:
    if value is not None and not isinstance(value, str):
        raise errors.ConfigError(f"{key} must be text", path)
    return value or ""


def _share(value: Any, where: str, path: Path) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not _between(value):
        raise errors.ConfigError(f"{safetext.for_terminal(where, 60)} must be a number from 0 to 1", path)
    return float(value)


def _between(value: float) -> bool:
    return math.isfinite(value) and 0 <= value <= 1


METRIC: Final = "recall_at_5"  # the tolerance of the published gate
TOLERANCE: Final = 0.05
_ROUNDING: Final = 1e-12  # a mean that was summed in another order is not a regression
_NO_BASELINE: Final = "no baseline was named, so the gate passes"


class GateRule(NamedTuple):
    """Which measure must not fall, how far it may (None: as the baseline says, or 0.05), and below which baseline."""

    metric: str = METRIC
    tolerance: float | None = None
    baseline: Baseline | None = None

    @property
    def allowed(self) -> float:
        """The tolerance in effect."""
        if self.tolerance is not None:
            return self.tolerance
        return TOLERANCE if self.baseline is None else self.baseline.tolerance.get(self.metric, TOLERANCE)

    def judge(self, means: scores.Metrics) -> BaselineGate:
        """Whether the measure is at least the baseline − tolerance."""
        value = means.flat()[self.metric]
        if self.baseline is None:
            return BaselineGate(True, self.metric, self.allowed, value, note=_NO_BASELINE)
        floor = self.baseline.metrics[self.metric] - self.allowed
        return BaselineGate(value >= floor - _ROUNDING, self.metric, self.allowed, value, floor, UNSET)


def deltas(baseline: Baseline, means: scores.Metrics) -> dict[str, float]:
    """This run minus the baseline, for every measure that the baseline has."""
    now = means.flat()
    return {each: now[each] - baseline.metrics[each] for each in scores.MEASURES if each in baseline.metrics}


def check_rule(rule: GateRule, pair: Pair, *, allow_mismatch: bool) -> tuple[str, ...]:
    """Refuse what cannot be judged before anything is measured; returns the mismatches that were allowed, as notes."""
    if rule.metric not in scores.MEASURES:
        raise errors.UserMistake(
            f'unknown metric "{safetext.for_terminal(rule.metric, 60)}"; choose one of {", ".join(scores.MEASURES)}'
        )
    if rule.baseline is None:
        return ()
    if rule.metric not in rule.baseline.metrics:
        has = ", ".join(each for each in scores.MEASURES if each in rule.baseline.metrics)
        raise errors.ConfigError(
            f"the baseline has no {rule.metric}; choose one that it has with --metric: {has}",
            rule.baseline.path,
        )
    said = _mismatches(rule.baseline, pair)
    if said and not allow_mismatch:
        raise errors.ConfigError(f"{said[0]}; use --allow-mismatch to compare anyway", rule.baseline.path)
    return said


def _mismatches(baseline: Baseline, pair: Pair) -> tuple[str, ...]:
    """A baseline without versions matches anything."""
    versions = (
        ("corpus", baseline.corpus_version, pair.corpus.version),
        ("golden set", baseline.golden_version, pair.golden.version),
    )
    return tuple(
        f'the baseline is for {what} "{safetext.for_terminal(stored, 60)}", but this is '
        f'"{safetext.for_terminal(now, 60)}"'
        for what, stored, now in versions
        if stored and stored != now
    )
