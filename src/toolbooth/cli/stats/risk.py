"""Tools whose answers flood a context, and the lines of config that stop them."""

from typing import Any, Final

from rich.text import Text

from toolbooth.cli.terminal import Column, indented, left_out_words, out, print_columns
from toolbooth.economics import DEFAULT_THRESHOLDS, cap_line, flood_cap, tool_pattern
from toolbooth.figures import counted, number
from toolbooth.gateway.ledger.storage import Stats, ToolStats
from toolbooth.safetext import for_terminal

CAP: Final = flood_cap()


def flooding(stats: Stats) -> list[ToolStats]:
    """Servers' tools with answers of a high or critical risk, as sent; the most often first."""
    found = [each for each in stats.tools if each.kind == "call" and each.floods]
    return sorted(found, key=lambda each: (-each.floods, -each.worst, each.id))


def still_floods(tool: ToolStats) -> bool:
    """Whether such an answer also reached a client; else reducing has already taken care."""
    return tool.worst_after > DEFAULT_THRESHOLDS.medium


def yaml_lines(tools: list[ToolStats]) -> list[str]:
    """The lines to put in toolbooth.yaml."""
    capped = [each for each in tools if still_floods(each)]
    return ["tools:", *(f"  {cap_line(tool_pattern(each.id), CAP)}" for each in capped)] if capped else []


def risk_json(stats: Stats) -> dict[str, Any]:
    """For a program."""
    tools = flooding(stats)
    return {
        "tools": [
            {
                "tool": each.id,
                "answers": sum(each.risks.values()),
                "floods": each.floods,
                "risks": dict(each.risks),
                "advisory": each.advisory,
                "median_tokens": each.median,
                "worst_tokens": each.worst,
                "worst_tokens_after": each.worst_after,
                "still_floods": still_floods(each),
            }
            for each in tools
        ],
        "toolbooth_yaml": "".join(f"{line}\n" for line in yaml_lines(tools)),
    }


def print_risk(stats: Stats, top: int) -> None:
    """Who floods how often and how badly; then the lines for toolbooth.yaml."""
    console, tools = out(), flooding(stats)
    if not tools:
        worst = max((each.worst for each in stats.tools if each.kind == "call"), default=0)
        console.print(Text(f"no tool floods: the largest answer had {number(worst)} tokens", "green"))
        return
    limits = f"over {number(DEFAULT_THRESHOLDS.medium)} tokens (critical: {number(DEFAULT_THRESHOLDS.high)})"
    console.print(Text(f"{counted(len(tools), 'tool')} with answers {limits}", "bold"))
    console.print()
    left_out = left_out_words(print_columns(console, _columns(tools[:top]), console.width), console.width)
    if len(tools) > top:
        console.print(Text(f"  … and {number(len(tools) - top)} more (--top N shows more)", "dim"))
    if left_out:
        console.print(indented(Text(left_out, "dim")))
    console.print()
    lines = yaml_lines(tools)
    if not lines:
        console.print(indented(Text("all of them were cut before a client got them: nothing to do", "green")))
        return
    console.print(indented(Text("put in toolbooth.yaml; what is cut stays one `read_result` away", "dim")))
    for line in lines:
        console.print(Text(f"  {line}"), soft_wrap=True)


def _columns(tools: list[ToolStats]) -> list[Column]:
    return [
        Column("  tool", "name", [Text("  " + for_terminal(each.id, 60)) for each in tools]),
        Column("floods", "number", [f"{number(each.floods)} of {number(each.calls)}" for each in tools]),
        Column("critical", "number", [_critical(each) for each in tools], 1, "red"),
        Column("median", "number", [number(each.median or 0) for each in tools], 2),
        Column("worst", "number", [number(each.worst) for each in tools], style="bold"),
        Column("worst a client got", "number", [_reached(each) for each in tools]),
    ]


def _critical(tool: ToolStats) -> str:
    return number(tool.risks["critical"]) if "critical" in tool.risks else ""


def _reached(tool: ToolStats) -> Text:
    return Text(number(tool.worst_after), "red" if still_floods(tool) else "green")
