"""Endpoints → one table with all their figures, and one with every step on the way to a tool."""

from collections.abc import Iterator, Sequence

from toolbooth.bench.report import EndpointSection
from toolbooth.web.digits import milliseconds, number, score
from toolbooth.web.parts import Column, Table
from toolbooth.web.sections.savings import savings_cell


def answer_tokens(end: EndpointSection) -> float | None:
    """The mean over the questions: a step that only some of them need counts as often as it was taken."""
    if end.session is not None and end.steps:
        return end.session.search_response + end.session.definition
    asked = max((step.answers for step in end.steps), default=0)
    return sum(step.tokens_mean * step.answers for step in end.steps) / asked if asked else None


def endpoints_table(ends: Sequence[EndpointSection]) -> Table:
    """A row each; what is compared most stands first."""
    names = ("endpoint", "menu", "savings", "answers", "paid per right", "recall@5", "MRR", "list", "tools in context",
             "finds by", "adapter")  # fmt: skip
    words = ("endpoint", "finds by", "adapter")
    columns = tuple(Column(name, name not in words) for name in names)
    return Table("All endpoints", columns, tuple(tuple(_row(end)) for end in ends))


def _row(end: EndpointSection) -> Iterator[str]:
    yield f"{end.name} (partial)" if end.partial else end.name
    yield from (number(end.mode.tokens), savings_cell(end.mode) if end.baseline_tokens else "–")
    yield number(answer_tokens(end))
    yield number(end.session.paid_per_correct if end.session else None)
    yield score(end.retrieval.metrics.recall_at.get("5") if end.retrieval else None)
    yield score(end.retrieval.metrics.mrr if end.retrieval else None)
    yield milliseconds(end.list_ms)
    finds = "its search" if end.finds == "search" else "right way assumed"
    yield from (number(end.mode.context_tools), finds, end.adapter or "–")


def steps_table(ends: Sequence[EndpointSection]) -> Table | None:
    """Nothing where no endpoint was asked anything."""
    rows = tuple(tuple(_steps(end)) for end in ends)
    if not any(rows):
        return None
    names = ("endpoint", "step", "answers", "mean tokens", "most", "structured copy", "p50", "p95")
    columns = tuple(Column(name, name not in names[:2]) for name in names)
    lead = "A structured copy of the text is handed to the model by some clients as well."
    return Table(
        "Every step on the way to a tool", columns, tuple(row for each in rows for row in each), lead
    )


def _steps(end: EndpointSection) -> Iterator[tuple[str, ...]]:
    for step in end.steps:
        yield (
            end.name,
            step.step,
            number(step.answers),
            number(step.tokens_mean),
            number(step.tokens_most),
            number(step.copy_tokens_mean),
            milliseconds(step.spread.p50_ms if step.spread else None),
            milliseconds(step.spread.p95_ms if step.spread else None),
        )
