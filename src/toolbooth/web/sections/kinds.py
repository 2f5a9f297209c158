"""Kinds of questions, and questions that no tool can serve → bars of shares."""

from toolbooth.bench.report import KindScores, Rejection
from toolbooth.web.charts.bars import Bar, bars
from toolbooth.web.digits import counted, number, percent, score
from toolbooth.web.parts import Chart, Column, Figure, Table, figure
from toolbooth.web.sections.names import flat, metric_name


def kinds_figure(kinds: tuple[KindScores, ...]) -> Figure | None:
    """Nothing where the questions have no kinds."""
    scored = [kind for kind in kinds if kind.metrics is not None]
    if not scored:
        return None
    rows = [_bar(kind) for kind in scored]
    said = "; ".join(f"{bar.label} {bar.words}" for bar in rows)
    chart = Chart(
        "kinds",
        "Recall@5 by kind of question",
        f"Horizontal bars: {said}.",
        lambda width: bars(rows, width, reference=1.0),
    )
    return figure(chart, "Pale: all right tools among the first five.", _table(kinds), "measured")


def _bar(kind: KindScores) -> Bar:
    recall = kind.metrics.recall_at.get("5") if kind.metrics else None
    return Bar(kind.kind or "no kind", recall, score(recall), counted(kind.questions, "question"))


def _table(kinds: tuple[KindScores, ...]) -> Table:
    keys = list(flat(next(kind.metrics for kind in kinds if kind.metrics is not None)))
    columns = (
        Column("kind", digits=False),
        Column("questions"),
        *(Column(metric_name(key)) for key in keys),
        Column("rejected"),
    )
    rows = tuple(
        (
            kind.kind or "no kind",
            number(kind.questions),
            *(score(flat(kind.metrics).get(key) if kind.metrics else None) for key in keys),
            number(kind.rejected),
        )
        for kind in kinds
    )
    return Table("Measures by kind of question", columns, rows)


def rejection_figure(rejection: Rejection | None, answerable: int) -> Figure | None:
    """How often nothing is said where there is nothing to say, and where there was something."""
    if rejection is None:
        return None
    rows = [
        _share("no tool can serve it", rejection.rejected, rejection.unanswerable, "fill tone-0"),
        _share("a tool can serve it", rejection.answerable_rejected, answerable, "fill tone-1"),
    ]
    chart = Chart(
        "rejection",
        "Questions that were answered with nothing",
        "Horizontal bars: " + "; ".join(f"{bar.label} {bar.words} {bar.note}" for bar in rows) + ".",
        lambda width: bars(rows, width, reference=1.0),
    )
    table = Table(
        "Questions answered with nothing",
        (
            Column("questions", digits=False),
            Column("asked"),
            Column("answered with nothing"),
            Column("share"),
        ),
        (
            (
                "no tool can serve it",
                number(rejection.unanswerable),
                number(rejection.rejected),
                percent(rejection.rate),
            ),
            ("a tool can serve it", number(answerable), number(rejection.answerable_rejected), rows[1].words),
        ),
    )
    return figure(chart, "Right in the first row, wrong in the second.", table, "measured")


def _share(label: str, part: int, whole: int, css: str) -> Bar:
    share = part / whole if whole else None
    return Bar(label, share, percent(share), f"{number(part)} of {number(whole)}", css)
