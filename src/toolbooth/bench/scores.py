"""The scores of a search function on a golden set: one per question, and their means."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean
from typing import Any

from toolbooth import errors, safetext
from toolbooth.bench.golden import GoldenQuestion, GoldenSet
from toolbooth.bench.metrics import (
    average_precision,
    first_relevant_rank,
    ndcg_at_k,
    recall_at_k,
    reciprocal_rank,
)

# Takes a query, returns catalog ids (`server.tool`), the best first
SearchFunction = Callable[[str], Sequence[str]]

KS = (1, 3, 5, 10)
MEASURES = (*(f"recall_at_{k}" for k in KS), "mrr", "ndcg_at_10", "map")  # the flat name of every measure
DEPTH = 10  # the published baseline cuts its rankings here, which affects MRR and MAP


@dataclass(frozen=True)
class Metrics:
    """The four measures of one ranking, or their means; names as in the published baseline."""

    recall_at: Mapping[int, float]
    mrr: float
    ndcg_at_10: float
    map: float

    def flat(self) -> dict[str, float]:
        """Flat names, `recall_at_1` … `map`, with their values."""
        recalls = {f"recall_at_{k}": value for k, value in self.recall_at.items()}
        return {**recalls, "mrr": self.mrr, "ndcg_at_10": self.ndcg_at_10, "map": self.map}

    def as_json(self) -> dict[str, Any]:
        """The object that score reports and baselines hold."""
        recalls = {str(k): value for k, value in self.recall_at.items()}
        return {"recall_at": recalls, "mrr": self.mrr, "ndcg_at_10": self.ndcg_at_10, "map": self.map}


def metrics_of(flat: Mapping[str, float]) -> Metrics:
    """The metrics with these flat names."""
    recalls = {k: flat[f"recall_at_{k}"] for k in KS}
    return Metrics(recalls, flat["mrr"], flat["ndcg_at_10"], flat["map"])


@dataclass(frozen=True)
class QuestionScore:
    """One question: the ranking, the rank of the first right tool (None: not found), and the measures."""

    question: GoldenQuestion
    ranked: tuple[str, ...]
    rank: int | None
    metrics: Metrics


@dataclass(frozen=True)
class Scores:
    """All rows in the order of the golden set; `not_scored` holds the questions without a relevant label."""

    rows: tuple[QuestionScore, ...]
    not_scored: tuple[GoldenQuestion, ...] = ()

    @cached_property
    def _columns(self) -> dict[str, list[float]]:
        """Every measure of every row, by flat name; each row is flattened once."""
        flat = [row.metrics.flat() for row in self.rows]
        return {metric: [each[metric] for each in flat] for metric in MEASURES}

    @property
    def means(self) -> Metrics:
        """The mean of each measure over the scored questions."""
        return metrics_of({metric: fmean(values) for metric, values in self._columns.items()})

    def values(self, metric: str) -> list[float]:
        """One measure of every row, by its flat name."""
        return list(self._columns[metric])


def score(search: SearchFunction, golden: GoldenSet, depth: int = DEPTH) -> Scores:
    """Ask every question that a tool can serve and cut each ranking at `depth`."""
    asked = {each.id: search(each.query) for each in golden.questions if each.answerable}
    return score_answers(asked, golden, depth)


def score_answers(answers: Mapping[str, Iterable[str]], golden: GoldenSet, depth: int = DEPTH) -> Scores:
    """Score existing rankings, by the ids of their questions."""
    rows = tuple(_row(each, answers[each.id], depth) for each in golden.questions if each.answerable)
    if not rows:
        raise errors.ConfigError(
            f"no question of {safetext.for_terminal(golden.version, 60) or 'the golden set'} has a relevant "
            "label, so there is "
            "nothing to score; add questions that a tool of the corpus can serve"
        )
    return Scores(rows, tuple(each for each in golden.questions if not each.answerable))


def _row(question: GoldenQuestion, found: Iterable[str], depth: int) -> QuestionScore:
    ranked = tuple(found)[:depth]
    judged = question.judge(ranked)
    metrics = Metrics(
        {k: recall_at_k(*judged, k) for k in KS},
        reciprocal_rank(*judged),
        ndcg_at_k(*judged, 10),
        average_precision(*judged),
    )
    return QuestionScore(question, ranked, first_relevant_rank(*judged), metrics)
