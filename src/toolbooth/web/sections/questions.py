"""Rows of questions, the worst first → a table: asked, wanted, came, rank."""

from typing import Final

from toolbooth.bench.report import QueryRow
from toolbooth.web.digits import counted, number
from toolbooth.web.parts import Column, Table, cut

_NAMED: Final = 5  # of what came: recall is judged at five


def questions_table(rows: tuple[QueryRow, ...]) -> Table | None:
    """The worst of them."""
    if not rows:
        return None
    shown, left_out = cut(rows, "questions")
    missed = sum(row.rank is None for row in rows)
    lead = "The worst first, with the rank of the first right tool. "
    lead += f"Of {counted(len(rows), 'question')}, {number(missed)} brought none."
    columns = (
        Column("asked", digits=False),
        Column("wanted", digits=False),
        Column("came", digits=False),
        Column("rank"),
    )
    cells = tuple(_row(row) for row in shown)
    return Table("The worst questions", columns, cells, lead, left_out, stacked=True)


def _row(row: QueryRow) -> tuple[str, ...]:
    kind = f" ({row.kind})" if row.kind else ""
    rank = number(row.rank) if row.rank is not None else "not found"
    return (f"{row.query or row.id}{kind}", ids(row.wanted), ids(row.came) or "nothing", rank)


def ids(tools: tuple[str, ...]) -> str:
    """The first of them, and how many more there are."""
    more = f" and {len(tools) - _NAMED} more" if len(tools) > _NAMED else ""
    return ", ".join(tools[:_NAMED]) + more
