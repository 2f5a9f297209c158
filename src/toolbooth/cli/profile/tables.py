"""A profile on a terminal: servers, tools by risk, and lines to paste into toolbooth.yaml."""

from collections.abc import Callable, Sequence

from rich.console import Console
from rich.text import Text

from toolbooth import economics, figures, safetext
from toolbooth.cli.profile.report import (
    ProfileReport,
    about,
    bound_words,
    change_words,
    effect_words,
    gate_words,
    least_words,
    legend_lines,
    most_words,
    overhead_words,
    risk_words,
    tool_words,
)
from toolbooth.cli.terminal import Column, Kind, indented, left_out_words, out, print_columns

MOST_SCHEMAS = 5


def print_advice(console: Console, report: ProfileReport, top: int) -> None:
    """The most pressing first; all lines can be pasted unchanged."""
    shown = report.remedies[:top]
    if not shown:
        return
    console.print()
    console.print(indented(Text("add to toolbooth.yaml; `read_result` still returns what is cut", "dim")))
    console.print(Text("  tools:"))
    for line in yaml_lines(shown, console.width - 4):
        code, _, comment = line.partition("  # ")
        console.print(Text(f"    {code}").append(f"  # {comment}", "dim"), soft_wrap=True)
    if len(report.remedies) > top:
        console.print(
            Text(f"  … and {figures.number(len(report.remedies) - top)} more (--json has all)", "dim")
        )
    _schemas(console, shown, alone=len(report.profile.servers) == 1)
    _limited(console, report)


def yaml_lines(remedies: Sequence[economics.Remedy], available: int = 120) -> list[str]:
    """Entries below `tools:`, with the effect as a comment; aligned where they fit."""
    effects = [safetext.for_terminal(effect_words(remedy)) for remedy in remedies]
    width = max((len(remedy.line) for remedy in remedies), default=0)
    if width + max(map(len, effects), default=0) + 4 > available:
        width = 0
    return [f"{remedy.line:{width}}  # {effect}" for remedy, effect in zip(remedies, effects, strict=True)]


