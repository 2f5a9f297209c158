"""`toolbooth doctor`: find the servers, weigh every tool, show the waste and what to do."""

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from toolbooth.cli.arguments import Parser, add_project, positive, seconds, split_command_line, tokens
from toolbooth.cli.sources import load_sources
from toolbooth.errors import UnknownModel, UserMistake
from toolbooth.safetext import for_terminal
from toolbooth.tokens import DEFAULT_ENCODING, DEFAULT_MODEL, carry_price, check_encoding

if TYPE_CHECKING:
    from toolbooth.catalog.load import LoadedCatalog
    from toolbooth.cli.doctor.report import DoctorReport


EXAMPLES = """\
  toolbooth doctor                                 every MCP client configured on this machine
  toolbooth doctor ~/.cursor/mcp.json              one client's config, whichever client it is
  toolbooth doctor -- npx -y some-mcp-server       one command
  toolbooth doctor https://mcp.example.com/mcp     one remote server
  toolbooth doctor catalog.json --encoding cl100k_base,o200k_base
  toolbooth doctor --list                          what would be weighed, without starting it
  toolbooth doctor .mcp.json --budget 8k --markdown >> "$GITHUB_STEP_SUMMARY"
"""


def parser() -> Parser:
    """The options of the command."""
    made = Parser("doctor", __doc__ or "", EXAMPLES)
    add = made.add_argument
    add(
        "source", nargs="*", help="config or catalog files, folders of catalogs, URLs (default: known places)"
    )
    add("--json", action="store_true", help="the whole diagnosis as JSON")
    add("--markdown", action="store_true", help="a report for a pull request")
    add("--budget", type=tokens, metavar="N",
        help="exit 1 if a client's tools cost more than N tokens, and name the heaviest")  # fmt: skip
    add(
        "--encoding",
        action="append",
        metavar="NAME",
        help=f"one or more, separated by commas (default {DEFAULT_ENCODING})",
    )
    add(
        "--model",
        default=DEFAULT_MODEL,
        metavar="NAME",
        help=f"the model whose price is used (default {DEFAULT_MODEL})",
    )
    add("--save", type=Path, metavar="FILE", help="save the catalog, to weigh or compare it later offline")
    add("--timeout", type=seconds, metavar="S", help="seconds for each server (default 60)")
    add("--top", type=positive, default=15, metavar="N", help="number of tools to show, heaviest first")
    add_project(add)
    add("--list", action="store_true", help="only list what would be weighed: nothing is started")
    add(
        "--forget-trust",
        type=Path,
        metavar="PATH",
        help="ask again about a project's config, or about all below a folder; --list shows those that are trusted",
    )
    made.takes_command()
    return made


def run(words: Sequence[str]) -> int:
    """Weigh and report; the exit code says how it went."""
    typed = split_command_line(words)
    options = parser().parse_args(typed.options)
    if options.json and options.markdown:
        raise UserMistake("choose one of --json and --markdown")
    if options.forget_trust is not None:
        return _forget(options.forget_trust)
    if options.list:
        return _list(options, typed.command)
    encodings = _encodings(options.encoding)
    loaded = load_sources(
        options.source,
        typed.command,
        options.timeout,
        user_only=options.user_only,
        trust_project=options.trust_project,
        used="weighed",
    )
    report = build_report(_with_pins(loaded), encodings, options)
    if options.save:
        from toolbooth.catalog import save_snapshot
        from toolbooth.cli.terminal import wrote

        save_snapshot(loaded.catalog, options.save, loaded.sources.source_errors)
        wrote(options.save)
    return _show(report, options)


def _with_pins(loaded: "LoadedCatalog") -> "LoadedCatalog":
    """Add a note for each name in `always_visible` that no tool has; failed servers are already reported."""
    if not loaded.sources.gateway.always_visible:
        return loaded
    from toolbooth.gateway.offline import ToolRegistry, pin_problems

    registry = ToolRegistry(
        [*(spec.name for spec in loaded.sources.servers), *(each.server for each in loaded.catalog.servers)]
    )
    for offered in loaded.catalog.servers:
        registry.put(offered)
    said = pin_problems(registry, loaded.sources.gateway)
    return replace(loaded, sources=replace(loaded.sources, notes=(*loaded.sources.notes, *said)))


def _list(options: Namespace, command: Sequence[str]) -> int:
    if options.markdown or options.save or options.budget is not None:
        raise UserMistake("--list weighs nothing: leave out --budget, --save and --markdown")
    from toolbooth.catalog.config import trust_none
    from toolbooth.catalog.load import find_sources
    from toolbooth.cli.doctor.server_list import show_list
    from toolbooth.cli.project_trust import stored_trust

    trust = trust_none if options.user_only else stored_trust
    sources = find_sources(options.source, command, trust=trust)
    return show_list(sources, as_json=options.json, user_only=options.user_only)


def _forget(path: Path) -> int:
    from toolbooth.cli.project_trust import stored_projects
    from toolbooth.cli.terminal import out
    from toolbooth.figures import counted

    number = stored_projects().forget(path.expanduser())
    shown = for_terminal(str(path), 400)
    out().print(
        f"forgot {counted(number, 'trusted content')} of {shown}" if number else f"{shown} is not trusted"
    )
    return 0


def _encodings(named: Sequence[str] | None) -> tuple[str, ...]:
    names: list[str] = []
    for text in named or [DEFAULT_ENCODING]:
        found = [name.strip() for name in text.split(",") if name.strip()]
        if not found:
            raise UserMistake(
                f"--encoding {text!r} names none, as in --encoding {DEFAULT_ENCODING},o200k_base"
            )
        names += found
    return tuple(check_encoding(name) for name in dict.fromkeys(names))


def build_report(loaded: "LoadedCatalog", encodings: tuple[str, ...], options: Namespace) -> "DoctorReport":
    """Diagnose, price and judge what was loaded."""
    from toolbooth.cli.doctor.report import DoctorReport, joined_diagnosis, surfaces_of

    caps = loaded.sources.answer_caps
    clients = surfaces_of(loaded, encodings, lambda tool: caps.cap_for(tool)[:2])
    report = DoctorReport(
        joined_diagnosis(clients, loaded.catalog), clients, loaded.sources, None, None, options.budget
    )
    try:
        return replace(report, price=carry_price(report.tokens, options.model))
    except UnknownModel as error:
        return replace(report, price_note=str(error))


def _show(report: "DoctorReport", options: Namespace) -> int:
    if options.json:
        from toolbooth.cli.doctor.formats import as_json
        from toolbooth.cli.terminal import print_json

        print_json(as_json(report))
    elif options.markdown:
        from toolbooth.cli.doctor.formats import print_markdown

        print_markdown(report, options.top)
    else:
        from toolbooth.cli.doctor.tables import print_table

        print_table(report, options.top)
    return report.exit_code
