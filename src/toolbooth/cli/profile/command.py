"""`toolbooth profile`: what tool definitions and answers cost, what limits them, and how to reduce them."""

from argparse import ArgumentTypeError, Namespace
from collections.abc import Sequence
from pathlib import Path

from toolbooth import economics, errors
from toolbooth.catalog import LoadedCatalog, Sources
from toolbooth.cli import arguments, contract_output
from toolbooth.cli.profile import formats, measured, tables
from toolbooth.cli.profile.report import ProfileGate, ProfileReport
from toolbooth.cli.sources import load_sources

RISKS = tuple(map(str, economics.Risk))
EXAMPLES = """\
  toolbooth profile                                every MCP client configured on this machine
  toolbooth profile .mcp.json --fail-on high       in CI: exit 1 if a tool's answers may flood the context
  toolbooth profile -- npx -y some-mcp-server      one command
  toolbooth profile catalog.json toolbooth.yaml    a saved catalog with the caps of your toolbooth.yaml
  toolbooth profile .mcp.json --answers recorded/  estimates compared with recorded answers
  toolbooth profile --server github --top 50       one server
  toolbooth profile .mcp.json --format markdown    recommendations for a pull request

numbers with ≈ are estimates from the fields in an output schema or a recorded answer. All other numbers are counted:
definitions exactly, answers from the gateway's ledger or --answers. A tool's risk is the worse of estimate and
measurement, unless toolbooth.yaml limits its answers. A tool of unknown size has no risk, so it passes --fail-on; use
--fail-on-unbounded to fail on it.
"""
EXITS = {
    1: "the gate failed",
    2: "wrong usage or a broken file, even if the rest passes the gate",
    3: "nothing could be reached, or a server is down, so that the gate cannot be checked",
}


def parser() -> arguments.Parser:
    """The options of the command."""
    made = arguments.Parser("profile", __doc__ or "", EXAMPLES, EXITS)
    add = made.add_argument
    add(
        "source", nargs="*", help="config or catalog files, folders of catalogs, URLs (default: known places)"
    )
    add("--fail-on", choices=RISKS, help="exit 1 if a tool has this risk or worse, and name it")
    add(
        "--fail-on-unbounded",
        action="store_true",
        help="exit 1 if nothing limits a tool's answers, and name it",
    )
    add("--answers", type=Path, action="append", default=[], metavar="PATH",
        help="recorded calls: a file or folder of {server, tool, result}, cassettes or other traces")  # fmt: skip
    add(
        "--since",
        type=arguments.since,
        metavar="WHEN",
        help="only calls in the ledger since then: 24h, 7d, a date",
    )
    add("--no-ledger", action="store_true", help="ignore what the gateway measured on this machine")
    add("--thresholds", type=thresholds, metavar="A,B,C", default=None,
        help="highest tokens for low, medium and high risk (default 1000,4000,8000)")  # fmt: skip
    add("--server", metavar="NAME", help="only this server; no other one is started")
    add(
        "--top",
        type=arguments.positive,
        default=15,
        metavar="N",
        help="number of tools and recommendations to show (default 15)",
    )
    arguments.add_project(add)
    add("--timeout", type=arguments.seconds, metavar="S", help="seconds for each server (default 60)")
    contract_output.add_output(made)
    made.takes_command()
    return made


def thresholds(text: str) -> economics.Thresholds:
    """`1000,4000,8000`: three numbers that rise."""
    parts = text.split(",")
    if len(parts) != 3:
        raise ArgumentTypeError(f"{text!r} is not three numbers; try 1000,4000,8000")
    try:
        return economics.Thresholds(*map(arguments.tokens, parts))
    except errors.InvalidBound as error:
        raise ArgumentTypeError(str(error)) from None


def run(words: Sequence[str]) -> int:
    """Profile and report."""
    typed = arguments.split_command_line(words)
    options = parser().parse_args(typed.options)
    contract_output.check_output(options)
    if options.no_ledger and options.since is not None:
        raise errors.UserMistake("choose one of --since, which filters the ledger, and --no-ledger")
    loaded = _load(options, typed.command)
    report = build_report(loaded, options)
    return contract_output.deliver(
        formats.contract_report(report, options.source),
        options,
        lambda: tables.print_profile(report, options.top),
    )


def build_report(loaded: LoadedCatalog, options: Namespace) -> ProfileReport:
    """Combine estimates with measurements, and apply the gate."""
    limits = options.thresholds or economics.DEFAULT_THRESHOLDS
    catalog, caps = loaded.catalog, loaded.sources.answer_caps
    ledger = (
        measured.MeasuredAnswers({})
        if options.no_ledger
        else measured.from_ledger(catalog, limits, options.since)
    )
    recorded = (
        measured.from_answers(catalog, limits, options.answers)
        if options.answers
        else measured.MeasuredAnswers({})
    )
    # Recorded calls that the user names take precedence; the ledger fills in tools without any.
    seen = {**ledger.by_tool, **recorded.by_tool}
    profile = economics.profile_catalog(catalog, seen, lambda tool: caps.cap_for(tool)[:2], limits)
    gate = ProfileGate(
        economics.Risk(options.fail_on) if options.fail_on else None, options.fail_on_unbounded
    )
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
        raise errors.UserMistake(f"no server {name!r} here; the servers are {', '.join(known) or 'none'}")
    return sources.only([name])
