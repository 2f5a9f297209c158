"""The tokens section → bars of menus and of paid sessions, what begins to pay where, and the heaviest tools."""

from toolbooth.bench.report import Mode, TokensSection
from toolbooth.web.charts.bars import Bar, bars
from toolbooth.web.digits import counted, number
from toolbooth.web.parts import Chart, Column, Figure, Section, Table
from toolbooth.web.sections.catalog_size import size_figures
from toolbooth.web.sections.heaviest import heaviest_figure
from toolbooth.web.sections.names import labels, mode_name, mode_tone
from toolbooth.web.sections.savings import savings_cell, savings_words, whole_savings_cell, why_withheld
from toolbooth.web.sections.sessions import break_even_table, sessions_figure

LEAD = (
    "The menu is what a model reads about the tools before it does anything, and reads again on every call. "
    "Tokens are counted with {encoding}."
)


def tokens_section(section: TokensSection) -> Section:
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
    return Section("tokens", "What the tools cost", lead, blocks, notes=section.notes)


def _menus(section: TokensSection) -> Figure | None:
    if not section.modes:
        return None
    rows = [_menu_bar(mode) for mode in section.modes]
    lead = f"Tokens of the definitions that are offered for {counted(section.corpus_tools, 'tool')}, "
    lead += "without the instructions beside them; the numbers have both."
    if not section.authoritative_headline:
        lead += f" Savings are withheld: {why_withheld(section)}."
    best = "; ".join(f"{bar.label} {bar.words} {bar.note}".strip() for bar in rows)
    chart = Chart(
        "menus",
        "Tokens of the menu, by way to offer the tools",
        f"Horizontal bars: {best}.",
        lambda width: bars(rows, width, reference=section.baseline_tokens or None),
    )
    return Figure(chart, lead, _menu_table(section), labels(mode.label for mode in section.modes))


def _menu_bar(mode: Mode) -> Bar:
    savings = mode.savings_vs_baseline
    return Bar(
        mode_name(mode.mode),
        mode.tokens,
        number(mode.tokens),
        savings_words(mode),
        mode_tone(mode.mode),
        bad=savings is not None and savings < 0,
    )


def _menu_table(section: TokensSection) -> Table:
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
    return Table(
        "Tokens of the menu by mode", tuple(Column(name, name not in words) for name in columns), rows
    )
