"""The endpoints section of the page: menus, paid tokens and recall of gateways measured from outside."""

from collections.abc import Iterator, Sequence
from typing import Final

from toolbooth import figures
from toolbooth.bench.report import EndpointSection
from toolbooth.web.charts.bars import Bar, bars
from toolbooth.web.charts.dots import Dot, DotGroup, dots
from toolbooth.web.parts import Chart, Figure, PageSection, PageTable, TableColumn
from toolbooth.web.scores import hundredths, interval, score
from toolbooth.web.sections.wording import labels, savings_cell, savings_words


def answer_tokens(end: EndpointSection) -> float | None:
    """The mean over the questions: a step that only some of them need counts as often as it was taken."""
    if end.session is not None and end.steps:
        return end.session.search_response + end.session.definition
    asked = max((step.answers for step in end.steps), default=0)
    return sum(step.tokens_mean * step.answers for step in end.steps) / asked if asked else None


def endpoints_table(ends: Sequence[EndpointSection]) -> PageTable:
    """One row per endpoint; the one that the others are compared with comes first."""
    names = ("endpoint", "menu", "savings", "answers", "paid per right", "recall@5", "MRR", "list", "tools in context",
             "finds by", "adapter")  # fmt: skip
    words = ("endpoint", "finds by", "adapter")
    columns = tuple(TableColumn(name, name not in words) for name in names)
    return PageTable("All endpoints", columns, tuple(tuple(_endpoint_row(end)) for end in ends))


def _endpoint_row(end: EndpointSection) -> Iterator[str]:
    yield f"{end.name} (partial)" if end.partial else end.name
    yield from (figures.number(end.mode.tokens), savings_cell(end.mode) if end.baseline_tokens else "–")
    yield figures.number(answer_tokens(end))
    yield figures.number(end.session.paid_per_correct if end.session else None)
    yield score(end.retrieval.metrics.recall_at.get("5") if end.retrieval else None)
    yield score(end.retrieval.metrics.mrr if end.retrieval else None)
    yield figures.milliseconds(end.list_ms)
    finds = "its search" if end.finds == "search" else "right path assumed"
    yield from (figures.number(end.mode.context_tools), finds, end.adapter or "–")


def steps_table(ends: Sequence[EndpointSection]) -> PageTable | None:
    """Nothing if no endpoint was asked anything."""
    rows = tuple(tuple(_step_rows(end)) for end in ends)
    if not any(rows):
        return None
    names = ("endpoint", "step", "answers", "mean tokens", "most", "structured copy", "p50", "p95")
    columns = tuple(TableColumn(name, name not in names[:2]) for name in names)
    lead = "Some clients also pass the structured copy of the text to the model."
    return PageTable(
        "Every step on the path to a tool", columns, tuple(row for each in rows for row in each), lead
    )


def _step_rows(end: EndpointSection) -> Iterator[tuple[str, ...]]:
    for step in end.steps:
        yield (
            end.name,
            step.step,
            figures.number(step.answers),
            figures.number(step.tokens_mean),
            figures.number(step.tokens_most),
            figures.number(step.copy_tokens_mean),
            figures.milliseconds(step.spread.p50_ms if step.spread else None),
            figures.milliseconds(step.spread.p95_ms if step.spread else None),
        )


Ends = Sequence[EndpointSection]
LEAD: Final = (
    "Measured from outside, as a client sees it. "
    "For one without its own search the right path is assumed, which is the best that it can do."
)


def endpoints_section(ends: Ends) -> PageSection:
    """Running gateways side by side, ours and others."""
    made = (
        _menus(ends),
        _paid(ends),
        _answers(ends),
        _recall(ends),
        endpoints_table(ends),
        steps_table(ends),
    )
    blocks = tuple(block for block in made if block is not None)
    said = tuple(f"{end.name} was not measured to the end: {end.partial}" for end in ends if end.partial)
    title = "Gateways side by side" if len(ends) > 1 else "A running gateway"
    return PageSection("endpoints", title, LEAD, blocks, said, tuple(_notes(ends)))


def _notes(ends: Ends) -> Iterator[str]:
    """Each note once, with the endpoints that it is about."""
    about: dict[str, list[str]] = {}
    for end in ends:
        for note in end.notes:
            about.setdefault(note, []).append(end.name)
    for note, names in about.items():
        yield f"{', '.join(names)}: {note}" if len(names) < len(ends) else note


