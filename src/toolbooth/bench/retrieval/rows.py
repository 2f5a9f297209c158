"""Scores of questions → the rows of a report, worst first, and the means of each kind of question."""

from collections.abc import Iterator

from toolbooth.bench.golden import Question
from toolbooth.bench.metrics import RELEVANT
from toolbooth.bench.report import KindScores, QueryRow, Rejection
from toolbooth.bench.retrieval.measured import Measured, metric_values
from toolbooth.bench.score import Row, Scores


def worst_first(scores: Scores) -> tuple[QueryRow, ...]:
    """The lowest nDCG first, then the lowest recall, then by id: the same order on every run."""
    rows = [_row(each) for each in scores.rows]
    return tuple(sorted(rows, key=lambda row: (row.ndcg_at_10, row.recall_at_5, row.id)))


def by_kind(measured: Measured, rejection: Rejection) -> tuple[KindScores, ...]:
    """Each kind in the order of its first question; nothing where the set names no kinds."""
    return tuple(_kinds(measured.scores, rejection))


def _row(row: Row) -> QueryRow:
    question, metrics = row.question, row.metrics
    wanted = _wanted(question)
    figures = (row.rank, metrics.recall_at[5], metrics.ndcg_at_10)
    return QueryRow(question.id, question.query, question.kind, wanted, row.ranked, *figures)


def _wanted(question: Question) -> tuple[str, ...]:
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
