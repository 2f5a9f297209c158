"""`toolbooth scan`: look through definitions for known words of attacks on models, and with --lint for waste."""

from argparse import Namespace
from collections.abc import Sequence

from toolbooth.cli.arguments import Parser, add_project, seconds, split_command_line
from toolbooth.cli.contract_output import add_output, check_output, deliver
from toolbooth.cli.scan.report import ScanReport, print_scan, read_all, show_rules
from toolbooth.cli.sources import LiveContracts, missing_files
from toolbooth.cli.terminal import complain
from toolbooth.contracts import Finding, Level, worst_first
from toolbooth.contracts.lint import lint, lint_rules
from toolbooth.contracts.scan import scan, scan_rules
from toolbooth.errors import NothingToWeigh, UserMistake
from toolbooth.suggest import did_you_mean

EXAMPLES = """\
  toolbooth scan                                     every server of the clients on this machine
  toolbooth scan .mcp.json --fail-on medium          in CI: exit 1 at anything medium or high
  toolbooth scan -- npx -y some-mcp-server           one command, before you trust it
  toolbooth scan toolbooth.lock                      what was locked, without starting a server
  toolbooth scan catalogs/ --lint --json             a folder of saved catalogs, and what they waste
  toolbooth scan .mcp.json --ignore claims-precedence:webflow.guide --ignore shadowed-name
  toolbooth scan .mcp.json --format github --report sarif:toolbooth.sarif
  toolbooth scan --list-rules                        what is looked for, and why

exit codes: 0 nothing at or above --fail-on · 1 something is · 2 wrong usage · 3 nothing could be reached, or
            nothing was found while a server or a file could not be read
"""
EVERY_RULE = "*"


def parser() -> Parser:
    """The options of the command."""
    made = Parser("scan", __doc__ or "", EXAMPLES)
    add = made.add_argument
    add(
        "source",
        nargs="*",
        help="configs, saved catalogs, folders of them, locks, URLs (default: known places)",
    )
    add("--lint", action="store_true", help="also quality and cost: each finding with the tokens it is about")
    levels = [level.name.lower() for level in sorted(Level, reverse=True)]
    add("--fail-on", choices=levels, default="high", help="the lowest level that exits 1 (default high)")
    add("--rule", action="append", default=[], metavar="ID", help="only this rule; may be given again")
    add(
        "--ignore",
        action="append",
        default=[],
        metavar="RULE[:SERVER.TOOL]",
        help="leave out a rule, everywhere or for one server or tool; `*` is every rule",
    )
    add("--all", action="store_true", help="show notes, too, and every finding")
    add("--list-rules", action="store_true", help="explain every rule, and look at nothing")
    add("--timeout", type=seconds, metavar="S", help="seconds for each server (default 60)")
    add_project(add)
    add_output(made)
    made.takes_command()
    return made


def run(words: Sequence[str]) -> int:
    """Look and report; the exit code says how it went."""
    typed = split_command_line(words)
    options = parser().parse_args(typed.options)
    check_output(options)
    _refuse_unknown_rules(options)
    if options.list_rules:
        show_rules(as_json=options.json)
        return 0
    return show(_look(options, typed.command), options)


def show(report: ScanReport, options: Namespace) -> int:
    """Findings in the format that was asked for: our own table for a person, else one of those that `lock` has, too."""
    return deliver(
        report.as_report(options.source), options, lambda: print_scan(report, everything=options.all)
    )


def _look(options: Namespace, command: Sequence[str]) -> ScanReport:
    live = _read(options, command)
    found = _findings(live, options)
    kept = [finding for finding in found if not any(_is_ignored(finding, word) for word in options.ignore)]
    return ScanReport(
        live=live,
        findings=tuple(kept),
        ignored=len(found) - len(kept),
        fail_on=Level[options.fail_on.upper()],
        linted=options.lint,
    )


def _read(options: Namespace, command: Sequence[str]) -> LiveContracts:
    live = read_all(options, command)
    for source_error in live.source_errors:
        complain(source_error.where, source_error.reason)
    if not live.contracts.servers:
        if missing_files(live.source_errors):
            raise UserMistake("name an existing file, a URL, or a command after `--`")
        raise NothingToWeigh(
            "nothing could be scanned: no source has a server; name another source, or fix these"
        )
    return live


def _findings(live: LiveContracts, options: Namespace) -> list[Finding]:
    only = frozenset(options.rule) or None
    found = list(scan(live.contracts, only))
    if options.lint or (only and any(rule.id in only for rule in lint_rules())):
        found += lint(live.contracts, only)
    return list(worst_first(found))


def _is_ignored(finding: Finding, word: str) -> bool:
    rule, _, where = word.partition(":")
    return rule in (finding.rule, EVERY_RULE) and where in ("", finding.server, finding.where)


def _refuse_unknown_rules(options: Namespace) -> None:
    known = {rule.id for rule in (*scan_rules(), *lint_rules())}
    for word in (*options.rule, *(word.partition(":")[0] for word in options.ignore)):
        if word not in known and (word != EVERY_RULE or word in options.rule):
            hint = did_you_mean(word, known, "see `toolbooth scan --list-rules`", alike=40)
            raise UserMistake(f"there is no rule {word!r}; {hint}")
