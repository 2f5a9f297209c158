"""Kinds of questions → bars of recall."""

from toolbooth.bench.report import KindScores
from toolbooth.web.charts.bars import Bar, bars
from toolbooth.web.digits import counted, number, score
from toolbooth.web.parts import Chart, Column, Figure, Table
from toolbooth.web.sections.names import metric_name


def kinds_figure(kinds: tuple[KindScores, ...]) -> Figure | None:
    """Nothing where the questions have no kinds."""
    scored = [kind for kind in kinds if kind.metrics is not None]
    if not scored:
        return None
    rows = [_bar(kind) for kind in scored]
    said = "; ".join(f"{bar.label} {bar.words}" for bar in rows)
    chart = Chart(
        "kinds",
        "recall@5 by kind of question",
        f"Horizontal bars: {said}.",
        lambda width: bars(rows, width, reference=1.0),
    )
    lead = "A bar as long as the pale one behind it: every right tool was among the first five."
    return Figure(chart, lead, _table(kinds), "measured")


def _bar(kind: KindScores) -> Bar:
    recall = kind.metrics.recall_at.get("5") if kind.metrics else None
    return Bar(kind.kind or "no kind", recall, score(recall), counted(kind.questions, "question"))


def _table(kinds: tuple[KindScores, ...]) -> Table:
    keys = list(next(kind.metrics for kind in kinds if kind.metrics is not None).flat())
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
            *(score(kind.metrics.flat().get(key) if kind.metrics else None) for key in keys),
            number(kind.rejected),
        )
        for kind in kinds
    )
    return Table("Measures by kind of question", columns, rows)
