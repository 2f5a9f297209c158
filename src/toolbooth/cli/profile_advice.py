"""What helps → lines to paste into toolbooth.yaml, each with its effect beside it, and what to change in a schema."""

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from toolbooth.cli.columns import Column, print_columns
from toolbooth.cli.doctor_words import counted, number
from toolbooth.cli.profile_report import Report
from toolbooth.cli.profile_words import change_words, effect_words, tool_words
from toolbooth.cli.terminal import indented
from toolbooth.economics import Remedy
from toolbooth.safetext import for_terminal

MOST_SCHEMAS = 5


def print_advice(console: Console, report: Report, top: int) -> None:
    """The most pressing first; all of it can be pasted as it stands."""
    shown = report.remedies[:top]
    if not shown:
        return
    console.print()
    console.print(indented(Text("put in toolbooth.yaml; what is cut stays one `read_result` away", "dim")))
    console.print(Text("  tools:"))
    for line in yaml_lines(shown, console.width - 4):
        code, _, comment = line.partition("  # ")
        console.print(Text(f"    {code}").append(f"  # {comment}", "dim"), soft_wrap=True)
    if len(report.remedies) > top:
        console.print(Text(f"  … and {number(len(report.remedies) - top)} more (--json has all)", "dim"))
    _schemas(console, shown, alone=len(report.profile.servers) == 1)
    _limited(console, report)


def yaml_lines(remedies: Sequence[Remedy], room: int = 120) -> list[str]:
    """Entries below `tools:`, with the effect as a comment; the comments in one column where there is room for it."""
    effects = [for_terminal(effect_words(remedy)) for remedy in remedies]
    width = max((len(remedy.line) for remedy in remedies), default=0)
    if width + max(map(len, effects), default=0) + 4 > room:
        width = 0
    return [f"{remedy.line:{width}}  # {effect}" for remedy, effect in zip(remedies, effects, strict=True)]


def _schemas(console: Console, shown: Sequence[Remedy], *, alone: bool) -> None:
    changes = [(remedy.first, remedy.schema) for remedy in shown if remedy.schema]
    if not changes:
        return
    console.print()
    console.print(indented(Text("or, in a server of your own, let an input have a `maximum`", "dim")))
    seen = changes[:MOST_SCHEMAS]
    names = [Text(f"  {tool_words(tool, alone=alone)}") for tool, _ in seen]
    inputs = [
        Text(f"{for_terminal(change.input, 30)} ≤ {change.maximum}").append(
            " (new)" if change.is_new else "", "dim"
        )
        for _, change in seen
    ]
    effects = [change_words(tool, change.after) for tool, change in seen]
    columns = [
        Column("  tool", "name", names),
        Column("input", "words", inputs),
        Column("", "words", effects),
    ]
    print_columns(console, columns, console.width)
    if len(changes) > MOST_SCHEMAS:
        console.print(Text(f"  … and {len(changes) - MOST_SCHEMAS} more (--json has all)", "dim"))


def _limited(console: Console, report: Report) -> None:
    """Such as answers that a limit alone bounds, in items of any size: nothing urgent."""
    helped = {tool.id for remedy in report.remedies for tool in remedy.tools}
    left = [
        tool
        for tool in report.profile.tools
        if tool.id not in helped and tool.answers.profile and tool.answers.profile.recommendations
    ]
    if left:
        words = f"of {counted(len(left), 'more tool')} --json has recommendations that would lower no risk"
        console.print(indented(Text(words, "dim")))
