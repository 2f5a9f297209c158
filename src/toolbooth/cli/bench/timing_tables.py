"""The latency and growth sections of a report as tables.

Latency has a row for each operation, with the direct way and the ratio beside it. Growth has a row for each figure
and a column for each size.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from rich.text import Text

from toolbooth.cli.bench.figures import times_as_long, took
from toolbooth.cli.terminal import Column, indented, left_out_words, out, print_columns
from toolbooth.safetext import for_terminal

if TYPE_CHECKING:
    from toolbooth.bench.report import GrowthSection, LatencyMeasure, LatencySection, SizePoint


def print_latency(section: "LatencySection") -> None:
    """The table, then what its rows mean, then the notes."""
    console = out()
    console.print(Text("Latency", "bold").append(" measured by the client, warm-up apart", "not bold dim"))
    console.print()
    gone = print_columns(console, _latency_columns(section.measures), console.width)
    console.print()
    for line in (*_meanings(section), *_rest(section)):
        console.print(indented(Text(line, "dim")))
    for note in (*section.notes, left_out_words(gone, console.width)):
        if note:
            console.print(indented(Text(for_terminal(note, 400), "dim")))
    if section.partial:
        console.print(indented(Text(f"partial: {for_terminal(section.partial, 400)}", "red")))


def _latency_columns(measures: "tuple[LatencyMeasure, ...]") -> list[Column]:
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


_STEPS: Final = "▁▂▃▄▅▆▇█"
_ROWS: Final[Mapping[str, tuple[str, Callable[[float], str]]]] = {
    "baseline_tokens": ("every definition", lambda value: f"{value:,.0f}"),
    "menu_tokens": ("search surface", lambda value: f"{value:,.0f}"),
    "search_p50_ms": ("search, p50", took),
    "search_p95_ms": ("search, p95", took),
    "start_ms": ("warm start", took),
    "build_ms": ("new index", took),
    "read_ms": ("catalog file", took),
    "memory_mb": ("memory", lambda value: f"{value:,.0f} MB"),
}


def print_growth(section: "GrowthSection") -> None:
    """The table, what its rows mean, then what bends."""
    console = out()
    head = f" of {for_terminal(section.source, 60)}, each size in a process of its own"
    console.print(Text("Growth", "bold").append(head, "not bold dim"))
    console.print()
    gone = print_columns(console, _growth_columns(section), console.width)
    console.print()
    for sentence in section.bends:
        console.print(indented(Text(for_terminal(sentence, 400))))
    left_out = left_out_words(gone, console.width)
    for note in (*_legend(section), *section.notes, *([left_out] if left_out else [])):
        console.print(indented(Text(for_terminal(note, 400), "dim")))
    if section.partial:
        console.print(indented(Text(f"partial: {for_terminal(section.partial, 400)}", "red")))


def _growth_columns(section: "GrowthSection") -> list[Column]:
    points = section.points
    middle = [*range(1, len(points) - 1)]
    return [
        Column("  tools", "name", [f"  {title}" for title, _ in _ROWS.values()]),
        *(_size(point, goes=middle.index(at) + 2 if at in middle else 0) for at, point in enumerate(points)),
        Column("growth", "number", [_curve(points, name) for name in _ROWS], 1, "cyan"),
        Column("exponent", "number", [_exponent(section, name) for name in _ROWS], 0, "bold"),
    ]


def _size(point: "SizePoint", goes: int) -> Column:
    title = f"{point.tools:,}{'*' if point.made_up else ''}"
    cells = [words(getattr(point, name)) for name, (_, words) in _ROWS.items()]
    return Column(title, "number", cells, goes)


def _curve(points: "tuple[SizePoint, ...]", name: str) -> str:
    """A step for each size, on a log scale: the highest is where a figure has grown as far as the catalog."""
    first, last = points[0], points[-1]
    if len(points) < 2 or getattr(first, name) <= 0:
        return ""
    whole = math.log(last.tools / first.tools)
    grown = (math.log(max(getattr(each, name) / getattr(first, name), 1e-9)) / whole for each in points)
    return "".join(_STEPS[max(0, min(len(_STEPS) - 1, round(part * (len(_STEPS) - 1))))] for part in grown)


def _exponent(section: "GrowthSection", name: str) -> str:
    found = section.exponents.get(name)
    return "" if found is None else f"{found:.2f}".replace("-", "−")


def _legend(section: "GrowthSection") -> list[str]:
    made_up = [f"{each.made_up:,} of {each.tools:,}" for each in section.points if each.made_up]
    return [
        *([f"* made up: {', '.join(made_up)} tools"] if made_up else []),
        "exponent: the slope on a log-log scale over the last sizes; 1 grows as the catalog does, 0 not at all",
        "tokens of the menu with every definition, and of that of the search surface; times are CPU time; a warm start "
        "goes from the gateway's cache to its first search answer, after the start of the process; "
        "memory is what that adds to it",
    ]
