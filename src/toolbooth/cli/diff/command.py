"""`toolbooth diff`: what changed between two locks, catalogs, configs, versions of a server, or a lock and now."""

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from typing import Final

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from toolbooth import contracts, errors, safetext
from toolbooth.cli import arguments, contract_output, terminal
from toolbooth.cli.diff.sides import Side, Sides, commands_of, load_sides
from toolbooth.cli.lock.words import found_words
from toolbooth.cli.sources import missing_words
from toolbooth.contracts.diff import diff_contracts, tokens_of
from toolbooth.contracts.reporting import (
    ContractReport,
    ReportEntry,
    file_locations,
    lock_locations,
    severity_words,
    shows_text,
    tokens_moved,
)

SEVERITIES = tuple(each.name.lower() for each in sorted(contracts.Severity, reverse=True))
EXAMPLES = """\
  toolbooth diff old.lock new.lock                   two locks; no server is started
  toolbooth diff toolbooth.lock                      the lock and the servers of your configs
  toolbooth diff toolbooth.lock --config .mcp.json   the lock and the servers of this config
  toolbooth diff before.json after.json              two saved catalogs, or two configs
  toolbooth diff -- npx -y server@1.2 -- npx -y server@1.3       two versions of a server
  toolbooth diff time.lock -- uvx mcp-server-time    a lock and one command
  toolbooth diff old.lock new.lock --severity breaking --json
  toolbooth diff old.lock new.lock --budget growth=10%
"""
EXITS = {
    0: "nothing at or above --fail-on",
    1: "a change at or above --fail-on, or a changed text with a high finding",
    2: "wrong usage or a broken file",
    3: "no full comparison: nothing could be reached, or a server is down",
}


def parser() -> arguments.Parser:
    """The options of the command."""
    made = arguments.Parser("diff", __doc__ or "", EXAMPLES, EXITS)
    add = made.add_argument
    add("side", nargs="*", help="before and after: each a lock, a saved catalog, a config or a URL")
    add(
        "--config",
        action="append",
        default=[],
        metavar="FILE",
        help="with one lock: the config to compare it with (default: known places)",
    )
    add(
        "--fail-on",
        choices=SEVERITIES,
        default="risky",
        help="lowest severity that exits 1 (default risky)",
    )
    add("--severity", choices=SEVERITIES, default="cosmetic", help="lowest severity to show (default all)")
    add(
        "--budget",
        action="append",
        default=[],
        metavar="WHAT=N",
        help="total=N, server:NAME=N, tool:SERVER.TOOL=N, answer:SERVER.TOOL=N, growth=P%% or N; `off` removes one",
    )
    add("--timeout", type=arguments.seconds, metavar="S", help="seconds for each server (default 60)")
    arguments.add_project(add)
    contract_output.add_output(made)
    made.takes_command()
    made.usage = f"{made.usage} [-- COMMAND ...]"
    return made


def run(words: Sequence[str]) -> int:
    """Load both sides, compare and report them; the exit code depends on --fail-on."""
    typed = list(words)
    at = typed.index("--") if "--" in typed else len(typed)
    options = parser().parse_args(typed[:at])
    contract_output.check_output(options)
    contracts.with_limits(contracts.Budgets(), options.budget)
    commands = commands_of(typed[at:], len(options.side))
    _refuse_wrong_number(options, len(options.side) + len(commands))
    sides = load_sides(options, commands)
    diff = _diff(sides, options.budget)
    report = _report(sides, diff, options)
    return contract_output.deliver(report, options, partial(_show, report, sides))


def _show(report: ContractReport, sides: Sides) -> None:
    """The table for people; JSON is also written if one side has no servers."""
    if sides.silent:
        kind = errors.UserMistake if sides.silent.wrong_files else errors.CannotCheck
        raise kind(f"nothing to compare in {sides.silent.name}: {_missing(sides.silent)}")
    print_diff(report, sides)


def _missing(part: Side | Sides) -> str:
    return missing_words(part.source_errors, part.wrong_files)


def _refuse_wrong_number(options: Namespace, number: int) -> None:
    if options.config and (number != 1 or not options.side):
        raise errors.UserMistake(
            "--config needs exactly one lock; try `toolbooth diff toolbooth.lock --config .mcp.json`"
        )
    if number == 0:
        raise errors.UserMistake(
            "name what to compare: two files, one lock, or two commands; see `toolbooth diff --help`"
        )
    if number > 2:
        raise errors.UserMistake(f"{number} sides are too many; name two, before and after")


