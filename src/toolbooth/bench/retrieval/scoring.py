"""The figures of a run: means with their bounds, rows, kinds of questions, rejection, and verdicts between two runs.

A run is scored into a table with a row per question. All intervals come from the same draws, so the interval of a
difference is that of the paired comparison.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np

from toolbooth.bench import bootstrap
from toolbooth.bench.golden import GoldenQuestion, GoldenSet
from toolbooth.bench.metrics import RELEVANT, recall_curve
from toolbooth.bench.report import (
    AnsweredRow,
    KindScores,
    MetricValues,
    PairedVerdict,
    QueryRow,
    RecallCurve,
    Rejection,
)
from toolbooth.bench.retrieval.runs import EngineRun
from toolbooth.bench.scores import DEPTH, MEASURES, Metrics, QuestionScore, Scores, score_answers


class ScoredRun(NamedTuple):
    """A run with its scores; `table` has a column for each measure, then for recall at 1 to 10."""

    run: EngineRun
    scores: Scores
    table: bootstrap.Values

    def column(self, measure: str) -> bootstrap.Values:
        """One measure of every question."""
        return self.table[:, MEASURES.index(measure)]


class RunFigures(NamedTuple):
    """The means of a run, and their bounds."""

    metrics: MetricValues
    intervals: dict[str, tuple[float, float]]
    curve: RecallCurve


class BoundedFigures(NamedTuple):
    """The figures of each run, and the intervals of the additional columns, all from the same draws."""

    figures: tuple[RunFigures, ...]
    further: tuple[bootstrap.Interval, ...]


def score_run(run: EngineRun, golden: GoldenSet) -> ScoredRun:
    """Score every question that a tool can serve."""
    scores = score_answers(run.answers, golden)
    measures = [scores.values(each) for each in MEASURES]
    curves = [recall_curve(*row.question.judge(row.ranked), DEPTH) for row in scores.rows]
    return ScoredRun(run, scores, np.column_stack([np.array(measures).T, np.array(curves)]))


def bound_figures(
    runs: Sequence[ScoredRun], further: Sequence[bootstrap.Values], seed: int
) -> BoundedFigures:
    """Draw once for all runs, so that intervals of pairs are those of the paired comparison."""
    tables = [*(each.table for each in runs), *(column[:, np.newaxis] for column in further)]
    intervals = bootstrap.bootstrap_means(np.hstack(tables), seed=seed)
    width = len(MEASURES) + DEPTH
    cut = [intervals[at * width : (at + 1) * width] for at in range(len(runs))]
    figures = (_figures(each, found) for each, found in zip(runs, cut, strict=True))
    return BoundedFigures(tuple(figures), tuple(intervals[len(runs) * width :]))


def metric_values(metrics: Metrics) -> MetricValues:
    """The means as a report holds them."""
    return MetricValues(**metrics.as_json())


def _figures(each: ScoredRun, intervals: Sequence[bootstrap.Interval]) -> RunFigures:
    named = dict(zip(MEASURES, intervals, strict=False))
    mean, low, high = zip(*intervals[len(MEASURES) :], strict=True)
    return RunFigures(
        metric_values(each.scores.means),
        {measure: (found.low, found.high) for measure, found in named.items()},
        RecallCurve(mean, low, high),
    )


def rejection_of(measured: ScoredRun, golden: GoldenSet, seed: int) -> Rejection:
    """An empty answer is a rejection; `rate` is null if every question can be served."""
    run, scores = measured.run, measured.scores
    if run.rejection is not None:
        return run.rejection
    answered = tuple(
        AnsweredRow(each.id, each.query, each.kind, tuple(run.answers[each.id]))
        for each in golden.questions
        if not each.answerable and run.answers[each.id]
    )
    unanswerable = len(scores.not_scored)
    rejected = unanswerable - len(answered)
    mixed = 0 < rejected < unanswerable
    interval = (
        bootstrap.bootstrap_mean([1.0] * rejected + [0.0] * len(answered), seed=seed) if mixed else None
    )
    return Rejection(
        unanswerable,
        rejected,
        rejected / unanswerable if unanswerable else None,
        sum(not row.ranked for row in scores.rows),
        None if interval is None else (interval.low, interval.high),
        answered,
    )


def worst_first(scores: Scores) -> tuple[QueryRow, ...]:
    """The lowest nDCG first, then the lowest recall, then by id, so that the order is the same on every run."""
    rows = [_row(each) for each in scores.rows]
    return tuple(sorted(rows, key=lambda row: (row.ndcg_at_10, row.recall_at_5, row.id)))


def by_kind(measured: ScoredRun, rejection: Rejection) -> tuple[KindScores, ...]:
    """Each kind in the order of its first question; nothing if the set names no kinds."""
    return tuple(_kinds(measured.scores, rejection))


def _row(row: QuestionScore) -> QueryRow:
    question, metrics = row.question, row.metrics
    wanted = _wanted(question)
    figures = (row.rank, metrics.recall_at[5], metrics.ndcg_at_10)
    return QueryRow(question.id, question.query, question.kind, wanted, row.ranked, *figures)


def _wanted(question: GoldenQuestion) -> tuple[str, ...]:
    relevant = [label for label in question.labels if label.relevance >= RELEVANT]
    return tuple(label.tool for label in sorted(relevant, key=lambda label: -label.relevance))


def _kinds(scores: Scores, rejection: Rejection) -> Iterator[KindScores]:
    questions = [*(row.question for row in scores.rows), *scores.not_scored]
    if not any(each.kind for each in questions):
        return
    for kind in dict.fromkeys(each.kind for each in questions):
        rows = tuple(row for row in scores.rows if row.question.kind == kind)
        unanswerable = sum(each.kind == kind for each in scores.not_scored)
        answered = sum(each.kind == kind for each in rejection.answered)
        yield KindScores(
            kind,
            len(rows) + unanswerable,
            metric_values(Scores(rows).means) if rows else None,
            unanswerable - answered if unanswerable else None,
        )


COMPARED: Final = ("recall_at_5", "ndcg_at_10", "mrr", "recall_at_1")
_ROUNDING: Final = 1e-12  # sums in another order may differ by this much


def differences(ours: ScoredRun, other: ScoredRun) -> list[bootstrap.Values]:
    """Ours minus the other's, question by question, with a column for each compared measure."""
    return [ours.column(measure) - other.column(measure) for measure in COMPARED]


def verdicts(
    columns: Sequence[bootstrap.Values], intervals: Sequence[bootstrap.Interval], seed: int
) -> tuple[PairedVerdict, ...]:
    """One verdict for each compared measure."""
    return tuple(_verdicts(columns, intervals, seed))


def _verdicts(
    columns: Sequence[bootstrap.Values], intervals: Sequence[bootstrap.Interval], seed: int
) -> Iterator[PairedVerdict]:
    for measure, column, interval in zip(COMPARED, columns, intervals, strict=True):
        better = int(np.count_nonzero(column > _ROUNDING))
        worse = int(np.count_nonzero(column < -_ROUNDING))
        yield PairedVerdict(measure, *interval, bootstrap.sign_flip(column, seed), better, worse)
