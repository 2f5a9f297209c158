"""Answers to questions that no tool can serve → how many were rightly none."""

from toolbooth.bench.bootstrap import bootstrap_mean
from toolbooth.bench.golden import GoldenSet
from toolbooth.bench.report import AnsweredRow, Rejection
from toolbooth.bench.retrieval.measured import Measured


def rejection_of(measured: Measured, golden: GoldenSet, seed: int) -> Rejection:
    """An empty answer is a rejection; `rate` is null where every question can be served."""
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
    interval = bootstrap_mean([1.0] * rejected + [0.0] * len(answered), seed=seed) if mixed else None
    return Rejection(
        unanswerable,
        rejected,
        rejected / unanswerable if unanswerable else None,
        sum(not row.ranked for row in scores.rows),
        None if interval is None else (interval.low, interval.high),
        answered,
    )