def _diff(sides: Sides, budgets: Sequence[str]) -> contracts.Diff:
    return diff_contracts(
        sides.before.contracts, sides.after.contracts, contracts.with_limits(sides.budgets, budgets)
    )


def _report(sides: Sides, diff: contracts.Diff, options: Namespace) -> ContractReport:
    findings = contracts.changed_findings(sides.before.contracts, sides.after.contracts)
    found = diff.at_least(contracts.Severity[options.fail_on.upper()]) or contracts.unaccepted(findings, ())
    code = int(bool(found))
    if sides.source_errors:
        code = (errors.UserMistake if sides.wrong_files else errors.CannotCheck).exit_code
    shown = diff.at_least(contracts.Severity[options.severity.upper()])
    lock = sides.before.lock
    return ContractReport(
        "toolbooth diff",
        replace(diff, changes=shown),
        findings,
        verdict=_verdict(sides, diff, findings),
        exit_code=code,
        source_errors=tuple(
            (source_error.where, source_error.reason) for source_error in sides.source_errors
        ),
        notes=(
            *sides.notes,
            *_accepted_since(sides),
            *_left_out(len(diff.changes) - len(shown), options.severity),
        ),
        tokens=tokens_moved(sides.before.contracts, sides.after.contracts),
        locations=lock_locations(lock, contract_output.repository())
        if lock
        else file_locations(contract_output.named_files(options.side), contract_output.repository()),
        more={"before": sides.before.name, "after": sides.after.name},
    )


def _verdict(sides: Sides, diff: contracts.Diff, findings: Sequence[contracts.Finding]) -> str:
    both = f"{sides.before.name} → {sides.after.name}"
    if sides.source_errors:
        return f"{both} could not be fully compared: {_missing(sides)}"
    said = severity_words(diff) if diff.changes else "no meaningful changes"
    return f"{both}: {', '.join(filter(None, (said, found_words(findings))))}"


def _accepted_since(sides: Sides) -> list[str]:
    """Acceptances that are new in the second lock: who, when and why."""
    known = sides.before.accepted
    return [str(each) for each in sides.after.accepted if each not in known]


def _left_out(number: int, severity: str) -> list[str]:
    return [f"{number:,} below {severity} hidden by --severity"] if number else []


MOST_SHOWN: Final = 60  # tools; more is for a program
MOST_OF_RULE: Final = 8  # in a row of one tool or server
MOST_NAMED: Final = 20
_STYLES: Final = ("dim", "green", "bold yellow", "bold red")
_WORD: Final = 10
Weights = dict[str, int]


def print_diff(report: ContractReport, sides: Sides) -> None:
    """The groups of changes, the sum of tokens, then the verdict."""
    console = terminal.out()
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
    heading = Text(safetext.for_build_log(first.where, 100) or "all servers", "bold")
    heading.append(_tokens_of_group(alike[0], before, after), "dim")
    console.print(heading)
    others = [
        safetext.for_build_log(each.tool if each.server == first.server else each.where, 60)
        for each in (group[0] for group in alike[1:])
    ]
    if others:
        rest = f" and {len(others) - MOST_NAMED:,} more" if len(others) > MOST_NAMED else ""
        console.print(
            terminal.indented(Text(f"the same for {', '.join(others[:MOST_NAMED])}{rest}", "bold dim"))
        )


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
    line = Text(safetext.for_build_log(entry.message)).append(f"  {entry.rule}", "dim")
    row = Table.grid()  # so that a long message goes on below itself
    row.add_column(width=_WORD)
    row.add_column()
    row.add_row(Text(entry.word, _STYLES[entry.rank]), line)
    console.print(Padding(row, (0, 0, 0, 2), expand=False))
    contract_output.print_details(console, entry, 6)


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
    verdict = safetext.for_build_log(report.verdict, 600)
    console.print(Text(verdict, "bold red" if report.exit_code else "bold green"))
    for line in report.notes:
        console.print(terminal.indented(Text(safetext.for_build_log(line, 600), "dim")))
