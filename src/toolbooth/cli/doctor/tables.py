"""A doctor report on a terminal: tables of clients, servers and tools, then findings, advice and verdict."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from rich.console import Console
from rich.table import Table
from rich.text import Text

from toolbooth import economics, figures, safetext
from toolbooth.cli.doctor.report import ClientFinding, ClientSurface, DoctorReport, advice, look_alikes
from toolbooth.cli.doctor.words import (
    answers_words,
    budget_words,
    cost_lines,
    fewer,
    look_alike_words,
    overlap_words,
    too_small_words,
)
from toolbooth.cli.terminal import Column, Kind, indented, left_out_words, out, print_columns

MOST_ADVICE, MOST_LOOK_ALIKES, MOST_ASIDE = 8, 5, 8


def print_findings(console: Console, report: DoctorReport) -> None:
    """Each kind under its own heading, where there is any."""
    _look_alikes(console, look_alikes(report.clients))
    _advice(console, advice(report.clients))
    if too_small := too_small_words(report):
        console.print()
        console.print(indented(Text(too_small)))
    _asides(console, report)
    _verdict(console, report)


def _look_alikes(console: Console, found: Sequence[ClientFinding[economics.Cluster]]) -> None:
    if not found:
        return
    console.print()
    console.print(Text("  look-alikes that a model may confuse", "dim"))
    for held in found[:MOST_LOOK_ALIKES]:
        console.print(indented(Text(held.label + look_alike_words(held.found))))
    _and_more(console, found, MOST_LOOK_ALIKES)


def _advice(console: Console, found: Sequence[ClientFinding[economics.Advice]]) -> None:
    if not found:
        return
    console.print()
    table = Table(box=None, pad_edge=False, padding=(0, 1), header_style="dim", show_edge=False)
    table.add_column("  what to do", justify="right", no_wrap=True, style="bold green")
    table.add_column("", overflow="fold")
    for held in found[:MOST_ADVICE]:
        each = held.found
        about = "≈ " if each.saving_tokens and not each.exact else ""
        words = Text(held.label, "bold").append(safetext.for_terminal(each.message, 600), "not bold")
        table.add_row(f"  {about}{fewer(each.saving_tokens)}", words)
    console.print(table)
    _and_more(console, found, MOST_ADVICE)
    overlap = overlap_words([held.found for held in found])
    if overlap:
        console.print(indented(Text(overlap, "dim")))


def _asides(console: Console, report: DoctorReport) -> None:
    aside = [
        f"left out: {safetext.for_terminal(entry.server, 40)} {safetext.for_terminal(entry.name, 60) or '(no name)'}: "
        f"{safetext.for_terminal(entry.reason)}"
        for entry in report.diagnosis.set_aside
    ]
    notes = [safetext.for_terminal(note) for note in report.sources.notes]
    disabled = safetext.for_terminal(", ".join(report.sources.disabled))
    if aside or notes or disabled:
        console.print()
    for lines in (aside, notes, [f"disabled, not weighed: {disabled}"] if disabled else []):
        for line in lines[:MOST_ASIDE]:
            console.print(indented(Text(line, "dim")))
        _and_more(console, lines, MOST_ASIDE)


def _verdict(console: Console, report: DoctorReport) -> None:
    words = budget_words(report)
    if words:
        console.print()
        console.print(indented(Text(words, "green" if report.exit_code == 0 else "bold red")))


def _and_more(console: Console, found: Sequence[object], shown: int) -> None:
    if len(found) > shown:
        console.print(Text(f"  … and {len(found) - shown} more (--json lists all)", "dim"))


MOST_NOISE, MOST_SERVERS = 6, 40
_RISK_STYLES = {"critical": "bold red", "high": "red", "medium": "yellow", "low": "green"}


def print_table(report: DoctorReport, top: int) -> None:
    """The whole report, heaviest first."""
    console = out()
    diagnosis = report.diagnosis
    _heading(console, report)
    rows = _servers(diagnosis) if report.is_plain else client_columns(report)
    gone = print_columns(console, rows, console.width)
    for line in cost_lines(report):
        console.print(indented(Text(line)))
    console.print()
    if not diagnosis.tools:
        return
    tools = _tools(diagnosis, top)
    gone += (gone_tools := print_columns(console, tools, console.width))
    _legend(console, diagnosis, top, [column for column in tools if column not in gone_tools])
    # A bar says nothing that the numbers beside it do not say.
    left_out = left_out_words([column for column in gone if column.kind != "bar"], console.width)
    if left_out:
        console.print(indented(Text(left_out, "dim")))
    print_findings(console, report)


def _heading(console: Console, report: DoctorReport) -> None:
    diagnosis = report.diagnosis
    tools, servers = len(diagnosis.tools), len(diagnosis.servers)
    clients = f" of {figures.counted(len(report.clients), 'client')}" if len(report.clients) > 1 else ""
    line = Text(f"{figures.counted(tools, 'tool')} on {figures.counted(servers, 'server')}{clients}", "bold")
    line.append(f" · {', '.join(diagnosis.encodings)}", "dim")
    console.print(line)
    console.print()


def _servers(diagnosis: economics.Diagnosis) -> list[Column]:
    others = diagnosis.encodings[1:]
    shown = diagnosis.servers[:MOST_SERVERS]
    left = len(diagnosis.servers) - len(shown)
    heaviest = max((each.tokens for each in diagnosis.servers), default=0) or 1

    def column(
        title: str,
        cell: Callable[[economics.ServerDiagnosis], str | float],
        total: str,
        goes: int = 0,
        kind: Kind = "number",
    ) -> Column:
        cells = [*map(cell, shown), *([""] if left else []), total]
        return Column(title, kind, cells, goes, {"tokens": "bold", "": "cyan"}.get(title, ""))

    names = [Text("  " + safetext.for_terminal(each.server.server, 40)) for each in shown]
    names += [Text(f"  … and {left} lighter ones", "dim")] if left else []
    return [
        Column("  server", "name", [*names, Text("  total", "bold")]),
        column(
            "tools",
            lambda each: figures.number(len(each.server.tools)),
            figures.number(len(diagnosis.tools)),
            101,
        ),
        column("tokens", lambda each: figures.number(each.tokens), figures.number(diagnosis.total_tokens)),
        *(
            column(name, _server_tokens(name), figures.number(diagnosis.totals[name]), goes)
            for goes, name in enumerate(others, 1)
        ),
        column("share", lambda each: figures.percent(each.share), "", 102),
        column("", lambda each: each.tokens / heaviest, "", 103, "bar"),
    ]


class _Row(NamedTuple):
    """A client in bold, or one of its servers below it; servers behind a gateway, which cost nothing, are dim."""

    name: Text
    tools: int
    tokens_by_encoding: Mapping[str, int]
    style: str
    whole: int


def client_columns(report: DoctorReport) -> list[Column]:
    """Each client with what its model reads, and its servers below it."""
    first, *others = report.diagnosis.encodings
    rows = [row for client in report.clients for row in _client_rows(client)]
    shown, left = rows[:MOST_SERVERS], max(0, len(rows) - MOST_SERVERS)
    more = [Text(f"  … and {left} more (--json lists all)", "dim")] if left else []
    none = [Text("")] if left else []

    def column(title: str, cell: Callable[[_Row], str], goes: int = 0) -> Column:
        return Column(title, "number", [*(Text(cell(row), row.style) for row in shown), *none], goes)

    return [
        Column("  client, server", "name", [*(row.name for row in shown), *more]),
        column("tools", lambda row: figures.number(row.tools), 101),
        column("tokens", lambda row: figures.number(row.tokens_by_encoding[first])),
        *(column(name, _row_tokens(name), goes) for goes, name in enumerate(others, 1)),
        column(
            "share",
            lambda row: (
                "" if row.style != "none" else figures.percent(row.tokens_by_encoding[first] / row.whole)
            ),
            102,
        ),
    ]


def _client_rows(client: ClientSurface) -> Iterator[_Row]:
    whole = client.tokens or 1
    name = safetext.for_terminal(client.client, 60) or "typed or saved"
    yield _Row(Text(f"  {name}", "bold"), client.tools, client.tokens_by_encoding, "bold", whole)
    for menu in client.menus:
        label = f"    {safetext.for_terminal(menu.entry, 40)}, the gateway"
        yield _Row(Text(label), menu.tools, menu.tokens_by_encoding, "none", whole)
    for each in client.seen:
        label = f"    {safetext.for_terminal(each.server.server, 40)}"
        yield _Row(Text(label), len(each.server.tools), each.tokens_by_encoding, "none", whole)
    for each in client.behind:
        label = f"      behind it: {safetext.for_terminal(each.server.server, 40)}"
        yield _Row(Text(label, "dim"), len(each.server.tools), each.tokens_by_encoding, "dim", whole)


def _row_tokens(encoding: str) -> Callable[[_Row], str]:
    return lambda row: figures.number(row.tokens_by_encoding[encoding])


def _server_tokens(encoding: str) -> Callable[[economics.ServerDiagnosis], str]:
    return lambda each: figures.number(each.tokens_by_encoding[encoding])


def _tools(diagnosis: economics.Diagnosis, top: int) -> list[Column]:
    """Answers go first, then slim and the parts; other encodings were asked for and go last."""
    shown = diagnosis.tools[:top]

    def column(
        title: str,
        cell: Callable[[economics.ToolDiagnosis], str | Text],
        goes: int = 0,
        *,
        style: str = "",
        legend: str = "",
    ) -> Column:
        kind: Kind = "words" if title == "answers" else "number"
        return Column(title, kind, [cell(each) for each in shown], goes, style, legend)

    return [
        Column(
            "  heaviest tools",
            "name",
            [Text("  " + safetext.for_terminal(each.weight.id, 60)) for each in shown],
        ),
        column("tokens", lambda each: figures.number(each.weight.tokens), style="bold"),
        *(column(name, _tool_tokens(name), goes) for goes, name in enumerate(diagnosis.encodings[1:], 1)),
        column("name", lambda each: figures.number(each.weight.name), 103),
        column("descr.", lambda each: figures.number(each.weight.description), 102),
        column("schema", lambda each: figures.number(each.weight.schema), 101),
        column("slim", lambda each: Text(fewer(each.slim_saving), "green"), 104, legend=_SLIM),
        column("answers", lambda each: answers_text(each.answers), 105, legend=_ANSWERS),
    ]


_SLIM = "slim: what lossless slimming of the schema saves"
_ANSWERS = "answers: their size and their limit"


def _tool_tokens(encoding: str) -> Callable[[economics.ToolDiagnosis], str]:
    return lambda each: figures.number(each.tokens_by_encoding[encoding])


def answers_text(answers: economics.AnswerRisk) -> Text:
    """In the colour of the risk; green is kept for what something bounds."""
    style = _RISK_STYLES.get(answers.risk or "", "dim")
    if style == "green" and not answers.bounded:
        style = "yellow"  # an unbounded answer only looks small
    return Text(answers_words(answers), style)


def _legend(console: Console, diagnosis: economics.Diagnosis, top: int, columns: list[Column]) -> None:
    if len(diagnosis.tools) > top:
        left = figures.number(len(diagnosis.tools) - top)
        console.print(Text(f"  … and {left} lighter ones (--top N shows more)", "dim"))
    legends = [column.legend for column in columns if column.legend]
    if _ANSWERS in legends and any(each.answers.risk for each in diagnosis.tools[:top]):
        legends[-1] += "; ≈ is an estimate from the output schema"
    if legends:
        console.print(indented(Text(" · ".join(legends), "dim")))
    if diagnosis.noise:
        kinds = " · ".join(
            f"{kind} {figures.number(times)}" for kind, times in list(diagnosis.noise.items())[:MOST_NOISE]
        )
        console.print(indented(Text(f"schema noise: {kinds}", "dim")))
