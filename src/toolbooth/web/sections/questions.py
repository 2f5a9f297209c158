"""The questions of a retrieval run: recall by kind, the worst ones, and those that no tool can serve."""

from typing import Final

from toolbooth import figures
from toolbooth.bench.report import AnsweredRow, KindScores, QueryRow, Rejection
from toolbooth.web.charts.bars import Bar, bars
from toolbooth.web.parts import Chart, Figure, PageTable, TableColumn, cut
from toolbooth.web.scores import score
from toolbooth.web.sections.wording import metric_name

_NAMED: Final = 5  # results shown: recall is judged at five


def questions_table(rows: tuple[QueryRow, ...]) -> PageTable | None:
    """The worst questions."""
    if not rows:
        return None
    shown, left_out = cut(rows, "questions")
    missed = sum(row.rank is None for row in rows)
    lead = "The worst first, with the rank of the first right tool. "
    lead += f"Of {figures.counted(len(rows), 'question')}, {figures.number(missed)} found none."
    columns = (
        TableColumn("asked", digits=False),
        TableColumn("wanted", digits=False),
        TableColumn("came", digits=False),
        TableColumn("rank"),
    )
    cells = tuple(_question_row(row) for row in shown)
    return PageTable("The worst questions", columns, cells, lead, left_out, stacked=True)


def _question_row(row: QueryRow) -> tuple[str, ...]:
    kind = f" ({row.kind})" if row.kind else ""
    rank = figures.number(row.rank) if row.rank is not None else "not found"
    return (f"{row.query or row.id}{kind}", ids(row.wanted), ids(row.came) or "nothing", rank)


def ids(tools: tuple[str, ...]) -> str:
    """The first ids, and how many more there are."""
    more = f" and {len(tools) - _NAMED} more" if len(tools) > _NAMED else ""
    return ", ".join(tools[:_NAMED]) + more


def kinds_figure(kinds: tuple[KindScores, ...]) -> Figure | None:
    """Nothing where the questions have no kinds."""
    scored = [kind for kind in kinds if kind.metrics is not None]
    if not scored:
        return None
    rows = [_kind_bar(kind) for kind in scored]
    said = "; ".join(f"{bar.label} {bar.words}" for bar in rows)
    chart = Chart(
        "kinds",
        "recall@5 by kind of question",
        f"Horizontal bars: {said}.",
        lambda width: bars(rows, width, reference=1.0),
    )
    lead = "A bar as long as the pale one behind it means that every right tool was among the first five."
    return Figure(chart, lead, _kinds_table(kinds), "measured")


def _kind_bar(kind: KindScores) -> Bar:
    recall = kind.metrics.recall_at.get("5") if kind.metrics else None
    return Bar(kind.kind or "no kind", recall, score(recall), figures.counted(kind.questions, "question"))


def _kinds_table(kinds: tuple[KindScores, ...]) -> PageTable:
    keys = list(next(kind.metrics for kind in kinds if kind.metrics is not None).flat())
    columns = (
        TableColumn("kind", digits=False),
        TableColumn("questions"),
        *(TableColumn(metric_name(key)) for key in keys),
        TableColumn("rejected"),
    )
    rows = tuple(
        (
            kind.kind or "no kind",
            figures.number(kind.questions),
            *(score(kind.metrics.flat().get(key) if kind.metrics else None) for key in keys),
            figures.number(kind.rejected),
        )
        for kind in kinds
    )
    return PageTable("Measures by kind of question", columns, rows)


_NONE, _SOME = "no tool can serve it", "a tool can serve it"
_TITLE: Final = "Questions without an answer"


def rejection_figure(rejection: Rejection | None, answerable: int) -> Figure | None:
    """How often no tool is offered: where none fits, and where one would."""
    if rejection is None:
        return None
    rows = [
        _share(_NONE, rejection.rejected, rejection.unanswerable, "fill tone-0"),
        _share(_SOME, rejection.answerable_rejected, answerable, "fill tone-1"),
    ]
    said = "; ".join(f"{bar.label} {bar.words} {bar.note}" for bar in rows)
    chart = Chart(
        "rejection", _TITLE, f"Horizontal bars: {said}.", lambda width: bars(rows, width, reference=1.0)
    )
    lead = "Right in the first row, wrong in the second."
    if rejection.interval is not None:
        lead += f" 95% interval of the first: {_rejection_interval(rejection)}."
    return Figure(chart, lead, _rejection_table(rejection, rows, answerable), "measured")


def _share(label: str, part: int, whole: int, css: str) -> Bar:
    share = part / whole if whole else None
    return Bar(
        label, share, figures.percent(share), f"{figures.number(part)} of {figures.number(whole)}", css
    )


def _rejection_interval(rejection: Rejection) -> str:
    if rejection.interval is None:
        return figures.UNKNOWN
    return f"{figures.percent(rejection.interval[0])} to {figures.percent(rejection.interval[1])}"


def _rejection_table(rejection: Rejection, rows: list[Bar], answerable: int) -> PageTable:
    names = ("questions", "asked", "answered with nothing", "share", "95% interval")
    first = (_NONE, figures.number(rejection.unanswerable), figures.number(rejection.rejected), rows[0].words)
    second = (_SOME, figures.number(answerable), figures.number(rejection.answerable_rejected), rows[1].words)
    columns = tuple(TableColumn(name, name != "questions") for name in names)
    return PageTable(_TITLE, columns, ((*first, _rejection_interval(rejection)), (*second, figures.UNKNOWN)))


def answered_table(rejection: Rejection | None) -> PageTable | None:
    """Questions that no tool can serve, and the tools that were offered for them."""
    if rejection is None or not rejection.answered:
        return None
    rows, left_out = cut(rejection.answered, "questions")
    columns = (TableColumn("asked", digits=False), TableColumn("came", digits=False))
    lead = "No tool can serve these questions; the right answer would have been none."
    return PageTable(
        "Answered although no tool fits",
        columns,
        tuple(_answered_row(row) for row in rows),
        lead,
        left_out,
        stacked=True,
    )


def _answered_row(row: AnsweredRow) -> tuple[str, ...]:
    return (row.query or row.id, ids(row.came))
