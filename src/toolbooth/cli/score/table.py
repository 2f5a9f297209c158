"""A score on a terminal: a small table, missed and unexpected tools, and the expectations."""

from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from toolbooth import safetext, suite
from toolbooth.cli.terminal import indented, out
from toolbooth.figures import dollars, number, percent

MOST_NAMED = 20
_STYLES = {"A": "bold green", "B": "green", "C": "yellow", "D": "yellow", "F": "bold red"}
_SIGNS = {"passed": ("✓", "green"), "failed": ("✗", "red"), "skipped": ("·", "dim")}


def print_score(
    score: suite.Score, checks: Sequence[suite.Check], notes: Sequence[str], warnings: Sequence[str] = ()
) -> None:
    """Counts and percents first, then why, then the assertions."""
    console = out()
    console.print(_counts(score))
    console.print()
    for title, text in _lines(score):
        line = Text(f"{title:<12}", "dim").append(safetext.for_terminal(text, 2000), "not dim")
        console.print(indented(line))
    for check in checks:
        _print_check(console, check)
    for warning in warnings:
        console.print(indented(Text(f"warning: {safetext.for_terminal(warning, 600)}", "yellow")))
    for note in notes:
        console.print(indented(Text(f"note: {safetext.for_terminal(note, 400)}", "dim")))


def _counts(score: suite.Score) -> Table:
    chosen = score.selection
    table = Table(box=None, pad_edge=False, padding=(0, 1), header_style="dim", show_edge=False)
    for title in ("  runs", "TP", "FP", "FN", "precision", "recall", "F1", "grade"):
        table.add_column(title, justify="right", no_wrap=True)
    counts = (score.passes.of, chosen.tp, chosen.fp, chosen.fn)
    percents = (f"{chosen.precision}%", f"{chosen.recall}%", Text(f"{chosen.f1}%", "bold"))
    table.add_row(*(f"{each:,}" for each in counts), *percents, Text(chosen.grade, _STYLES[chosen.grade]))
    return table


def _lines(score: suite.Score) -> list[tuple[str, str]]:
    passes, figures = score.passes, score.figures
    lines = []
    if passes.of > 1:
        share, low, high = (percent(each) for each in (passes.hits / passes.of, passes.low, passes.high))
        lines.append(
            ("fully right", f"{passes.hits:,} of {passes.of:,} runs: {share} (95% interval: {low} to {high})")
        )
    lines += [
        ("missed", _ranked(score.selection.missed)),
        ("unexpected", _ranked(score.selection.unexpected)),
    ]
    if "tool_surface_tokens" in figures:
        each = figures.get("tokens_per_correct")
        lines.append(("tokens", f"{figures['tool_surface_tokens']:,} of tools" + _for_each(each)))
    if "paid_tokens_per_correct" in figures:
        lines.append(
            ("paid", f"{number(figures['paid_tokens_per_correct'])} input tokens for each right choice")
        )
    if "cost" in figures:
        per = figures.get("cost_per_correct")
        lines.append(
            ("cost", dollars(figures["cost"]) + (f", {dollars(per)} for each right choice" if per else ""))
        )
    return lines


def _for_each(tokens: float | None) -> str:
    return f", {number(tokens)} for each right choice" if tokens is not None else "; no choice was right"


def _ranked(counted: Mapping[str, int]) -> str:
    named = [
        f"{safetext.for_terminal(name, 60)} ×{often:,}" for name, often in list(counted.items())[:MOST_NAMED]
    ]
    more = len(counted) - len(named)
    return ", ".join(named) + (f" and {more:,} more" if more else "") if named else "nothing"


def _print_check(console: Console, check: suite.Check) -> None:
    sign, style = _SIGNS[check.state]
    line = Text(f"{sign} ", style).append(f"{check.target} {check.wanted}", "bold")
    line.append(f"  {check.state}: {check.why or f'it is {_figure(check.found)}'}", "not bold")
    console.print(indented(line))


def _figure(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:,.6g}"
