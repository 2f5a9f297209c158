"""`toolbooth diff`: what changed between two locks, catalogs, configs, versions of a server, or a lock and now."""

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from toolbooth.cli.arguments import Parser, add_project, seconds
from toolbooth.errors import CannotCheck, UserMistake

if TYPE_CHECKING:
    from toolbooth.cli.diff.sides import Sides
    from toolbooth.contracts import Diff, Finding
    from toolbooth.contracts.reporting import ContractReport


SEVERITIES = ("breaking", "risky", "safe", "cosmetic")
EXAMPLES = """\
  toolbooth diff old.lock new.lock                   two locks; no server is started
  toolbooth diff toolbooth.lock                      the lock and the servers of the configs that are found
  toolbooth diff toolbooth.lock --config .mcp.json   the lock and the servers of this config
  toolbooth diff before.json after.json              two saved catalogs, or two configs
  toolbooth diff -- npx -y server@1.2 -- npx -y server@1.3       two versions of a server
  toolbooth diff time.lock -- uvx mcp-server-time    a lock and one command
  toolbooth diff old.lock new.lock --severity breaking --json
  toolbooth diff old.lock new.lock --budget growth=10%

exit codes: 0 nothing at or above --fail-on · 1 something, or a changed text has a high finding · 2 the two could not
            be compared: a file is damaged, or a server is down
"""


def parser() -> Parser:
    """The options of the command."""
    from toolbooth.cli.contract_output import add_output

    made = Parser("diff", __doc__ or "", EXAMPLES)
    add = made.add_argument
    add("side", nargs="*", help="before and after: a lock, a saved catalog, a config or a URL each")
    add(
        "--config",
        action="append",
        default=[],
        metavar="FILE",
        help="beside one lock: whose servers to compare it with (default: known places)",
    )
    add(
        "--fail-on",
        choices=SEVERITIES,
        default="risky",
        help="the lowest severity that exits 1 (default risky)",
    )
    add(
        "--severity", choices=SEVERITIES, default="cosmetic", help="the lowest severity to show (default all)"
    )
    add(
        "--budget",
        action="append",
        default=[],
        metavar="WHAT=N",
        help="total=N, server:NAME=N, tool:SERVER.TOOL=N, answer:SERVER.TOOL=N, growth=P%% or N; off removes it",
    )
    add("--timeout", type=seconds, metavar="S", help="seconds for each server (default 60)")
    add_project(add)
    add_output(made)
    made.takes_command()
    made.usage = f"{made.usage} [-- COMMAND ...]"
    return made


def run(words: Sequence[str]) -> int:
    """Load both sides, compare and report them; the exit code depends on --fail-on."""
    from toolbooth.cli.contract_output import check_output, deliver
    from toolbooth.cli.diff.sides import commands_of, load_sides
    from toolbooth.contracts import Budgets, with_limits

    typed = list(words)
    at = typed.index("--") if "--" in typed else len(typed)
    options = parser().parse_args(typed[:at])
    check_output(options)
    with_limits(Budgets(), options.budget)
    commands = commands_of(typed[at:], len(options.side))
    _refuse_wrong_number(options, len(options.side) + len(commands))
    sides = load_sides(options, commands)
    diff = _diff(sides, options.budget)
    report = _report(sides, diff, options)
    return deliver(report, options, partial(_show, report, sides))


def _show(report: "ContractReport", sides: "Sides") -> None:
    """The table for people; JSON is also written if one side has no servers."""
    from toolbooth.cli.diff.table import print_diff

    if sides.silent:
        raise CannotCheck(f"nothing to compare in {sides.silent}: it could not be used")
    print_diff(report, sides)


def _refuse_wrong_number(options: Namespace, number: int) -> None:
    if options.config and (number != 1 or not options.side):
        raise UserMistake("--config goes with one lock: `toolbooth diff toolbooth.lock --config .mcp.json`")
    if number == 0:
        raise UserMistake("name what to compare: two files, one lock, or two commands, as --help shows")
    if number > 2:
        raise UserMistake(f"{number} sides are named; a diff has two: before and after")


def _diff(sides: "Sides", budgets: Sequence[str]) -> "Diff":
    from toolbooth.contracts import with_limits
    from toolbooth.contracts.diff import diff_contracts

    return diff_contracts(sides.before.contracts, sides.after.contracts, with_limits(sides.budgets, budgets))


def _report(sides: "Sides", diff: "Diff", options: Namespace) -> "ContractReport":
    from toolbooth.cli.contract_output import named_files, repository
    from toolbooth.contracts import Severity, changed_findings, unaccepted
    from toolbooth.contracts.reporting import ContractReport, file_locations, lock_locations, tokens_moved

    findings = changed_findings(sides.before.contracts, sides.after.contracts)
    found = diff.at_least(Severity[options.fail_on.upper()]) or unaccepted(findings, ())
    code = 2 if sides.source_errors else int(bool(found))
    shown = diff.at_least(Severity[options.severity.upper()])
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
        locations=lock_locations(lock, repository())
        if lock
        else file_locations(named_files(options.side), repository()),
        more={"before": sides.before.name, "after": sides.after.name},
    )


def _verdict(sides: "Sides", diff: "Diff", findings: "Sequence[Finding]") -> str:
    from toolbooth.cli.lock.words import found_words
    from toolbooth.contracts.reporting import severity_words

    both = f"{sides.before.name} → {sides.after.name}"
    if sides.source_errors:
        names = ", ".join(dict.fromkeys(source_error.where for source_error in sides.source_errors))
        return f"{both} could not be compared as a whole: {names} could not be asked"
    said = severity_words(diff) if diff.changes else "no meaningful changes"
    return f"{both}: {', '.join(filter(None, (said, found_words(findings))))}"


def _accepted_since(sides: "Sides") -> list[str]:
    """Acceptances that are new in the second lock: who, when and why."""
    known = sides.before.accepted
    return [str(each) for each in sides.after.accepted if each not in known]


def _left_out(number: int, severity: str) -> list[str]:
    return [f"{number:,} below {severity} left out by --severity"] if number else []
