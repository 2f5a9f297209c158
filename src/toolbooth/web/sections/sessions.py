"""Costs of a session in each mode → bars of paid tokens, and a table of where a mode begins to pay."""

from toolbooth.bench.report import BreakEven, SessionCost, TokensSection
from toolbooth.web.charts.bars import Bar, bars
from toolbooth.web.digits import counted, number
from toolbooth.web.parts import Chart, Column, Figure, Table
from toolbooth.web.sections.names import labels, mode_name, mode_tone
from toolbooth.web.sections.savings import less_or_more


def sessions_figure(section: TokensSection) -> Figure | None:
    """Bars of what a right choice costs in each mode."""
    if not section.sessions:
        return None
    base = next((each.paid_per_correct for each in section.sessions if each.mode == "baseline"), None)
    rows = [_session_bar(each, base if section.authoritative_headline else None) for each in section.sessions]
    questions = max(each.questions for each in section.sessions)
    said = "; ".join(f"{bar.label} {bar.words} {bar.note}".strip() for bar in rows)
    chart = Chart(
        "sessions",
        "Paid tokens for each right choice",
        f"Horizontal bars: {said}.",
        lambda width: bars(rows, width, reference=base),
    )
    lead = (
        f"A session of one call, over {counted(questions, 'question')}: (menu + instructions) × turns + search "
        "answer + definition + call. All that was paid, divided by the questions for which a right tool was shown."
    )
    return Figure(
        chart, lead, _session_table(section.sessions), labels(each.label for each in section.sessions)
    )


def _session_bar(session: SessionCost, base: float | None) -> Bar:
    paid = session.paid_per_correct
    savings = 1 - paid / base if paid is not None and base and session.mode != "baseline" else None
    note = "" if savings is None else less_or_more(savings)
    words = "no right choice" if paid is None else number(paid)
    return Bar(
        mode_name(session.mode),
        paid,
        words,
        note,
        mode_tone(session.mode),
        savings is not None and savings < 0,
    )


def _session_table(sessions: tuple[SessionCost, ...]) -> Table:
    columns = (
        "way", "turns", "menu + instructions", "search answer", "definition", "call", "paid", "paid with history",
        "right shown", "right first", "paid per right", "with history per right", "how",
    )  # fmt: skip
    rows = tuple(_session_row(each) for each in sessions)
    words = ("way", "how")
    return Table(
        "Paid tokens of a session by mode", tuple(Column(name, name not in words) for name in columns), rows
    )


def _session_row(session: SessionCost) -> tuple[str, ...]:
    figures = (
        session.turns,
        session.menu,
        session.search_response,
        session.definition,
        session.call_envelope,
        session.paid,
        session.paid_with_history,
    )
    return (
        mode_name(session.mode),
        *(number(value) for value in figures),
        f"{number(session.correct)} of {number(session.questions)}",
        number(session.correct_first),
        number(session.paid_per_correct),
        number(session.history_per_correct),
        session.label,
    )


def break_even_table(section: TokensSection) -> Table | None:
    """From which call, and from which size on, a mode pays."""
    if not section.break_even:
        return None
    columns = ("way", "pays for these calls of a session", "pays from this size of catalog", "how")
    rows = tuple(
        (mode_name(each.mode), _calls(each), _size(each.catalog_tools), each.label)
        for each in section.break_even
    )
    lead = "Where a way costs less than every definition; the notes below say what is counted."
    return Table(
        "Where each way begins to pay", tuple(Column(name, digits=False) for name in columns), rows, lead
    )


def _calls(each: BreakEven) -> str:
    if each.first_call is None:
        return "never"
    if each.last_call is None:
        return f"from call {number(each.first_call)} on"
    return f"from call {number(each.first_call)} to call {number(each.last_call)}"


def _size(tools: int | None) -> str:
    return "never" if tools is None else f"from {counted(tools, 'tool')} on"
