"""The growth section of a report → a table: a row for each figure, a column for each size, and how fast it grows."""

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from rich.text import Text

from toolbooth.cli.bench_times import took
from toolbooth.cli.columns import Column, left_out_words, print_columns
from toolbooth.cli.terminal import indented, out
from toolbooth.safetext import for_terminal

if TYPE_CHECKING:
    from toolbooth.bench.report import GrowthSection, SizePoint

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
    gone = print_columns(console, _columns(section), console.width)
    console.print()
    for sentence in section.bends:
        console.print(indented(Text(for_terminal(sentence, 400))))
    left_out = left_out_words(gone, console.width)
    for note in (*_legend(section), *section.notes, *([left_out] if left_out else [])):
        console.print(indented(Text(for_terminal(note, 400), "dim")))
    if section.partial:
        console.print(indented(Text(f"partial: {for_terminal(section.partial, 400)}", "red")))


def _columns(section: "GrowthSection") -> list[Column]:
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
