"""What doctor found beside the weights → lines below the tables: look-alikes, advice, what was set aside, verdict."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from toolbooth.cli.doctor_clients import Held, advice, look_alikes
from toolbooth.cli.doctor_report import Report
from toolbooth.cli.doctor_words import budget_words, fewer, look_alike_words, overlap_words
from toolbooth.cli.terminal import indented
from toolbooth.economics import Advice, Cluster
from toolbooth.safetext import for_terminal

MOST_ADVICE, MOST_LOOK_ALIKES, MOST_ASIDE = 8, 5, 8


def print_findings(console: Console, report: Report) -> None:
    """Each kind under its own heading, where there is any."""
    _look_alikes(console, look_alikes(report.clients))
    _advice(console, advice(report.clients))
    _asides(console, report)
    _verdict(console, report)


def _look_alikes(console: Console, found: Sequence[Held[Cluster]]) -> None:
    if not found:
        return
    console.print()
    console.print(Text("  look-alikes a model may confuse", "dim"))
    for held in found[:MOST_LOOK_ALIKES]:
        console.print(indented(Text(held.label + look_alike_words(held.found))))
    _and_more(console, found, MOST_LOOK_ALIKES)


def _advice(console: Console, found: Sequence[Held[Advice]]) -> None:
    if not found:
        return
    console.print()
    table = Table(box=None, pad_edge=False, padding=(0, 1), header_style="dim", show_edge=False)
    table.add_column("  what to do", justify="right", no_wrap=True, style="bold green")
    table.add_column("", overflow="fold")
    for held in found[:MOST_ADVICE]:
        each = held.found
        about = "≈ " if each.saving_tokens and not each.exact else ""
        words = Text(held.label, "bold").append(for_terminal(each.message, 600), "not bold")
        table.add_row(f"  {about}{fewer(each.saving_tokens)}", words)
    console.print(table)
    _and_more(console, found, MOST_ADVICE)
    overlap = overlap_words([held.found for held in found])
    if overlap:
        console.print(indented(Text(overlap, "dim")))


def _asides(console: Console, report: Report) -> None:
    aside = [
        f"set aside: {for_terminal(entry.server, 40)} {for_terminal(entry.name, 60) or '(no name)'}: "
        f"{for_terminal(entry.reason)}"
        for entry in report.diagnosis.set_aside
    ]
    notes = [for_terminal(note) for note in report.sources.notes]
    disabled = for_terminal(", ".join(report.sources.disabled))
    if aside or notes or disabled:
        console.print()
    for lines in (aside, notes, [f"disabled and not weighed: {disabled}"] if disabled else []):
        for line in lines[:MOST_ASIDE]:
            console.print(indented(Text(line, "dim")))
        _and_more(console, lines, MOST_ASIDE)


def _verdict(console: Console, report: Report) -> None:
    words = budget_words(report)
    if words:
        console.print()
        console.print(indented(Text(words, "green" if report.exit_code == 0 else "bold red")))


def _and_more(console: Console, found: Sequence[object], shown: int) -> None:
    if len(found) > shown:
        console.print(Text(f"  … and {len(found) - shown} more (--json lists all)", "dim"))
