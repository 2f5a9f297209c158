"""`toolbooth doctor`: find your MCP servers, weigh every tool, and suggest savings."""

from argparse import ArgumentTypeError, Namespace
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from toolbooth import catalog, errors, figures, gateway, safetext, suggest, tokens
from toolbooth.catalog.config import trust_none
from toolbooth.cli import arguments, project_trust, terminal
from toolbooth.cli.doctor import client_output, client_turn, formats, server_list, tables
from toolbooth.cli.doctor.report import DoctorReport, joined_diagnosis, surfaces_of
from toolbooth.cli.sources import load_sources

EXAMPLES = """\
  toolbooth doctor                                 every MCP client configured on this machine
  toolbooth doctor ~/.cursor/mcp.json              one client's config, whichever client it is
  toolbooth doctor -- npx -y some-mcp-server       one command
  toolbooth doctor https://mcp.example.com/mcp     one remote server
  toolbooth doctor catalog.json --encoding cl100k_base,o200k_base
  toolbooth doctor --list                          list what would be weighed; nothing is started
  toolbooth doctor --client claude-code            as that client really sends them
  toolbooth doctor .mcp.json --budget 8k --markdown >> "$GITHUB_STEP_SUMMARY"
"""
EXITS = {
    1: "over budget",
    2: "wrong usage or a broken file, even if the rest is within the budget",
    3: "nothing could be reached, or a server is down, so that the budget cannot be checked",
}


def parser() -> arguments.Parser:
    """The options of the command."""
    made = arguments.Parser("doctor", __doc__ or "", EXAMPLES, EXITS)
    add = made.add_argument
    add(
        "source", nargs="*", help="config or catalog files, folders of catalogs, URLs (default: known places)"
    )
    add("--json", action="store_true", help="the whole diagnosis as JSON")
    add("--markdown", action="store_true", help="a report for a pull request")
    add(
        "--client",
        type=_profile,
        metavar="NAME",
        help="what this client's model is sent at the first turn: "
        f"{', '.join(profile.key for profile in catalog.PROFILES)}",
    )
    add("--budget", type=arguments.tokens, metavar="N",
        help="exit 1 if a client's tools cost more than N tokens, and name the heaviest")  # fmt: skip
    add(
        "--encoding",
        action="append",
        metavar="NAME",
        help=f"encodings for token counts, separated by commas (default {tokens.DEFAULT_ENCODING})",
    )
    add(
        "--model",
        default=tokens.DEFAULT_MODEL,
        metavar="NAME",
        help=f"model whose price is used (default {tokens.DEFAULT_MODEL})",
    )
    add("--save", type=Path, metavar="FILE", help="save the catalog, to weigh or compare it offline later")
    add("--timeout", type=arguments.seconds, metavar="S", help="seconds for each server (default 60)")
    add(
        "--top",
        type=arguments.positive,
        default=15,
        metavar="N",
        help="number of tools to show, heaviest first",
    )
    arguments.add_project(add)
    add("--list", action="store_true", help="only list what would be weighed; nothing is started")
    add(
        "--forget-trust",
        type=Path,
        metavar="PATH",
        help="stop trusting a project's config, or all below a folder; --list shows the trusted ones",
    )
    made.takes_command()
    return made


def _profile(written: str) -> catalog.ClientProfile:
    found = catalog.profile_named(written)
    if found is None:
        keys = [profile.key for profile in catalog.PROFILES]
        hint = suggest.did_you_mean(written, keys, f"choose one of {', '.join(keys)}")
        raise ArgumentTypeError(f"{safetext.for_terminal(written, 40)!r} is not a known client; {hint}")
    return found


