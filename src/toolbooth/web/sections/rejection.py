"""Questions that no tool can serve → bars of how often nothing came, and a table of what came all the same."""

from typing import Final

from toolbooth.bench.report import AnsweredRow, Rejection
from toolbooth.web.charts.bars import Bar, bars
from toolbooth.web.digits import UNKNOWN, number, percent
from toolbooth.web.parts import Chart, Column, Figure, Table, cut
from toolbooth.web.sections.questions import ids

_NONE, _SOME = "no tool can serve it", "a tool can serve it"
_TITLE: Final = "Questions that were answered with nothing"


def rejection_figure(rejection: Rejection | None, answerable: int) -> Figure | None:
    """How often nothing is said where there is nothing to say, and where there was something."""
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
        lead += f" 95 % interval of the first: {_interval(rejection)}."
    return Figure(chart, lead, _table(rejection, rows, answerable), "measured")


def _share(label: str, part: int, whole: int, css: str) -> Bar:
    share = part / whole if whole else None
    return Bar(label, share, percent(share), f"{number(part)} of {number(whole)}", css)


def _interval(rejection: Rejection) -> str:
    if rejection.interval is None:
        return UNKNOWN
    return f"{percent(rejection.interval[0])} to {percent(rejection.interval[1])}"


def _table(rejection: Rejection, rows: list[Bar], answerable: int) -> Table:
    names = ("questions", "asked", "answered with nothing", "share", "95 % interval")
    first = (_NONE, number(rejection.unanswerable), number(rejection.rejected), rows[0].words)
    second = (_SOME, number(answerable), number(rejection.answerable_rejected), rows[1].words)
    columns = tuple(Column(name, name != "questions") for name in names)
    return Table(_TITLE, columns, ((*first, _interval(rejection)), (*second, UNKNOWN)))


def answered_table(rejection: Rejection | None) -> Table | None:
    """What no tool can serve, and what was offered for it."""
    if rejection is None or not rejection.answered:
        return None
    rows, left_out = cut(rejection.answered, "questions")
    columns = (Column("asked", digits=False), Column("came", digits=False))
    lead = "No tool can serve these, and nothing would have been the right answer."
    return Table(
        "Answered all the same", columns, tuple(_row(row) for row in rows), lead, left_out, stacked=True
    )


def _row(row: AnsweredRow) -> tuple[str, ...]:
    return (row.query or row.id, ids(row.came))
