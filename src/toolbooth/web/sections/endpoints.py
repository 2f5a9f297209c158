"""Endpoints that were measured from outside → bars of menus and of what is paid, dots of recall, and a table."""

from collections.abc import Iterator, Sequence

from toolbooth.bench.report import EndpointSection
from toolbooth.web.charts.bars import Bar, bars
from toolbooth.web.charts.dots import Dot, DotGroup, dots
from toolbooth.web.digits import UNKNOWN, hundredths, interval, milliseconds, number, score
from toolbooth.web.parts import Chart, Column, Figure, Section, Table, figure
from toolbooth.web.sections.savings import savings_cell, savings_words

Ends = Sequence[EndpointSection]


def endpoints_section(ends: Ends) -> Section:
    """Running gateways side by side, ours and others."""
    made = (_menus(ends), _answers(ends), _paid(ends), _recall(ends), _table(ends), _steps(ends))
    notes = tuple(f"{end.name}: {note}" for end in ends for note in end.notes)
    said = tuple(f"{end.name} was not measured to the end: {end.partial}" for end in ends if end.partial)
    lead = "Running endpoints, measured from outside with the same questions. "
    lead += "One without a search of its own is taken along the right way, which is the best that it can do."
    return Section(
        "endpoints", "Beside other gateways", lead, tuple(block for block in made if block), said, notes
    )


def _baseline(ends: Ends) -> float | None:
    return next((end.baseline_tokens for end in ends if end.baseline_tokens), None)


def _bar_figure(
    name: str, title: str, lead: str, rows: list[Bar], how: str, reference: float | None = None
) -> Figure | None:
    if all(bar.value is None for bar in rows):
        return None
    said = "; ".join(f"{bar.label} {bar.words} {bar.note}".strip() for bar in rows)
    chart = Chart(name, title, f"Horizontal bars: {said}.", lambda width: bars(rows, width, reference))
    table = Table(
        title,
        (Column("endpoint", digits=False), Column("tokens"), Column("note", digits=False)),
        tuple((bar.label, bar.words, bar.note or UNKNOWN) for bar in rows),
    )
    return figure(chart, lead, table, how)


def _menus(ends: Ends) -> Figure | None:
    base = _baseline(ends)
    rows = [Bar(end.name, end.mode.tokens, number(end.mode.tokens), savings_words(end.mode),
                bad=(end.mode.savings_vs_baseline or 0) < 0) for end in ends]  # fmt: skip
    lead = "Tokens that a model reads about the tools on every call."
    if base is not None:
        rows.insert(0, Bar("every definition", base, number(base), css="fill tone-base"))
    return _bar_figure("endpoint-menus", "Menu tokens, endpoint by endpoint", lead, rows, "measured", base)


def _answers(ends: Ends) -> Figure | None:
    rows = [Bar(end.name, tokens, number(tokens), _asked(end)) for end in ends for tokens in [_answer(end)]]
    lead = "Tokens of all answers on the way to one tool: searches, listings, definitions."
    return _bar_figure("endpoint-answers", "Answer tokens on the way to a tool", lead, rows, "measured")


def _answer(end: EndpointSection) -> float | None:
    return sum(step.tokens_mean for step in end.steps) if end.steps else None


def _asked(end: EndpointSection) -> str:
    return f"{len(end.steps)} steps" if len(end.steps) > 1 else ""


def _paid(ends: Ends) -> Figure | None:
    rows = [_paid_bar(end) for end in ends]
    lead = "A session of one call, divided by the questions for which a right tool was shown."
    return _bar_figure("endpoint-paid", "Paid tokens for each right choice", lead, rows, "computed")


def _paid_bar(end: EndpointSection) -> Bar:
    paid = end.session.paid_per_correct if end.session else None
    return Bar(end.name, paid, number(paid), "" if end.finds == "search" else "right way assumed")


def _recall(ends: Ends) -> Figure | None:
    scored = [(end, end.retrieval) for end in ends if end.retrieval is not None]
    if not scored:
        return None
    groups = [
        DotGroup(
            end.name,
            (Dot(found.metrics.recall_at.get("5"), *found.intervals.get("recall_at_5", (None, None))),),
        )
        for end, found in scored
    ]
    said = "; ".join(f"{end.name} {score(found.metrics.recall_at.get('5'))}" for end, found in scored)
    chart = Chart(
        "endpoint-recall",
        "Recall@5, endpoint by endpoint",
        f"Dots with whiskers: {said}.",
        lambda width: dots(groups, ["Recall@5"], width, hundredths),
    )
    rows = tuple(
        (end.name, score(found.metrics.recall_at.get("5")), interval(found.intervals.get("recall_at_5")))
        for end, found in scored
    )
    table = Table(
        "Recall@5 by endpoint",
        (Column("endpoint", digits=False), Column("Recall@5"), Column("95 % interval")),
        rows,
    )
    return figure(
        chart, "Of the endpoints that rank tools by a question, with 95 % intervals.", table, "measured"
    )


def _table(ends: Ends) -> Table:
    names = ("endpoint", "adapter", "finds by", "tools in context", "menu", "savings", "answers", "paid per right",
             "Recall@5", "MRR", "list")  # fmt: skip
    columns = tuple(Column(name, name not in names[:3]) for name in names)
    return Table("All endpoints", columns, tuple(tuple(_row(end)) for end in ends))


def _row(end: EndpointSection) -> Iterator[str]:
    yield from (f"{end.name} (partial)" if end.partial else end.name, end.adapter, end.finds)
    yield from (number(end.mode.context_tools), number(end.mode.tokens), savings_cell(end.mode))
    yield number(_answer(end))
    yield number(end.session.paid_per_correct if end.session else None)
    yield score(end.retrieval.metrics.recall_at.get("5") if end.retrieval else None)
    yield score(end.retrieval.metrics.mrr if end.retrieval else None)
    yield milliseconds(end.list_ms)


def _steps(ends: Ends) -> Table | None:
    rows = tuple(
        (
            end.name,
            step.step,
            number(step.answers),
            number(step.tokens_mean),
            number(step.tokens_most),
            number(step.copy_tokens_mean),
            milliseconds(step.spread.p50_ms if step.spread else None),
            milliseconds(step.spread.p95_ms if step.spread else None),
        )
        for end in ends
        for step in end.steps
    )
    names = ("endpoint", "step", "answers", "mean tokens", "most", "structured copy", "p50", "p95")
    columns = tuple(Column(name, name not in names[:2]) for name in names)
    lead = "A structured copy of the text is handed to the model by some clients as well."
    return Table("Every step on the way to a tool", columns, rows, lead) if rows else None
