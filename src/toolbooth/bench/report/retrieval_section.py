"""The retrieval section of a report: how well the right tools are found.

Its first keys are those of the published score report. `damage_in` names figures that every table relies on and that a
damaged file lacks.
"""

from collections.abc import Iterator
from typing import Final, Literal

from msgspec import UNSET, Struct, UnsetType

from toolbooth import safetext

SURE: Final = 0.05  # with this p value or more, the questions show no difference


class MetricValues(Struct, frozen=True):
    """Means over the scored questions; `recall_at` by k as text."""

    recall_at: dict[str, float]
    mrr: float
    ndcg_at_10: float
    map: float

    def flat(self) -> dict[str, float]:
        """Flat names, `recall_at_1` … `map`, as intervals and baselines have them."""
        recalls = {f"recall_at_{k}": value for k, value in self.recall_at.items()}
        return {**recalls, "mrr": self.mrr, "ndcg_at_10": self.ndcg_at_10, "map": self.map}


class BaselineGate(Struct, frozen=True, omit_defaults=True):
    """The comparison with a stored baseline; without one the gate passes, and `note` says so."""

    passed: bool
    metric: str | UnsetType = UNSET
    tolerance: float | UnsetType = UNSET
    value: float | UnsetType = UNSET
    floor: float | UnsetType = UNSET
    note: str | UnsetType = UNSET


class RecallCurve(Struct, frozen=True):
    """Recall at 1 to 10, with the bounds of a 95 % interval."""

    mean: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]


class AnsweredRow(Struct, frozen=True):
    """A question that no tool can serve, and what was answered nevertheless."""

    id: str
    query: str
    kind: str
    came: tuple[str, ...]


class Rejection(Struct, frozen=True):
    """How many questions that no tool can serve got no answer, and how many of the others.

    `interval` is of the rate, and null if all questions agree, because resampling them then says nothing.
    """

    unanswerable: int
    rejected: int
    rate: float | None
    answerable_rejected: int
    interval: tuple[float, float] | None = None
    answered: tuple[AnsweredRow, ...] = ()


class KindScores(Struct, frozen=True):
    """One kind of question (literal, paraphrased, …)."""

    kind: str
    questions: int
    metrics: MetricValues | None
    rejected: int | None = None


class QueryRow(Struct, frozen=True):
    """One question, its ranking, and the rank of the first right tool (null: not in it)."""

    id: str
    query: str
    kind: str
    wanted: tuple[str, ...]
    came: tuple[str, ...]
    rank: int | None
    recall_at_5: float
    ndcg_at_10: float


class PairedVerdict(Struct, frozen=True):
    """This engine minus the other, question by question."""

    metric: str
    difference: float
    low: float
    high: float
    p_value: float
    better: int
    worse: int

    @property
    def outcome(self) -> Literal["better", "worse", "unclear"]:
        """Clear only if the interval excludes zero and p is small: neither figure may contradict."""
        if self.p_value >= SURE or self.low <= 0 <= self.high:
            return "unclear"
        return "better" if self.low > 0 else "worse"


class EngineScores(Struct, frozen=True):
    """Another engine, or another run, on the same questions."""

    engine: str
    metrics: MetricValues
    intervals: dict[str, tuple[float, float]]
    curve: RecallCurve
    verdicts: tuple[PairedVerdict, ...] = ()
    rejection: Rejection | None = None


class RetrievalSection(Struct, frozen=True, omit_defaults=False):
    """The section; `rows` has the worst questions first."""

    corpus_version: str
    golden_version: str
    runs_averaged: int
    query_count: int
    metrics: MetricValues
    gate: BaselineGate
    engine: str
    not_scored: int
    intervals: dict[str, tuple[float, float]]
    curve: RecallCurve
    rejection: Rejection | None
    kinds: tuple[KindScores, ...]
    rows: tuple[QueryRow, ...]
    against: tuple[EngineScores, ...] = ()
    baseline_delta: dict[str, float] | UnsetType = UNSET
    unknown_labels: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


_DEPTHS: Final = ("1", "3", "5", "10")
_MEASURES: Final = frozenset((*(f"recall_at_{k}" for k in _DEPTHS), "mrr", "ndcg_at_10", "map"))


def damage_in(section: RetrievalSection) -> Iterator[str]:
    """One line per damaged figure; nothing for a section that Toolbooth wrote."""
    yield from _of_metrics(section.metrics, "metrics")
    yield from _of_curve(section.curve, "curve")
    yield from _unknown(section.intervals, "intervals")
    for kind in section.kinds:
        if kind.metrics is not None:
            yield from _of_metrics(kind.metrics, f"kinds ({safetext.for_terminal(kind.kind, 40)})")
    for other in section.against:
        where = f"against ({safetext.for_terminal(other.engine, 40)})"
        yield from _of_metrics(other.metrics, where)
        yield from _of_curve(other.curve, where)
        yield from _unknown(other.intervals, where)
        yield from _unknown([verdict.metric for verdict in other.verdicts], where)


def _of_metrics(metrics: MetricValues, where: str) -> Iterator[str]:
    missing = [k for k in _DEPTHS if k not in metrics.recall_at]
    if missing:
        yield f"{where} have no recall_at {', '.join(missing)}"


def _of_curve(curve: RecallCurve, where: str) -> Iterator[str]:
    if not len(curve.mean) == len(curve.low) == len(curve.high):
        yield f"{where}: the curve's mean, low and high differ in length"


def _unknown(names: "dict[str, tuple[float, float]] | list[str]", where: str) -> Iterator[str]:
    for name in names:
        if name not in _MEASURES:
            yield f"{where}: {safetext.for_terminal(name, 40)!r} is not a measure"