def run(words: Sequence[str]) -> int:
    """Weigh and report."""
    typed = arguments.split_command_line(words)
    options = parser().parse_args(typed.options)
    if options.json and options.markdown:
        raise errors.UserMistake("choose one of --json and --markdown")
    if options.client and options.markdown:
        raise errors.UserMistake("--client has no Markdown; choose --json, or leave one of them out")
    if options.forget_trust is not None:
        return _forget(options.forget_trust)
    if options.list:
        return _list(options, typed.command)
    encodings = _encodings(options.encoding)
    own = options.client if not options.source and not typed.command else None
    loaded = load_sources(
        options.source,
        typed.command,
        options.timeout,
        user_only=options.user_only,
        trust_project=options.trust_project,
        chosen=(lambda sources: client_turn.only_of(own, sources)) if own else None,
        used="weighed",
    )
    if options.save:
        catalog.save_snapshot(loaded.catalog, options.save, loaded.sources.source_errors)
        terminal.wrote(options.save)
    if options.client:
        return _show_client(
            client_turn.client_report(options.client, loaded, encodings[0], options.budget), options
        )
    return _show(build_report(_with_pins(loaded), encodings, options), options)


def _with_pins(loaded: catalog.LoadedCatalog) -> catalog.LoadedCatalog:
    """Add a note for each name in `always_visible` that no tool has; failed servers are already reported."""
    if not loaded.sources.gateway.always_visible:
        return loaded

    registry = gateway.ToolRegistry(
        [*(spec.name for spec in loaded.sources.servers), *(each.server for each in loaded.catalog.servers)]
    )
    for offered in loaded.catalog.servers:
        registry.put(offered)
    said = gateway.pin_problems(registry, loaded.sources.gateway)
    return replace(loaded, sources=replace(loaded.sources, notes=(*loaded.sources.notes, *said)))


def _list(options: Namespace, command: Sequence[str]) -> int:
    if options.markdown or options.save or options.client or options.budget is not None:
        raise errors.UserMistake("--list weighs nothing; leave out --budget, --save, --client and --markdown")
    trust = trust_none if options.user_only else project_trust.stored_trust
    sources = catalog.find_sources(options.source, command, trust=trust)
    return server_list.show_list(sources, as_json=options.json, user_only=options.user_only)


def _forget(path: Path) -> int:
    number = project_trust.stored_projects().forget(path.expanduser())
    shown = safetext.for_terminal(str(path), 400)
    terminal.out().print(
        f"no longer trusted: {shown} ({figures.counted(number, 'version')})"
        if number
        else f"{shown} was not trusted"
    )
    return 0


def _encodings(named: Sequence[str] | None) -> tuple[str, ...]:
    names: list[str] = []
    for text in named or [tokens.DEFAULT_ENCODING]:
        found = [name.strip() for name in text.split(",") if name.strip()]
        if not found:
            raise errors.UserMistake(
                f"--encoding {text!r} has no name; try --encoding {tokens.DEFAULT_ENCODING},o200k_base"
            )
        names += found
    return tuple(tokens.check_encoding(name) for name in dict.fromkeys(names))


def build_report(
    loaded: catalog.LoadedCatalog, encodings: tuple[str, ...], options: Namespace
) -> DoctorReport:
    """Diagnose the loaded tools, and apply price and budget."""
    caps = loaded.sources.answer_caps
    clients = surfaces_of(loaded, encodings, lambda tool: caps.cap_for(tool)[:2])
    report = DoctorReport(
        joined_diagnosis(clients, loaded.catalog), clients, loaded.sources, None, None, options.budget
    )
    try:
        return replace(report, price=tokens.carry_price(report.tokens, options.model))
    except errors.UnknownModel as error:
        return replace(report, price_note=str(error))


def _show_client(report: client_turn.ClientReport, options: Namespace) -> int:
    if options.json:
        terminal.print_json(client_output.as_json(report))
    else:
        client_output.print_table(report, options.top)
    return report.exit_code


def _show(report: DoctorReport, options: Namespace) -> int:
    if options.json:
        terminal.print_json(formats.as_json(report))
    elif options.markdown:
        formats.print_markdown(report, options.top)
    else:
        tables.print_table(report, options.top)
    return report.exit_code