def _bar_figure(chart_name: str, title: str, lead: str, rows: list[Bar], how: str) -> Figure | None:
    """Nothing where no endpoint has the figure; an endpoint without it is only in the table."""
    known = [bar for bar in rows if bar.value is not None]
    if not known:
        return None
    base = next((bar.value for bar in known if "tone-base" in bar.css), None)
    said = "; ".join(f"{bar.label} {bar.words} {bar.note}".strip() for bar in known)
    chart = Chart(chart_name, title, f"Horizontal bars: {said}.", lambda width: bars(known, width, base))
    columns = (
        TableColumn("endpoint", digits=False),
        TableColumn("tokens"),
        TableColumn("note", digits=False),
    )
    rows_shown = tuple((bar.label, bar.words, bar.note or figures.UNKNOWN) for bar in rows)
    return Figure(chart, lead, PageTable(title, columns, rows_shown), how)


def _menus(ends: Ends) -> Figure | None:
    rows = [_menu_bar(end) for end in ends]
    base = next((end.baseline_tokens for end in ends if end.baseline_tokens), None)
    if base is not None and not any(_is_baseline(end) for end in ends):
        rows.insert(0, Bar("every definition", base, figures.number(base), css="fill tone-base"))
    lead = "Tokens that a model reads about the tools on every call."
    how = labels(end.mode.label for end in ends)
    return _bar_figure("endpoint-menus", "Menu tokens, endpoint by endpoint", lead, rows, how)


def _is_baseline(end: EndpointSection) -> bool:
    """Whether it offers every definition as the servers have it; the others are compared with that."""
    return end.mode.tokens == end.baseline_tokens and end.mode.label == "computed"


def _menu_bar(end: EndpointSection) -> Bar:
    tokens = end.mode.tokens
    if _is_baseline(end):
        return Bar(end.name, tokens, figures.number(tokens), css="fill tone-base")
    return Bar(
        end.name,
        tokens,
        figures.number(tokens),
        savings_words(end.mode) if end.baseline_tokens else "",
        bad=(end.mode.savings_vs_baseline or 0) < 0,
    )


def _answers(ends: Ends) -> Figure | None:
    rows = [_answers_bar(end) for end in ends]
    lead = "What comes back on the path to one tool: searches, listings, definitions; the mean over the questions."
    return _bar_figure("endpoint-answers", "Answer tokens on the path to a tool", lead, rows, "measured")


def _answers_bar(end: EndpointSection) -> Bar:
    tokens = answer_tokens(end)
    most = max((step.answers for step in end.steps), default=0)
    always = sum(step.answers == most for step in end.steps)
    return Bar(end.name, tokens, figures.number(tokens), f"{always} steps" if always > 1 else "")


def _paid(ends: Ends) -> Figure | None:
    rows = [_paid_bar(end) for end in ends]
    lead = "A session of one call, divided by the questions for which a right tool was shown."
    return _bar_figure("endpoint-paid", "Paid tokens for each right choice", lead, rows, "computed")


def _paid_bar(end: EndpointSection) -> Bar:
    paid = end.session.paid_per_correct if end.session else None
    css = "fill tone-base" if _is_baseline(end) else "fill tone-0"
    return Bar(
        end.name, paid, figures.number(paid), "" if end.finds == "search" else "right path assumed", css
    )


def _recall(ends: Ends) -> Figure | None:
    scored = [(end.name, end.retrieval) for end in ends if end.retrieval is not None]
    if not scored:
        return None
    key = "recall_at_5"
    groups = [
        DotGroup(name, (Dot(found.metrics.recall_at.get("5"), *found.intervals.get(key, (None, None))),))
        for name, found in scored
    ]
    rows = tuple(
        (name, score(found.metrics.recall_at.get("5")), interval(found.intervals.get(key)))
        for name, found in scored
    )
    chart = Chart(
        "endpoint-recall",
        "recall@5, endpoint by endpoint",
        f"Dots with whiskers: {'; '.join(f'{name} {value}' for name, value, _ in rows)}.",
        lambda width: dots(groups, ["recall@5"], width, hundredths),
    )
    columns = (TableColumn("endpoint", digits=False), TableColumn("recall@5"), TableColumn("95% interval"))
    lead = "Only for endpoints that rank tools by a question, with 95% intervals."
    return Figure(chart, lead, PageTable("recall@5 by endpoint", columns, rows), "measured")
