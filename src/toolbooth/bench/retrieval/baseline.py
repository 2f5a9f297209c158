"""A stored baseline, and the gate that compares a run with it.

A baseline is read from the published shape, from `report.json` or from its retrieval section. The published shape has
the metrics at the top level: `{corpus_version, golden_version, recall_at: {k: …}, mrr, ndcg_at_10, map, tolerance:
{metric: …}, runs_averaged}`; other keys are notes.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Final, NamedTuple

import msgspec
from msgspec import UNSET, Meta, Struct

from toolbooth import __version__, errors, own_json, safetext
from toolbooth.bench import json_file, scores
from toolbooth.bench.corpus import Pair
from toolbooth.bench.report import BaselineGate, RetrievalSection

Share = Annotated[float, Meta(ge=0, le=1)]


class _Means(Struct, frozen=True):
    recall_at: dict[str, Share | None] = {}
    mrr: Share | None = None
    ndcg_at_10: Share | None = None
    map: Share | None = None


class _Gate(Struct, frozen=True):
    metric: str = ""
    tolerance: Share | None = None


class _BaselineFile(_Means, frozen=True):
    """The means are at the top level as published, or in `metrics` as in a report, which has the gate's tolerance."""

    metrics: _Means | None = None
    corpus_version: str | None = None
    golden_version: str | None = None
    tolerance: dict[str, Share] | None = None
    gate: _Gate | None = None


class Baseline(NamedTuple):
    """The means that the file has, by flat name; versions are empty if it names none."""

    path: Path
    corpus_version: str
    golden_version: str
    metrics: Mapping[str, float]
    tolerance: Mapping[str, float]


def read_baseline(path: Path) -> Baseline:
    """Read a baseline; raises ConfigError with what is wrong and where."""
    stored = _stored(path)
    found = dict(_metrics(stored.metrics or stored))
    if not found:
        raise errors.ConfigError(
            "the file has no metrics; name a file that --write-baseline wrote, or a report.json", path
        )
    return Baseline(
        path, stored.corpus_version or "", stored.golden_version or "", found, _tolerances(stored)
    )


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


def _stored(path: Path) -> _BaselineFile:
    document = json_file.read_json(path)
    block = document.get("retrieval", document) if isinstance(document, Mapping) else document
    if block is None:
        raise errors.ConfigError(
            "this report has no retrieval section; `toolbooth bench retrieval` makes one", path
        )
    if not isinstance(block, Mapping):
        raise errors.ConfigError("a baseline must be an object with metrics", path)
    try:
        return msgspec.convert(block, _BaselineFile)
    except msgspec.ValidationError as error:
        raise errors.ConfigError(
            f"the baseline is damaged: {own_json.reason(error)}; write it again with --write-baseline", path
        ) from None


def _metrics(means: _Means) -> Iterator[tuple[str, float]]:
    given = {f"recall_at_{k}": means.recall_at.get(str(k)) for k in scores.KS}
    given |= {each: getattr(means, each) for each in scores.MEASURES if each not in given}
    yield from ((each, value) for each, value in given.items() if value is not None)


def _tolerances(stored: _BaselineFile) -> dict[str, float]:
    """The tolerances of the file itself, or of the gate of a report."""
    if stored.tolerance is not None:
        return stored.tolerance
    gate = stored.gate
    return {} if gate is None or gate.tolerance is None else {gate.metric: gate.tolerance}


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
