"""A doctor report → tables that a person likes to read."""

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from toolbooth.cli.doctor_report import Report
from toolbooth.cli.doctor_words import (
    answers_words,
    budget_words,
    cost_lines,
    fewer,
    look_alike_words,
    number,
    percent,
)
from toolbooth.cli.terminal import out
from toolbooth.economics import Diagnosis
from toolbooth.safetext import for_terminal

BAR_WIDTH = 24
NAME_WIDTH, NUMBER_WIDTH, WORDS_WIDTH = 20, 6, 16
_EIGHTHS = " ▏▎▍▌▋▊▉█"
MOST_NOISE = 6
MOST_SERVERS, MOST_ADVICE, MOST_LOOK_ALIKES, MOST_ASIDE = 40, 8, 5, 8
_RISK_STYLES = {"critical": "bold red", "high": "red", "medium": "yellow", "low": "green"}


def print_table(report: Report, top: int) -> None:
    """The whole report, heaviest first."""
    console = out()
    diagnosis = report.diagnosis
    _heading(console, diagnosis)
    console.print(_servers(report, console.width))
    for line in cost_lines(report):
        console.print(_indented(Text(line)))
    console.print()
    console.print(_tools(diagnosis, top, console.width))
    _legend(console, diagnosis, top)
    _look_alikes(console, diagnosis)
    _advice(console, diagnosis)
    _asides(console, report)
    _verdict(console, report)


def _indented(text: Text) -> Padding:
    return Padding(text, (0, 0, 0, 2), expand=False)


def _heading(console: Console, diagnosis: Diagnosis) -> None:
    tools, servers = len(diagnosis.tools), len(diagnosis.servers)
    line = Text(f"{number(tools)} tools on {servers} server{'' if servers == 1 else 's'}", "bold")
    line.append(f" · {', '.join(diagnosis.encodings)}", "dim")
    console.print(line)
    console.print()


def _table(room: int, *columns: tuple[str, str]) -> Table:
    """Numbers are never cut; names are cut with a mark where `room` columns are too few; words wrap."""
    table = Table(box=None, pad_edge=False, padding=(0, 1), header_style="dim", show_edge=False)
    widths = {"words": WORDS_WIDTH, "name": 0}
    left = room - sum(widths.get(kind, max(len(title), NUMBER_WIDTH)) + 2 for title, kind in columns)
    for title, kind in columns:
        if kind == "name":
            table.add_column(title, no_wrap=True, overflow="ellipsis", max_width=max(left, NAME_WIDTH))
        elif kind == "words":
            table.add_column(title, min_width=WORDS_WIDTH)
        else:
            style = "bold" if kind == "main" else ""
            table.add_column(title, justify="right", no_wrap=True, min_width=NUMBER_WIDTH, style=style)
    return table


def _servers(report: Report, room: int) -> Table:
    diagnosis = report.diagnosis
    others = diagnosis.encodings[1:]
    table = _table(
        room - BAR_WIDTH - 8,
        ("  server", "name"),
        ("tools", "number"),
        ("tokens", "main"),
        *((name, "number") for name in others),
    )
    table.add_column("share", justify="right", no_wrap=True, min_width=NUMBER_WIDTH)
    table.add_column("", no_wrap=True)
    bar = max(4, min(BAR_WIDTH, room - 64))
    heaviest = max((each.tokens for each in diagnosis.servers), default=0) or 1
    for each in diagnosis.servers[:MOST_SERVERS]:
        table.add_row(
            Text("  " + for_terminal(each.server.server, 40)),
            number(len(each.server.tools)),
            number(each.tokens),
            *(number(each.tokens_by_encoding[name]) for name in others),
            percent(each.share),
            Text(_bar(each.tokens / heaviest, bar), "cyan"),
        )
    if len(diagnosis.servers) > MOST_SERVERS:
        table.add_row(Text(f"  … and {len(diagnosis.servers) - MOST_SERVERS} lighter ones", "dim"))
    table.add_row(
        Text("  total", "bold"),
        number(len(diagnosis.tools)),
        number(diagnosis.total_tokens),
        *(number(diagnosis.totals[name]) for name in others),
        "",
        "",
    )
    return table


