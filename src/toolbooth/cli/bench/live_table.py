"""The endpoint sections of a report as tables: the menu, the steps to a tool, and the cost of a session."""

from collections.abc import Callable, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from toolbooth import figures, safetext
from toolbooth.bench.report import EndpointSection, RetrievalSection, SessionCost, Spread, StepCost
from toolbooth.cli.terminal import Column, indented, left_out_words, out, print_columns

_WORST = 5
_FOUND = {
    "search": "it has its own search",
    "oracle": "it has no search; the right tool is assumed to be chosen",
}


def print_live(section: EndpointSection) -> None:
    """One endpoint, from its menu to its worst questions."""
    console = out()
    _heading(console, section)
    _facts(console, section)
    gone = [*_steps(console, [*section.steps, *section.beside]), *_worst(console, section)]
    _notes(console, [left_out_words(gone, console.width), *section.notes])


def print_endpoints(sections: Sequence[EndpointSection]) -> None:
    """Several endpoints that were asked the same questions, one line each."""
    console = out()

    def column(title: str, cell: Callable[[EndpointSection], str], goes: int = 0, style: str = "") -> Column:
        return Column(title, "number", [cell(each) for each in sections], goes, style)

    gone = print_columns(
        console,
        [
            Column(
                "  endpoint", "name", [Text(f"  {safetext.for_terminal(each.name, 40)}") for each in sections]
            ),
            column("tools", lambda each: figures.number(each.mode.context_tools), 7),
            column(
                "menu",
                lambda each: figures.number(each.mode.tokens + each.mode.instructions_tokens),
                style="bold",
            ),
            column("turns", lambda each: _of_session(each, lambda session: figures.number(session.turns)), 5),
            column("steps", lambda each: _whole(_answers(each)), 2),
            column("paid", lambda each: _of_session(each, lambda session: _whole(session.paid)), 1),
            column("right", _right, 3),
            column(
                "paid / right",
                lambda each: _of_session(each, lambda session: _whole(session.paid_per_correct)),
                0,
                "bold",
            ),
            column(
                "+ history / right",
                lambda each: _of_session(each, lambda session: _whole(session.history_per_correct)),
                4,
            ),
            column("recall@5", lambda each: _figure(_recall(each), ".3f"), 0, "bold"),
            column("step p50", _step_p50, 6),
        ],
        console.width,
    )
    _notes(console, [left_out_words(gone, console.width), *_partials(sections)])


def _heading(console: Console, section: EndpointSection) -> None:
    line = Text(safetext.for_terminal(section.name, 60), "bold")
    found = _FOUND.get(section.finds, safetext.for_terminal(section.finds, 40))
    line.append(f"  adapter {safetext.for_terminal(section.adapter, 40)} · {found}", "not bold dim")
    console.print(line)
    if section.partial:
        console.print(indented(Text(f"partial: {safetext.for_terminal(section.partial, 300)}", "red")))
    console.print()


def _facts(console: Console, section: EndpointSection) -> None:
    """Lines of a name, a figure and its meaning; only what was measured."""
    table = Table(box=None, pad_edge=False, padding=(0, 1), show_header=False, show_edge=False)
    table.add_column(no_wrap=True)
    table.add_column(justify="right", no_wrap=True, style="bold")
    table.add_column(overflow="fold", style="dim")
    for name, figure, what in _lines(section):
        table.add_row(f"  {name}", figure, what)
    console.print(table)
    console.print()


def _lines(section: EndpointSection) -> list[tuple[str, str, str]]:
    mode, session, found = section.mode, section.session, section.retrieval
    lines = [
        ("menu", figures.number(mode.tokens), f"tokens of {figures.counted(mode.context_tools, 'tool')}")
    ]
    if mode.instructions_tokens:
        lines.append(("instructions", figures.number(mode.instructions_tokens), "tokens, read with the menu"))
    if section.baseline_tokens is not None:
        lines.append(("baseline", figures.number(section.baseline_tokens), "tokens of all tools behind it"))
    if mode.savings_vs_baseline is not None:
        lines.append(("saved", figures.percent(mode.savings_vs_baseline), "of the baseline, with this menu"))
    if session is not None:
        lines.append(
            (
                "paid",
                _whole(session.paid),
                f"tokens of a session of one call, {figures.number(session.turns)} turns",
            )
        )
        seen = (
            "had a right tool among the results"
            if section.finds == "search"
            else "could reach the right tool"
        )
        right = (
            f"{figures.number(session.correct)} of {figures.counted(session.questions, 'question')} {seen}"
        )
        lines.append(("paid / right", _whole(session.paid_per_correct), right))
        lines.append(
            ("+ history", _whole(session.history_per_correct), "with everything that later turns send again")
        )
    if found is not None:
        lines.append(("recall@5", f"{found.metrics.recall_at['5']:.3f}", _bounds(found)))
        lines.append(
            ("MRR", f"{found.metrics.mrr:.3f}", f"over {figures.counted(found.query_count, 'question')}")
        )
        lines += _rejected(section)
    if section.list_ms is not None:
        lines.append(("list", figures.milliseconds(section.list_ms), "until the menu arrived"))
    return lines


