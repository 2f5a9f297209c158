"""The heaviest tools → stacked bars of name, description and schema."""

from typing import Final

from toolbooth.bench.report import HeavyTool, TokensSection
from toolbooth.web.charts.stacked_bars import Stack, stacked_bars
from toolbooth.web.digits import number, percent
from toolbooth.web.parts import Chart, Column, Figure, Table, cut

_SHOWN: Final = 12  # bars; the table has more
_PARTS: Final = ("name", "description", "schema")


def heaviest_figure(section: TokensSection) -> Figure | None:
    """Nothing where no tool was weighed."""
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
        "Tokens of one definition, in its parts. Beside each: its tokens and the share of its schema.",
        _table(section.heaviest),
        "measured",
        full=True,
    )


def _stack(tool: HeavyTool) -> Stack:
    share = f"{percent(round(tool.schema / tool.tokens, 2))} schema" if tool.tokens else ""
    return Stack(tool.id, (tool.name, tool.description, tool.schema), number(tool.tokens), share)


def _table(tools: tuple[HeavyTool, ...]) -> Table:
    rows, left_out = cut([_row(tool) for tool in tools], "tools")
    columns = (Column("tool", digits=False), Column("tokens"), *(Column(part) for part in _PARTS))
    return Table("Tokens of the heaviest tools", columns, rows, left_out=left_out)


def _row(tool: HeavyTool) -> tuple[str, ...]:
    return (tool.id, *(number(value) for value in (tool.tokens, tool.name, tool.description, tool.schema)))
