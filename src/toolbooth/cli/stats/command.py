"""`toolbooth stats`: what went through the gateway, what it cost, what it saved, and which tools flood."""

import os
import sys
from argparse import ArgumentTypeError, Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toolbooth.cli.arguments import Parser, positive, since
from toolbooth.errors import UserMistake

if TYPE_CHECKING:
    from toolbooth.gateway.ledger.storage import LedgerReader, Stats


EXAMPLES = """\
  toolbooth stats                          everything that the ledger still knows: 90 days at most
  toolbooth stats --since 24h              the last day; also 30m, 7d, 2w, 2026-11-01, 2026-11-01T09:30
  toolbooth stats --risk                   which tools flood the context, and the lines that stop them
  toolbooth stats --recent 20              the last calls, one line each
  toolbooth stats --model openai:gpt-5     dollars at another model's price
  toolbooth stats --since 7d --json        the same for a program

every call through `toolbooth serve` is one row of the ledger: its tool, time, sizes and outcome, never what it said.
"""


def parser() -> Parser:
    """The options of the command."""
    made = Parser("stats", __doc__ or "", EXAMPLES)
    add = made.add_argument
    add("--since", type=since, metavar="WHEN", help="only calls from then on: 24h, 7d, a date, a time")
    add("--session", type=_session, metavar="ID", help="only calls of this session, as --recent names it")
    add("--top", type=positive, default=15, metavar="N", help="how many tools to show (default 15)")
    add(
        "--risk", action="store_true", help="the tools whose answers flood, and what to put in toolbooth.yaml"
    )
    add("--recent", type=positive, metavar="N", help="the last N calls instead of sums")
    add("--model", metavar="NAME", help="the model whose price is used, as in doctor")
    add("--json", action="store_true", help="the whole account as JSON")
    return made


def _session(text: str) -> str:
    if len(text) != 12 or not set(text) <= set("0123456789abcdef"):
        raise ArgumentTypeError(f"{text!r} is not a session ID; `toolbooth stats --recent 20` lists some")
    return text


def run(words: Sequence[str]) -> int:
    """Read the ledger and show; that it is empty is an answer, too (exit 0)."""
    options = parser().parse_args(list(words))
    if options.risk and options.recent:
        raise UserMistake("choose one of --risk and --recent")
    from toolbooth.files import data_folder
    from toolbooth.gateway.ledger.storage import LedgerReader

    reader = LedgerReader(data_folder(Path.home(), os.environ, sys.platform))
    if options.recent:
        _recent(reader, options)
    else:
        _show_totals(reader, options)
    return 0


def _recent(reader: "LedgerReader", options: Namespace) -> None:
    rows = reader.recent(options.recent, options.since, options.session)
    if options.json:
        _print_json(reader, options, {"recent": [row.as_json() for row in rows]})
    elif rows:
        from toolbooth.cli.stats.tables import print_recent

        print_recent(rows)
    else:
        _say_empty(reader, options)


def _show_totals(reader: "LedgerReader", options: Namespace) -> None:
    stats = reader.stats(options.since, options.session, options.model, medians=options.risk)
    if options.json:
        _print_json(reader, options, {**stats.as_json(), **(_risk_json(stats) if options.risk else {})})
    elif not stats.totals.rows:
        _say_empty(reader, options)
    elif options.risk:
        from toolbooth.cli.stats.risk import print_risk

        print_risk(stats, options.top)
    else:
        from toolbooth.cli.stats.tables import print_stats

        print_stats(stats, options.top)


def _risk_json(stats: "Stats") -> dict[str, Any]:
    from toolbooth.cli.stats.risk import risk_json

    return {"risk": risk_json(stats)}


def _print_json(reader: "LedgerReader", options: Namespace, document: dict[str, Any]) -> None:
    from toolbooth import __version__
    from toolbooth.cli.terminal import print_json
    from toolbooth.gateway.ledger.storage import moment

    asked = {"since": None if options.since is None else moment(options.since), "session": options.session}
    print_json({"toolbooth": __version__, "ledger": str(reader.path), **asked, **document})


def _say_empty(reader: "LedgerReader", options: Namespace) -> None:
    from toolbooth.cli.terminal import out

    if (options.since is not None or options.session) and reader.recent(1):
        out().print("no calls match; there are some without --since and --session")
    else:
        out().print(
            "no calls yet: each call through `toolbooth serve` becomes a row; `toolbooth wrap` puts a client behind it"
        )
