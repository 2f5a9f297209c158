"""`toolbooth scan`: search tool definitions for known attacks on models, and with --lint for wasted tokens."""

from argparse import Namespace
from collections.abc import Sequence

from toolbooth import contracts, errors, suggest
from toolbooth.cli import arguments, contract_output, sources, terminal
from toolbooth.cli.scan.report import ScanReport, print_scan, read_all, show_rules
from toolbooth.contracts.lint import lint, lint_rules
from toolbooth.contracts.scan import scan, scan_rules

EXAMPLES = """\
  toolbooth scan                                     the servers of all clients on this machine
  toolbooth scan .mcp.json --fail-on medium          in CI: exit 1 at a medium or high finding
  toolbooth scan -- npx -y some-mcp-server           one command, before you trust it
  toolbooth scan toolbooth.lock                      a lock; no server is started
  toolbooth scan catalogs/ --lint --json             a folder of saved catalogs, and their waste
  toolbooth scan .mcp.json --ignore claims-precedence:webflow.guide --ignore shadowed-name
  toolbooth scan .mcp.json --format github --report sarif:toolbooth.sarif
  toolbooth scan --list-rules                        explain every rule
"""
EXITS = {
    0: "nothing at or above --fail-on",
    1: "a finding at or above --fail-on",
    2: "wrong usage or a broken file, even if nothing was found in the others",
    3: "nothing could be reached, or nothing was found but a server is missing",
}
EVERY_RULE = "*"


def parser() -> arguments.Parser:
    """The options of the command."""
    made = arguments.Parser("scan", __doc__ or "", EXAMPLES, EXITS)
    add = made.add_argument
    add(
        "source",
        nargs="*",
        help="configs, saved catalogs, folders of them, locks, URLs (default: known places)",
    )
    add("--lint", action="store_true", help="also check quality and cost, with the tokens that a fix saves")
    levels = [level.name.lower() for level in sorted(contracts.Level, reverse=True)]
    add("--fail-on", choices=levels, default="high", help="lowest level that exits 1 (default high)")
    add("--rule", action="append", default=[], metavar="ID", help="only this rule; can be repeated")
    add(
        "--ignore",
        action="append",
        default=[],
        metavar="RULE[:SERVER.TOOL]",
        help="ignore a rule, everywhere or for one server or tool; `*` is every rule",
    )
    add("--all", action="store_true", help="show every finding, and notes")
    add("--list-rules", action="store_true", help="explain every rule; nothing is scanned")
    add("--timeout", type=arguments.seconds, metavar="S", help="seconds for each server (default 60)")
    arguments.add_project(add)
    contract_output.add_output(made)
    made.takes_command()
    return made


def run(words: Sequence[str]) -> int:
    """Scan and report."""
    typed = arguments.split_command_line(words)
    options = parser().parse_args(typed.options)
    contract_output.check_output(options)
    _refuse_unknown_rules(options)
    if options.list_rules:
        show_rules(as_json=options.json)
        return 0
    return show(_look(options, typed.command), options)


def show(report: ScanReport, options: Namespace) -> int:
    """Print the findings as our table, or in one of the formats that `lock` also has."""
    return contract_output.deliver(
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
        fail_on=contracts.Level[options.fail_on.upper()],
        linted=options.lint,
    )


def _read(options: Namespace, command: Sequence[str]) -> sources.LiveContracts:
    live = read_all(options, command)
    for source_error in live.source_errors:
        terminal.complain(source_error.where, source_error.reason)
    if not live.contracts.servers and live.wrong_files:
        raise errors.UserMistake(sources.correct_files(live.wrong_files, "scanned"))
    if not live.contracts.servers or live.has_only_empty_catalogs:
        what = "tool" if live.contracts.servers else "server"
        if live.source_errors:
            raise errors.NothingToWeigh(sources.all_failed(len(live.source_errors), "scanned"))
        raise errors.NothingToWeigh(f"nothing can be scanned: no source has a {what}; name another source")
    return live


def _findings(live: sources.LiveContracts, options: Namespace) -> list[contracts.Finding]:
    only = frozenset(options.rule) or None
    found = list(scan(live.contracts, only))
    if options.lint or (only and any(rule.id in only for rule in lint_rules())):
        found += lint(live.contracts, only)
    return list(contracts.worst_first(found))


def _is_ignored(finding: contracts.Finding, word: str) -> bool:
    rule, _, where = word.partition(":")
    return rule in (finding.rule, EVERY_RULE) and where in ("", finding.server, finding.where)


def _refuse_unknown_rules(options: Namespace) -> None:
    known = {rule.id for rule in (*scan_rules(), *lint_rules())}
    for word in (*options.rule, *(word.partition(":")[0] for word in options.ignore)):
        if word not in known and (word != EVERY_RULE or word in options.rule):
            hint = suggest.did_you_mean(word, known, "see `toolbooth scan --list-rules`", alike=40)
            raise errors.UserMistake(f"unknown rule {word!r}; {hint}")