def _bar(share: float, width: int) -> str:
    eighths = max(1, round(share * width * 8))
    return "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()


def _tools(diagnosis: Diagnosis, top: int, room: int) -> Table:
    others = diagnosis.encodings[1:]
    table = _table(
        room,
        ("  heaviest tools", "name"),
        ("tokens", "main"),
        *((name, "number") for name in others),
        *((title, "number") for title in ("name", "descr.", "schema", "slim")),
        ("answers", "words"),
    )
    for each in diagnosis.tools[:top]:
        table.add_row(
            Text("  " + for_terminal(each.weight.id, 60)),
            number(each.weight.tokens),
            *(number(each.tokens_by_encoding[name]) for name in others),
            *(number(part) for part in (each.weight.name, each.weight.description, each.weight.schema)),
            Text(fewer(each.slim_saving), "green"),
            Text(answers_words(each.answers), _RISK_STYLES.get(each.answers.risk or "", "dim")),
        )
    return table


def _legend(console: Console, diagnosis: Diagnosis, top: int) -> None:
    if len(diagnosis.tools) > top:
        left = number(len(diagnosis.tools) - top)
        console.print(Text(f"  … and {left} lighter ones (--top N shows more)", "dim"))
    words = "slim: what lossless slimming of the schema saves · answers: what bounds them"
    if any(each.answers.risk for each in diagnosis.tools[:top]):
        words += "; ≈ is an estimate from the output schema"
    console.print(_indented(Text(words, "dim")))
    if diagnosis.noise:
        kinds = " · ".join(
            f"{kind} {number(times)}" for kind, times in list(diagnosis.noise.items())[:MOST_NOISE]
        )
        console.print(_indented(Text(f"schema noise: {kinds}", "dim")))


def _look_alikes(console: Console, diagnosis: Diagnosis) -> None:
    if not diagnosis.duplicates:
        return
    console.print()
    console.print(Text("  look-alikes a model may confuse", "dim"))
    for cluster in diagnosis.duplicates[:MOST_LOOK_ALIKES]:
        console.print(_indented(Text(look_alike_words(cluster))))
    _and_more(console, len(diagnosis.duplicates) - MOST_LOOK_ALIKES)


def _advice(console: Console, diagnosis: Diagnosis) -> None:
    if not diagnosis.advice:
        return
    console.print()
    table = Table(box=None, pad_edge=False, padding=(0, 1), header_style="dim", show_edge=False)
    table.add_column("  what to do", justify="right", no_wrap=True, style="bold green")
    table.add_column("", overflow="fold")
    for each in diagnosis.advice[:MOST_ADVICE]:
        about = "≈ " if each.saving_tokens and not each.exact else ""
        table.add_row(f"  {about}{fewer(each.saving_tokens)}", Text(for_terminal(each.message, 600)))
    console.print(table)
    _and_more(console, len(diagnosis.advice) - MOST_ADVICE)


def _asides(console: Console, report: Report) -> None:
    lines = [
        f"set aside: {for_terminal(entry.server, 40)} {for_terminal(entry.name, 60) or '(no name)'}: {entry.reason}"
        for entry in report.diagnosis.set_aside[:MOST_ASIDE]
    ]
    lines += [for_terminal(note) for note in report.sources.notes[:MOST_ASIDE]]
    if report.sources.disabled:
        lines.append(f"disabled and not weighed: {for_terminal(', '.join(report.sources.disabled))}")
    if lines:
        console.print()
    for line in lines:
        console.print(_indented(Text(line, "dim")))


def _verdict(console: Console, report: Report) -> None:
    words = budget_words(report)
    if words:
        console.print()
        console.print(_indented(Text(words, "green" if report.exit_code == 0 else "bold red")))


def _and_more(console: Console, left: int) -> None:
    if left > 0:
        console.print(Text(f"  … and {left} more (--json lists all)", "dim"))
