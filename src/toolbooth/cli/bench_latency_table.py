"""The latency section of a report → a table: what was timed, its percentiles, the direct way, the ratio."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from rich.text import Text

from toolbooth.cli.bench_times import times_as_long, took
from toolbooth.cli.columns import Column, left_out_words, print_columns
from toolbooth.cli.terminal import indented, out
from toolbooth.safetext import for_terminal

if TYPE_CHECKING:
    from toolbooth.bench.report import LatencyMeasure, LatencySection


def print_latency(section: "LatencySection") -> None:
    """The table, then what its rows mean, then the notes."""
    console = out()
    console.print(Text("Latency", "bold").append(" measured by the client, warm-up apart", "not bold dim"))
    console.print()
    gone = print_columns(console, _columns(section.measures), console.width)
    console.print()
    for line in (*_meanings(section), *_rest(section)):
        console.print(indented(Text(line, "dim")))
    for note in (*section.notes, left_out_words(gone, console.width)):
        if note:
            console.print(indented(Text(for_terminal(note, 400), "dim")))
    if section.partial:
        console.print(indented(Text(f"partial: {for_terminal(section.partial, 400)}", "red")))


def _columns(measures: "tuple[LatencyMeasure, ...]") -> list[Column]:
    def column(title: str, cell: "Callable[[LatencyMeasure], str]", goes: int = 0, style: str = "") -> Column:
        return Column(title, "number", [cell(each) for each in measures], goes, style)

    return [
        Column("  timed", "name", [Text("  " + for_terminal(each.name, 30)) for each in measures]),
        column("samples", lambda each: f"{each.spread.samples:,}", 2, "dim"),
        column("p50", lambda each: took(each.spread.p50_ms), style="bold"),
        column("p95", lambda each: took(each.spread.p95_ms)),
        column("p99", lambda each: took(each.spread.p99_ms), 1),
        column("max", lambda each: took(each.spread.max_ms), 3),
        column("direct p50", _direct),
        column("ratio", lambda each: times_as_long(each.ratio), style="bold"),
    ]


def _direct(measure: "LatencyMeasure") -> str:
    return took(measure.against_spread.p50_ms) if measure.against_spread else ""


def _meanings(section: "LatencySection") -> Iterator[str]:
    for each in section.measures:
        against = f"; direct: {for_terminal(each.against, 120)}" if each.against else ""
        yield f"{for_terminal(each.name, 30)}: {for_terminal(each.what, 160)}{against}"


def _rest(section: "LatencySection") -> Iterator[str]:
    if section.load_all_tools_ms is not None:
        yield f"loading every tool of every running server directly, once: {took(section.load_all_tools_ms)}"
