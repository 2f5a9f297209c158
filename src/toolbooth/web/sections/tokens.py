"""The tokens section of the page: menus, paid sessions, the break-even of each mode, the heaviest tools."""

from typing import Final

from toolbooth.bench.report import BreakEven, HeavyTool, ModeCost, SessionCost, TokensSection
from toolbooth.figures import counted, number, percent
from toolbooth.web.charts.bars import Bar, Stack, bars, stacked_bars
from toolbooth.web.parts import Chart, Figure, PageSection, PageTable, TableColumn, cut
from toolbooth.web.sections.catalog_size import size_figures
from toolbooth.web.sections.wording import (
    labels,
    less_or_more,
    mode_name,
    mode_tone,
    savings_cell,
    savings_words,
    whole_savings_cell,
    why_withheld,
)


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
        "answer + definition + call. The total, divided by the questions for which a right tool was shown."
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


def _session_table(sessions: tuple[SessionCost, ...]) -> PageTable:
    columns = (
        "way", "turns", "menu + instructions", "search answer", "definition", "call", "paid", "paid with history",
        "right shown", "right first", "paid per right", "with history per right", "how",
    )  # fmt: skip
    rows = tuple(_session_row(each) for each in sessions)
    words = ("way", "how")
    return PageTable(
        "Paid tokens of a session by mode",
        tuple(TableColumn(name, name not in words) for name in columns),
        rows,
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


def break_even_table(section: TokensSection) -> PageTable | None:
    """The calls and the catalog sizes for which a mode pays."""
    if not section.break_even:
        return None
    columns = ("way", "pays for these calls of a session", "pays from this size of catalog", "how")
    rows = tuple(
        (mode_name(each.mode), _paying_calls(each), _paying_size(each.catalog_tools), each.label)
        for each in section.break_even
    )
    lead = "Where a mode costs less than every definition; the notes below say what is counted."
    return PageTable(
        "Where each mode begins to pay",
        tuple(TableColumn(name, digits=False) for name in columns),
        rows,
        lead,
    )


def _paying_calls(each: BreakEven) -> str:
    if each.first_call is None:
        return "never"
    if each.last_call is None:
        return f"from call {number(each.first_call)} on"
    return f"from call {number(each.first_call)} to call {number(each.last_call)}"


def _paying_size(tools: int | None) -> str:
    return "never" if tools is None else f"from {counted(tools, 'tool')} on"


_SHOWN: Final = 12  # bars; the table has more
_PARTS: Final = ("name", "description", "schema")


def heaviest_figure(section: TokensSection) -> Figure | None:
    """Nothing if no tool was weighed."""
    if not section.heaviest:
        return None
    shown = section.heaviest[:_SHOWN]
    stacks = [_stack(tool) for tool in shown]
    first = shown[0]
    chart = Chart(
        "heaviest",
        "The heaviest tools",
        f"Stacked bars of {len(shown)} tools; the heaviest is {first.id} with {number(first.tokens)} tokens.",
        lambda width: stacked_bars(stacks, _PARTS, width),
    )
    return Figure(
        chart,
        "Tokens of one definition, by part. Beside each: its tokens and the share of its schema.",
        _heaviest_table(section.heaviest),
        "measured",
        full=True,
    )


def _stack(tool: HeavyTool) -> Stack:
    share = f"{percent(round(tool.schema / tool.tokens, 2))} schema" if tool.tokens else ""
    return Stack(tool.id, (tool.name, tool.description, tool.schema), number(tool.tokens), share)


def _heaviest_table(tools: tuple[HeavyTool, ...]) -> PageTable:
    rows, left_out = cut([_heaviest_row(tool) for tool in tools], "tools")
    columns = (
        TableColumn("tool", digits=False),
        TableColumn("tokens"),
        *(TableColumn(part) for part in _PARTS),
    )
    return PageTable("Tokens of the heaviest tools", columns, rows, left_out=left_out)


def _heaviest_row(tool: HeavyTool) -> tuple[str, ...]:
    return (tool.id, *(number(value) for value in (tool.tokens, tool.name, tool.description, tool.schema)))


LEAD = (
    "The menu is what a model reads about the tools before it does anything, and again on every call. "
    "Tokens are counted with {encoding}."
)


def tokens_section(section: TokensSection) -> PageSection:
    """Everything that costs tokens."""
    made = (
        _menus(section),
        sessions_figure(section),
        *size_figures(section),
        break_even_table(section),
        heaviest_figure(section),
    )
    blocks = tuple(block for block in made if block is not None)
    lead = LEAD.format(encoding=section.encoding)
    return PageSection("tokens", "What the tools cost", lead, blocks, notes=section.notes)


def _menus(section: TokensSection) -> Figure | None:
    if not section.modes:
        return None
    rows = [_menu_bar(mode) for mode in section.modes]
    lead = f"Tokens of the definitions that are offered for {counted(section.corpus_tools, 'tool')}, "
    lead += "without the instructions; the table has both."
    if not section.authoritative_headline:
        lead += f" Savings are withheld: {why_withheld(section)}."
    best = "; ".join(f"{bar.label} {bar.words} {bar.note}".strip() for bar in rows)
    chart = Chart(
        "menus",
        "Tokens of the menu by mode of offering the tools",
        f"Horizontal bars: {best}.",
        lambda width: bars(rows, width, reference=section.baseline_tokens or None),
    )
    return Figure(chart, lead, _menu_table(section), labels(mode.label for mode in section.modes))


def _menu_bar(mode: ModeCost) -> Bar:
    savings = mode.savings_vs_baseline
    return Bar(
        mode_name(mode.mode),
        mode.tokens,
        number(mode.tokens),
        savings_words(mode),
        mode_tone(mode.mode),
        bad=savings is not None and savings < 0,
    )


def _menu_table(section: TokensSection) -> PageTable:
    columns = (
        "way",
        "mode",
        "surface",
        "tools in context",
        "menu tokens",
        "instructions",
        "savings",
        "with instructions",
        "how",
    )
    rows = tuple(
        (
            mode_name(mode.mode),
            mode.mode,
            mode.surface or "–",
            number(mode.context_tools),
            number(mode.tokens),
            number(mode.instructions_tokens),
            "–" if mode.mode == "baseline" else savings_cell(mode),
            "–" if mode.mode == "baseline" else whole_savings_cell(mode),
            mode.label,
        )
        for mode in section.modes
    )
    words = ("way", "mode", "surface", "how")
    return PageTable(
        "Tokens of the menu by mode", tuple(TableColumn(name, name not in words) for name in columns), rows
    )