def _bounds(found: RetrievalSection) -> str:
    """Empty where all questions have the same result: an interval of equal values says nothing."""
    low, high = found.intervals.get("recall_at_5", (0.0, 0.0))
    return f"{low:.3f} to {high:.3f} (95% interval)" if low < high else ""


def _rejected(section: EndpointSection) -> list[tuple[str, str, str]]:
    rejection = section.retrieval.rejection if section.retrieval is not None else None
    if rejection is None or rejection.rate is None:
        return []
    of = f"{rejection.rejected} of {figures.counted(rejection.unanswerable, 'question')} that no tool can answer"
    return [("rejected", figures.percent(rejection.rate), of)]


def _steps(console: Console, steps: Sequence[StepCost]) -> list[Column]:
    if not steps:
        return []

    def column(title: str, cell: Callable[[StepCost], str], goes: int = 0, style: str = "") -> Column:
        return Column(title, "number", [cell(each) for each in steps], goes, style)

    def time(title: str, of: Callable[[Spread], float], goes: int) -> Column:
        return column(
            title,
            lambda each: figures.milliseconds(of(each.spread)) if each.spread is not None else "–",
            goes,
        )

    gone = print_columns(
        console,
        [
            Column("  step", "name", [Text(f"  {safetext.for_terminal(each.step, 60)}") for each in steps]),
            column("answers", lambda each: figures.number(each.answers), 3),
            column("tokens", lambda each: _whole(each.tokens_mean or None), style="bold"),
            column("most", lambda each: _whole(each.tokens_most or None), 2),
            column("+ copy", lambda each: _whole(each.copy_tokens_mean or None), 4),
            time("p50", lambda spread: spread.p50_ms, 0),
            time("p95", lambda spread: spread.p95_ms, 1),
            time("max", lambda spread: spread.max_ms, 5),
        ],
        console.width,
    )
    console.print()
    return gone


def _worst(console: Console, section: EndpointSection) -> list[Column]:
    rows = section.retrieval.rows[:_WORST] if section.retrieval is not None else ()
    rows = tuple(row for row in rows if row.rank != 1)
    if not rows:
        return []
    gone = print_columns(
        console,
        [
            Column("  rank", "number", [f"  {row.rank or '–'}" for row in rows]),
            Column("worst questions", "words", [safetext.for_terminal(row.query, 120) for row in rows]),
            Column(
                "wanted", "name", [safetext.for_terminal(", ".join(row.wanted), 60) for row in rows], 1, "dim"
            ),
        ],
        console.width,
    )
    console.print()
    return gone


def _notes(console: Console, notes: Sequence[str]) -> None:
    for note in notes:
        if note:
            console.print(indented(Text(safetext.for_terminal(note, 400), "dim")))


def _partials(sections: Sequence[EndpointSection]) -> list[str]:
    return [f"{each.name} is partial: {each.partial}" for each in sections if each.partial]


def _of_session(section: EndpointSection, cell: Callable[[SessionCost], str]) -> str:
    return "–" if section.session is None else cell(section.session)


def _answers(section: EndpointSection) -> float | None:
    """Tokens of all answers on the way to a tool."""
    session = section.session
    return None if session is None else session.search_response + session.definition


def _right(section: EndpointSection) -> str:
    session = section.session
    return "–" if session is None else f"{session.correct}/{session.questions}"


def _recall(section: EndpointSection) -> float | None:
    return None if section.retrieval is None else section.retrieval.metrics.recall_at.get("5")


def _step_p50(section: EndpointSection) -> str:
    """Of all steps on the way to a tool, one after the other."""
    times = [step.spread.p50_ms for step in section.steps if step.spread is not None]
    return figures.milliseconds(sum(times)) if times else "–"


def _whole(value: float | None) -> str:
    return "–" if value is None else figures.number(round(value))


def _figure(value: float | None, form: str) -> str:
    return "–" if value is None else format(value, form)
