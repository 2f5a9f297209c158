"""A diff on a terminal: tool by tool, the worst first, each with its new cost."""

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Final

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from toolbooth.cli.contract_output import print_details
from toolbooth.cli.terminal import indented, out
from toolbooth.contracts.diff import tokens_of
from toolbooth.contracts.reporting import ContractReport, ReportEntry, shows_text
from toolbooth.safetext import for_build_log

if TYPE_CHECKING:
    from toolbooth.cli.diff.sides import Sides


MOST_SHOWN: Final = 60  # tools; more is for a program
MOST_OF_RULE: Final = 8  # in a row of one tool or server
MOST_NAMED: Final = 20
_STYLES: Final = ("dim", "green", "bold yellow", "bold red")
_WORD: Final = 10
Weights = dict[str, int]


def print_diff(report: ContractReport, sides: "Sides") -> None:
    """Groups, then the sum, then the verdict."""
    console = out()
    encoding = sides.after.contracts.encoding
    before, after = (tokens_of(side.contracts, encoding) for side in (sides.before, sides.after))
    groups = _alike(_groups(report.entries))
    shown = [alike for place, alike in enumerate(groups) if place < MOST_SHOWN or _has_text(alike[0])]
    for alike in shown:
        _print_heading(console, alike, before, after)
        _print_entries(console, alike[0])
    if len(groups) > len(shown):
        more = sum(map(len, groups)) - sum(map(len, shown))
        console.print(Text(f"… and {more:,} more tools (--json has all)", "dim"))
    _print_sum(console, before, after)
    _print_verdict(console, report)


def _has_text(entries: Sequence[ReportEntry]) -> bool:
    return any(map(shows_text, entries))


def _groups(entries: Sequence[ReportEntry]) -> list[list[ReportEntry]]:
    """Group changes by tool or server; the worst group first."""
    together = sorted(entries, key=lambda entry: (entry.server, entry.tool))
    groups = [list(group) for _, group in groupby(together, lambda entry: (entry.server, entry.tool))]
    return sorted(groups, key=lambda group: (-group[0].rank, group[0].server, group[0].tool))


def _alike(groups: list[list[ReportEntry]]) -> list[list[list[ReportEntry]]]:
    """Join tools with exactly the same changes: a release often changes many tools in one way."""
    found: dict[str, list[list[ReportEntry]]] = {}
    for group in groups:
        same = repr([(each.rule, each.path, each.message, each.before, each.after) for each in group])
        found.setdefault(same if group[0].tool else f"{group[0].server} {same}", []).append(group)
    return list(found.values())


def _print_heading(console: Console, alike: list[list[ReportEntry]], before: Weights, after: Weights) -> None:
    first = alike[0][0]
    heading = Text(for_build_log(first.where, 100) or "all servers", "bold")
    heading.append(_tokens_of_group(alike[0], before, after), "dim")
    console.print(heading)
    others = [
        for_build_log(each.tool if each.server == first.server else each.where, 60)
        for each in (group[0] for group in alike[1:])
    ]
    if others:
        rest = f" and {len(others) - MOST_NAMED:,} more" if len(others) > MOST_NAMED else ""
        console.print(indented(Text(f"and the same of {', '.join(others[:MOST_NAMED])}{rest}", "bold dim")))


def _print_entries(console: Console, entries: Sequence[ReportEntry]) -> None:
    for rule, group in groupby(entries, lambda entry: entry.rule):
        same = list(group)
        shown = [entry for place, entry in enumerate(same) if place < MOST_OF_RULE or shows_text(entry)]
        for entry in shown:
            _print_entry(console, entry)
        if len(same) > len(shown):
            more = Text(f"… and {len(same) - len(shown):,} more of {rule} (--json has all)", "dim")
            console.print(Padding(more, (0, 0, 0, 2 + _WORD), expand=False))
    console.print()


def _print_entry(console: Console, entry: ReportEntry) -> None:
    line = Text(for_build_log(entry.message)).append(f"  {entry.rule}", "dim")
    row = Table.grid()  # so that a long message goes on below itself
    row.add_column(width=_WORD)
    row.add_column()
    row.add_row(Text(entry.word, _STYLES[entry.rank]), line)
    console.print(Padding(row, (0, 0, 0, 2), expand=False))
    print_details(console, entry, 6)


def _tokens_of_group(entries: Sequence[ReportEntry], before: Weights, after: Weights) -> str:
    if not entries[0].tool:
        return ""
    renamed = next((entry.before for entry in entries if entry.rule == "tool-renamed"), None)
    old = before.get(f"{entries[0].server}.{renamed}" if renamed else entries[0].where, 0)
    return moved(old, after.get(entries[0].where, 0))


def moved(old: int, new: int) -> str:
    """`  310 → 344 tokens (+34)`; the same number once."""
    return f"  {new:,} tokens" if old == new else f"  {old:,} → {new:,} tokens ({new - old:+,})"


def _print_sum(console: Console, before: Weights, after: Weights) -> None:
    tools = (
        f"{len(after):,} tools" if len(before) == len(after) else f"{len(before):,} → {len(after):,} tools"
    )
    console.print(Text(f"all definitions: {tools},{moved(sum(before.values()), sum(after.values()))[1:]}"))


def _print_verdict(console: Console, report: ContractReport) -> None:
    verdict = for_build_log(report.verdict, 600)
    console.print(Text(verdict, "bold red" if report.exit_code else "bold green"))
    for line in report.notes:
        console.print(indented(Text(for_build_log(line, 600), "dim")))
