"""A run × a golden set → a table with a row a question; tables of several runs → means with their bounds."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from toolbooth.bench.bootstrap import Interval, Values, bootstrap_means
from toolbooth.bench.golden import GoldenSet
from toolbooth.bench.metrics import recall_curve
from toolbooth.bench.report import MetricValues, RecallCurve
from toolbooth.bench.retrieval.run import Run
from toolbooth.bench.score import DEPTH, MEASURES, Metrics, Scores, score_answers


class Measured(NamedTuple):
    """A run with its scores; `table` has a column for each measure, then for recall at 1 to 10."""

    run: Run
    scores: Scores
    table: Values

    def column(self, measure: str) -> Values:
        """One measure of every question."""
        return self.table[:, MEASURES.index(measure)]


class Figures(NamedTuple):
    """The means of a run, and their bounds."""

    metrics: MetricValues
    intervals: dict[str, tuple[float, float]]
    curve: RecallCurve


class Bounds(NamedTuple):
    """Figures of each run, and the intervals of the further columns, all from the same draws."""

    figures: tuple[Figures, ...]
    further: tuple[Interval, ...]


def measure(run: Run, golden: GoldenSet) -> Measured:
    """Score every question that a tool can serve."""
    scores = score_answers(run.answers, golden)
    measures = [scores.values(each) for each in MEASURES]
    curves = [recall_curve(*row.question.judge(row.ranked), DEPTH) for row in scores.rows]
    return Measured(run, scores, np.column_stack([np.array(measures).T, np.array(curves)]))


def bound(runs: Sequence[Measured], further: Sequence[Values], seed: int) -> Bounds:
    """Draw once for all runs: intervals of pairs are then those of the paired comparison."""
    tables = [*(each.table for each in runs), *(column[:, np.newaxis] for column in further)]
    intervals = bootstrap_means(np.hstack(tables), seed=seed)
    width = len(MEASURES) + DEPTH
    cut = [intervals[at * width : (at + 1) * width] for at in range(len(runs))]
    figures = (_figures(each, found) for each, found in zip(runs, cut, strict=True))
    return Bounds(tuple(figures), tuple(intervals[len(runs) * width :]))


def metric_values(metrics: Metrics) -> MetricValues:
    """The means as a report holds them."""
    return MetricValues(**metrics.as_json())


def _figures(each: Measured, intervals: Sequence[Interval]) -> Figures:
    named = dict(zip(MEASURES, intervals, strict=False))
    mean, low, high = zip(*intervals[len(MEASURES) :], strict=True)
    return Figures(
        metric_values(each.scores.means),
        {measure: (found.low, found.high) for measure, found in named.items()},
        RecallCurve(mean, low, high),
    )
