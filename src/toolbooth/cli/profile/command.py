"""`toolbooth profile`: what definitions weigh, what answers may cost and did cost, what bounds them, what to do."""

from argparse import ArgumentTypeError, Namespace
from collections.abc import Sequence
from pathlib import Path

from toolbooth.catalog.load import LoadedCatalog, Sources
from toolbooth.cli.arguments import Parser, add_project, positive, seconds, since, split_command_line, tokens
from toolbooth.cli.contract_output import add_output, check_output, deliver
from toolbooth.cli.profile.formats import contract_report
from toolbooth.cli.profile.measured import MeasuredAnswers, from_answers, from_ledger
from toolbooth.cli.profile.report import ProfileGate, ProfileReport
from toolbooth.cli.profile.tables import print_profile
from toolbooth.cli.sources import load_sources
from toolbooth.economics import DEFAULT_THRESHOLDS, Risk, Thresholds, profile_catalog
from toolbooth.errors import InvalidBound, UserMistake

RISKS = ("low", "medium", "high", "critical")
EXAMPLES = """\
  toolbooth profile                                every MCP client configured on this machine
  toolbooth profile .mcp.json --fail-on high       fail in CI on a tool whose answers may flood
  toolbooth profile -- npx -y some-mcp-server      one command
  toolbooth profile catalog.json toolbooth.yaml    a saved catalog, with the caps of your toolbooth.yaml
  toolbooth profile .mcp.json --answers recorded/  estimates beside recorded answers, and how far they are off
  toolbooth profile --server github --top 50       one server
  toolbooth profile .mcp.json --format markdown    recommendations for a pull request; SARIF and annotations, too

numbers with ≈ are estimates, from the fields that an output schema (or a recorded answer) names; all others are
counted: definitions exactly, and answers where the gateway's ledger or --answers knows some. A tool's risk is the
worse of both, unless toolbooth.yaml bounds its answers. A tool of unknown size has no risk and passes --fail-on;
that nothing bounds it is a fact, on which --fail-on-unbounded fails.

exit codes: 0 success · 1 the gate failed · 2 wrong usage · 3 nothing, or not all that a gate is for, was reached
"""


def parser() -> Parser:
    """The options of the command."""
    made = Parser("profile", __doc__ or "", EXAMPLES)
    add = made.add_argument
    add(
        "source", nargs="*", help="config or catalog files, folders of catalogs, URLs (default: known places)"
    )
    add("--fail-on", choices=RISKS, help="fail (exit 1) on tools of this risk or worse, and name them")
    add(
        "--fail-on-unbounded", action="store_true", help="fail (exit 1) on tools whose answers nothing bounds"
    )
    add("--answers", type=Path, action="append", default=[], metavar="PATH",
        help="recorded calls: a file or a folder of {server, tool, result}, cassettes or other traces")  # fmt: skip
    add("--since", type=since, metavar="WHEN", help="of the ledger, only calls from then on: 24h, 7d, a date")
    add("--no-ledger", action="store_true", help="leave out what the gateway measured on this machine")
    add("--thresholds", type=thresholds, metavar="A,B,C", default=None,
        help="tokens up to which risk is low, medium, high (default 1000,4000,8000)")  # fmt: skip
    add("--server", metavar="NAME", help="only this server; no other is started")
    add("--top", type=positive, default=15, metavar="N", help="how many tools, and lines of advice, to show")
    add_project(add)
    add("--timeout", type=seconds, metavar="S", help="seconds for each server (default 60)")
    add_output(made)
    made.takes_command()
    return made


def thresholds(text: str) -> Thresholds:
    """`1000,4000,8000`: three numbers that rise."""
    parts = text.split(",")
    if len(parts) != 3:
        raise ArgumentTypeError(f"{text!r} is not three numbers, as in 1000,4000,8000")
    try:
        return Thresholds(*map(tokens, parts))
    except InvalidBound as error:
        raise ArgumentTypeError(str(error)) from None


def run(words: Sequence[str]) -> int:
    """Profile and report; the exit code says how it went."""
    typed = split_command_line(words)
    options = parser().parse_args(typed.options)
    check_output(options)
    if options.no_ledger and options.since is not None:
        raise UserMistake("--since is of the ledger, which --no-ledger leaves out; choose one")
    loaded = _load(options, typed.command)
    report = build_report(loaded, options)
    return deliver(
        contract_report(report, options.source), options, lambda: print_profile(report, options.top)
    )


def build_report(loaded: LoadedCatalog, options: Namespace) -> ProfileReport:
    """Combine estimates with measurements, and apply the gate."""
    limits = options.thresholds or DEFAULT_THRESHOLDS
    catalog, caps = loaded.catalog, loaded.sources.answer_caps
    ledger = MeasuredAnswers({}) if options.no_ledger else from_ledger(catalog, limits, options.since)
    recorded = from_answers(catalog, limits, options.answers) if options.answers else MeasuredAnswers({})
    # Recorded calls that the user names take precedence; the ledger fills in tools without any.
    seen = {**ledger.by_tool, **recorded.by_tool}
    profile = profile_catalog(catalog, seen, lambda tool: caps.cap_for(tool)[:2], limits)
    gate = ProfileGate(Risk(options.fail_on) if options.fail_on else None, options.fail_on_unbounded)
    return ProfileReport(profile, loaded.sources, (*ledger.notes, *recorded.notes), gate)


def _load(options: Namespace, command: Sequence[str]) -> LoadedCatalog:
    def chosen(sources: Sources) -> Sources:
        return _only(sources, options.server) if options.server else sources

    return load_sources(
        options.source,
        command,
        options.timeout,
        user_only=options.user_only,
        trust_project=options.trust_project,
        chosen=chosen,
        used="profiled",
    )


def _only(sources: Sources, name: str) -> Sources:
    known = sources.server_names
    if name not in known:
        raise UserMistake(f"there is no server {name!r} here; there are {', '.join(known) or 'none'}")
    return sources.only([name])