def _schemas(console: Console, shown: Sequence[economics.Remedy], *, alone: bool) -> None:
    changes = [(remedy.first, remedy.schema) for remedy in shown if remedy.schema]
    if not changes:
        return
    console.print()
    console.print(indented(Text("or, in your own server, give an input a `maximum`", "dim")))
    seen = changes[:MOST_SCHEMAS]
    names = [Text(f"  {tool_words(tool, alone=alone)}") for tool, _ in seen]
    inputs = [
        Text(f"{safetext.for_terminal(change.input, 30)} ≤ {change.maximum}").append(
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


def _limited(console: Console, report: ProfileReport) -> None:
    """A note on recommendations that would not lower a risk."""
    helped = {tool.id for remedy in report.remedies for tool in remedy.tools}
    left = [
        tool
        for tool in report.profile.tools
        if tool.id not in helped and tool.answers.profile and tool.answers.profile.recommendations
    ]
    if left:
        words = f"--json has recommendations for {figures.counted(len(left), 'more tool')} that would not lower a risk"
        console.print(indented(Text(words, "dim")))


MOST_SERVERS, MOST_NOTES = 40, 8
RISK_STYLES = {"critical": "bold red", "high": "red", "medium": "yellow", "low": "green", "low?": "yellow"}


def print_profile(report: ProfileReport, top: int) -> None:
    """Servers, then tools, the riskiest first; then what to do, and the verdict."""
    console = out()
    _heading(console, report)
    gone = print_columns(console, _servers(report), console.width)
    console.print()
    shown = report.profile.ranked[:top]
    if shown:
        gone += print_columns(console, _tools(shown, alone=len(report.profile.servers) == 1), console.width)
    _legend(console, report, top, left_out_words(gone, console.width))
    print_advice(console, report, top)
    _notes(console, report)
    words = gate_words(report)
    if words:
        console.print()
        console.print(indented(Text(words, "green" if report.exit_code == 0 else "bold red")))


def _heading(console: Console, report: ProfileReport) -> None:
    profile = report.profile
    line = Text(
        f"{figures.counted(len(profile.tools), 'tool')} on {figures.counted(len(profile.servers), 'server')}",
        "bold",
    )
    line.append(f" · {figures.number(profile.tokens)} tokens of definitions in {profile.encoding}", "dim")
    console.print(line)
    console.print()


def _servers(report: ProfileReport) -> list[Column]:
    profile = report.profile
    shown = sorted(profile.servers, key=lambda each: -each.tokens)[:MOST_SERVERS]
    left = len(profile.servers) - len(shown)

    def column(
        title: str,
        cell: Callable[[economics.ServerProfile], str | Text],
        total: str | Text,
        goes: int = 0,
        style: str = "",
    ) -> Column:
        cells = [*map(cell, shown), *([""] if left else []), total]
        return Column(title, "number", cells, goes, style)

    names = [Text("  " + safetext.for_terminal(each.server.server, 40)) for each in shown]
    names += [Text(f"  … and {left} lighter ones", "dim")] if left else []
    return [
        Column("  server", "name", [*names, Text("  total", "bold")]),
        column("tools", lambda each: figures.number(len(each.tools)), figures.number(len(profile.tools))),
        column(
            "tokens", lambda each: figures.number(each.tokens), figures.number(profile.tokens), style="bold"
        ),
        column("share", lambda each: figures.percent(each.share), "", 3),
        column("risk", lambda each: _risk(each.tools), _risk(profile.tools)),
        column(
            "unbounded", lambda each: figures.number(_open(each.tools)), figures.number(_open(profile.tools))
        ),
        column(
            "size unknown",
            lambda each: figures.number(_unknown(each.tools)),
            figures.number(_unknown(profile.tools)),
            1,
        ),
        column("one answer of each", lambda each: _sum(each.summary), _sum(profile.summary), 2),
    ]


def _open(tools: Sequence[economics.ToolProfile]) -> int:
    return sum(not tool.answers.bounded for tool in tools)


def _unknown(tools: Sequence[economics.ToolProfile]) -> int:
    return sum(tool.risk is None for tool in tools)


def _sum(summary: economics.ServerSummary) -> str:
    return (
        f"{about(summary.total_min_tokens)}–{figures.number(summary.total_max_tokens)}"
        if summary.tool_count
        else "?"
    )


def _tools(shown: Sequence[economics.ToolProfile], *, alone: bool) -> list[Column]:
    """Columns without any measurement are left out."""

    def column(
        title: str, cell: Callable[[economics.ToolProfile], str | Text], goes: int = 0, style: str = ""
    ) -> Column:
        kind: Kind = "words" if title == "limited by" else "number"
        return Column(title, kind, [cell(each) for each in shown], goes, style)

    def seen(title: str, cell: Callable[[economics.Measured], int], goes: int, style: str = "") -> Column:
        return column(
            title, lambda each: figures.number(cell(each.measured)) if each.measured else "", goes, style
        )

    measured = [
        seen("seen", lambda found: found.answers, 4),
        seen("median", lambda found: found.median, 6),
        seen("p95", lambda found: found.p95, 7),
        seen("worst", lambda found: found.worst, 2, "bold"),
        column(
            "error", lambda each: "" if each.estimate_error is None else figures.times(each.estimate_error), 3
        ),
    ]
    overhead = column("overhead", overhead_words, 5)
    names = [Text(f"  {tool_words(each, alone=alone)}") for each in shown]
    return [
        Column("  tool", "name", names, useful=26),
        column("tokens", lambda each: figures.number(each.weight.tokens)),
        column("share", lambda each: figures.percent(each.share), 9),
        column("name", lambda each: figures.number(each.weight.name), 13),
        column("descr.", lambda each: figures.number(each.weight.description), 12),
        column("schema", lambda each: figures.number(each.weight.schema), 11),
        column("risk", lambda each: _risk([each])),
        column("least", least_words, 10),
        column("most", most_words),
        *(measured if any(each.measured for each in shown) else ()),
        *([overhead] if set(overhead.cells) - {"", "0%"} else ()),
        column("limited by", lambda each: bound_words(each.answers), 1),
    ]


def _risk(tools: Sequence[economics.ToolProfile]) -> Text:
    words = risk_words(tools)
    return Text(words, RISK_STYLES.get(words, "dim"))


def _legend(console: Console, report: ProfileReport, top: int, left_out: str) -> None:
    left = len(report.profile.tools) - top
    if left > 0:
        console.print(Text(f"  … and {figures.number(left)} less risky ones (--top N shows more)", "dim"))
    for line in (*legend_lines(report, top), left_out):
        if line:
            console.print(indented(Text(line, "dim")))


def _notes(console: Console, report: ProfileReport) -> None:
    aside = [
        f"left out: {safetext.for_terminal(entry.server, 40)} {safetext.for_terminal(entry.name, 60) or '(no name)'}: "
        f"{safetext.for_terminal(entry.reason)}"
        for server in report.profile.servers
        for entry in server.server.set_aside
    ]
    lines = [*aside, *(safetext.for_terminal(note) for note in (*report.sources.notes, *report.notes))]
    if lines:
        console.print()
    for line in lines[:MOST_NOTES]:
        console.print(indented(Text(line, "dim")))
    if len(lines) > MOST_NOTES:
        console.print(Text(f"  … and {len(lines) - MOST_NOTES} more (--json lists all)", "dim"))
