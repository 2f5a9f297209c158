"""A profile → tables that a person likes to read: servers, tools by risk, and the lines that help."""

from collections.abc import Callable, Sequence

from rich.console import Console
from rich.text import Text

from toolbooth.cli.columns import Column, Kind, left_out_words, print_columns
from toolbooth.cli.doctor_words import counted, number, percent
from toolbooth.cli.profile_advice import print_advice
from toolbooth.cli.profile_report import Report
from toolbooth.cli.profile_words import (
    about,
    bound_words,
    gate_words,
    least_words,
    legend_lines,
    most_words,
    overhead_words,
    risk_words,
    times,
    tool_words,
)
from toolbooth.cli.terminal import indented, out
from toolbooth.economics import Measured, ServerProfile, ServerSummary, ToolProfile
from toolbooth.safetext import for_terminal

MOST_SERVERS, MOST_NOTES = 40, 8
RISK_STYLES = {"critical": "bold red", "high": "red", "medium": "yellow", "low": "green", "low?": "yellow"}


def print_profile(report: Report, top: int) -> None:
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


def _heading(console: Console, report: Report) -> None:
    profile = report.profile
    line = Text(f"{counted(len(profile.tools), 'tool')} on {counted(len(profile.servers), 'server')}", "bold")
    line.append(f" · {number(profile.tokens)} tokens of definitions in {profile.encoding}", "dim")
    console.print(line)
    console.print()


def _servers(report: Report) -> list[Column]:
    profile = report.profile
    shown = sorted(profile.servers, key=lambda each: -each.tokens)[:MOST_SERVERS]
    left = len(profile.servers) - len(shown)

    def column(
        title: str,
        cell: Callable[[ServerProfile], str | Text],
        total: str | Text,
        goes: int = 0,
        style: str = "",
    ) -> Column:
        cells = [*map(cell, shown), *([""] if left else []), total]
        return Column(title, "number", cells, goes, style)

    names = [Text("  " + for_terminal(each.server.server, 40)) for each in shown]
    names += [Text(f"  … and {left} lighter ones", "dim")] if left else []
    return [
        Column("  server", "name", [*names, Text("  total", "bold")]),
        column("tools", lambda each: number(len(each.tools)), number(len(profile.tools))),
        column("tokens", lambda each: number(each.tokens), number(profile.tokens), style="bold"),
        column("share", lambda each: percent(each.share), "", 3),
        column("risk", lambda each: _risk(each.tools), _risk(profile.tools)),
        column("unbounded", lambda each: number(_open(each.tools)), number(_open(profile.tools))),
        column("size unknown", lambda each: number(_unknown(each.tools)), number(_unknown(profile.tools)), 1),
        column("one answer of each", lambda each: _sum(each.summary), _sum(profile.summary), 2),
    ]


def _open(tools: Sequence[ToolProfile]) -> int:
    return sum(not tool.answers.bounded for tool in tools)


def _unknown(tools: Sequence[ToolProfile]) -> int:
    return sum(tool.risk is None for tool in tools)


def _sum(summary: ServerSummary) -> str:
    return (
        f"{about(summary.total_min_tokens)}–{number(summary.total_max_tokens)}" if summary.tool_count else "?"
    )


def _tools(shown: Sequence[ToolProfile], *, alone: bool) -> list[Column]:
    """Where nothing was measured, nothing stands empty: those columns are not there."""

    def column(
        title: str, cell: Callable[[ToolProfile], str | Text], goes: int = 0, style: str = ""
    ) -> Column:
        kind: Kind = "words" if title == "bounded by" else "number"
        return Column(title, kind, [cell(each) for each in shown], goes, style)

    def seen(title: str, cell: Callable[[Measured], int], goes: int, style: str = "") -> Column:
        return column(title, lambda each: number(cell(each.measured)) if each.measured else "", goes, style)

    measured = [
        seen("seen", lambda found: found.answers, 4),
        seen("median", lambda found: found.median, 6),
        seen("p95", lambda found: found.p95, 7),
        seen("worst", lambda found: found.worst, 2, "bold"),
        column("error", lambda each: times(each.estimate_error), 3),
    ]
    overhead = column("overhead", overhead_words, 5)
    names = [Text(f"  {tool_words(each, alone=alone)}") for each in shown]
    return [
        Column("  tool", "name", names, useful=26),
        column("tokens", lambda each: number(each.weight.tokens)),
        column("share", lambda each: percent(each.share), 9),
        column("name", lambda each: number(each.weight.name), 13),
        column("descr.", lambda each: number(each.weight.description), 12),
        column("schema", lambda each: number(each.weight.schema), 11),
        column("risk", lambda each: _risk([each])),
        column("least", least_words, 10),
        column("most", most_words),
        *(measured if any(each.measured for each in shown) else ()),
        *([overhead] if set(overhead.cells) - {"", "0%"} else ()),
        column("bounded by", lambda each: bound_words(each.answers), 1),
    ]


def _risk(tools: Sequence[ToolProfile]) -> Text:
    words = risk_words(tools)
    return Text(words, RISK_STYLES.get(words, "dim"))


def _legend(console: Console, report: Report, top: int, left_out: str) -> None:
    left = len(report.profile.tools) - top
    if left > 0:
        console.print(Text(f"  … and {number(left)} less risky ones (--top N shows more)", "dim"))
    for line in (*legend_lines(report, top), left_out):
        if line:
            console.print(indented(Text(line, "dim")))


def _notes(console: Console, report: Report) -> None:
    aside = [
        f"set aside: {for_terminal(entry.server, 40)} {for_terminal(entry.name, 60) or '(no name)'}: "
        f"{for_terminal(entry.reason)}"
        for server in report.profile.servers
        for entry in server.server.set_aside
    ]
    lines = [*aside, *(for_terminal(note) for note in (*report.sources.notes, *report.notes))]
    if lines:
        console.print()
    for line in lines[:MOST_NOTES]:
        console.print(indented(Text(line, "dim")))
    if len(lines) > MOST_NOTES:
        console.print(Text(f"  … and {len(lines) - MOST_NOTES} more (--json lists all)", "dim"))
