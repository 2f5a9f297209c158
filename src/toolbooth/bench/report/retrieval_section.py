"""How well the right tools are found; its first keys are those of the published score report."""

from typing import Final, Literal

from msgspec import UNSET, Struct, UnsetType

SURE: Final = 0.05  # a p value from here on is no difference that the questions can show


class MetricValues(Struct, frozen=True):
    """Means over the scored questions; `recall_at` by k as text."""

    recall_at: dict[str, float]
    mrr: float
    ndcg_at_10: float
    map: float

    def flat(self) -> dict[str, float]:
        """`recall_at_1` … `map`, one name each, as intervals and baselines have them."""
        recalls = {f"recall_at_{k}": value for k, value in self.recall_at.items()}
        return {**recalls, "mrr": self.mrr, "ndcg_at_10": self.ndcg_at_10, "map": self.map}


class Gate(Struct, frozen=True, omit_defaults=True):
    """Against a stored baseline; without one it passes by construction, and `note` says so."""

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
    """A question that no tool can serve, and what came all the same."""

    id: str
    query: str
    kind: str
    came: tuple[str, ...]


class Rejection(Struct, frozen=True):
    """Questions that no tool can serve: how many were answered with nothing; and of the others, how many were so.

    `interval` is of the rate, and null where all went the same way: drawing from them again tells nothing then.
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
    """One question: what was asked, what came, and the rank of the first right tool (null: not among them)."""

    id: str
    query: str
    kind: str
    wanted: tuple[str, ...]
    came: tuple[str, ...]
    rank: int | None
    recall_at_5: float
    ndcg_at_10: float


class Verdict(Struct, frozen=True):
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
        """Clear only where the interval leaves out zero and p is small: neither figure may speak against it."""
        if self.p_value >= SURE or self.low <= 0 <= self.high:
            return "unclear"
        return "better" if self.low > 0 else "worse"


class EngineScores(Struct, frozen=True):
    """Another engine, or another run, on the same questions."""

    engine: str
    metrics: MetricValues
    intervals: dict[str, tuple[float, float]]
    curve: RecallCurve
    verdicts: tuple[Verdict, ...] = ()
    rejection: Rejection | None = None


class RetrievalSection(Struct, frozen=True, omit_defaults=False):
    """All of it; `rows` worst first."""

    corpus_version: str
    golden_version: str
    runs_averaged: int
    query_count: int
    metrics: MetricValues
    gate: Gate
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
