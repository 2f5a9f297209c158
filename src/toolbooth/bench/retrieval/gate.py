"""A run's means × a stored baseline → whether the gate holds, and how far every measure has moved."""

from typing import Final, NamedTuple

from msgspec import UNSET

from toolbooth.bench.corpus import Pair
from toolbooth.bench.report import Gate
from toolbooth.bench.retrieval.baseline_json import Baseline
from toolbooth.bench.score import MEASURES, Metrics
from toolbooth.errors import ConfigError, UserMistake
from toolbooth.safetext import for_terminal

METRIC: Final = "recall_at_5"  # of the published gate
TOLERANCE: Final = 0.05
_ROUNDING: Final = 1e-12  # a mean in another order of sums is not a regression
_NO_BASELINE: Final = "no baseline was named: passes by construction"


class GateRule(NamedTuple):
    """What must not fall, how far it may (None: as the baseline says, or 0.05), and below what."""

    metric: str = METRIC
    tolerance: float | None = None
    baseline: Baseline | None = None

    @property
    def allowed(self) -> float:
        """The tolerance that holds."""
        if self.tolerance is not None:
            return self.tolerance
        return TOLERANCE if self.baseline is None else self.baseline.tolerance.get(self.metric, TOLERANCE)

    def judge(self, means: Metrics) -> Gate:
        """Whether the measure has not fallen below baseline − tolerance."""
        value = means.flat()[self.metric]
        if self.baseline is None:
            return Gate(True, self.metric, self.allowed, value, note=_NO_BASELINE)
        floor = self.baseline.metrics[self.metric] - self.allowed
        return Gate(value >= floor - _ROUNDING, self.metric, self.allowed, value, floor, UNSET)


def deltas(baseline: Baseline, means: Metrics) -> dict[str, float]:
    """This run minus the baseline, of every measure that the baseline has."""
    now = means.flat()
    return {each: now[each] - baseline.metrics[each] for each in MEASURES if each in baseline.metrics}


def check_rule(rule: GateRule, pair: Pair, *, allow_mismatch: bool) -> tuple[str, ...]:
    """Refuse what cannot be judged, before anything is measured; gives back what was allowed."""
    if rule.metric not in MEASURES:
        raise UserMistake(
            f'there is no metric "{for_terminal(rule.metric, 60)}"; there are {", ".join(MEASURES)}'
        )
    if rule.baseline is None:
        return ()
    if rule.metric not in rule.baseline.metrics:
        has = ", ".join(each for each in MEASURES if each in rule.baseline.metrics)
        raise ConfigError(
            f"the baseline has no {rule.metric}; --metric names one that it has: {has}", rule.baseline.path
        )
    said = _mismatches(rule.baseline, pair)
    if said and not allow_mismatch:
        raise ConfigError(f"{said[0]}; --allow-mismatch compares all the same", rule.baseline.path)
    return said


def _mismatches(baseline: Baseline, pair: Pair) -> tuple[str, ...]:
    """A baseline that names no version fits anything."""
    versions = (
        ("corpus", baseline.corpus_version, pair.corpus.version),
        ("golden set", baseline.golden_version, pair.golden.version),
    )
    return tuple(
        f'the baseline is for {what} "{for_terminal(stored, 60)}", and this is "{for_terminal(now, 60)}"'
        for what, stored, now in versions
        if stored and stored != now
    )
