"""`toolbooth stats`: what went through the gateway, what it cost, what it saved, and which tools flood the context."""

import os
import sys
from argparse import ArgumentTypeError, Namespace
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from rich.text import Text

from toolbooth import __version__, economics, errors, figures, files, safetext, store
from toolbooth.cli import arguments, terminal
from toolbooth.cli.stats.tables import print_recent, print_stats

EXAMPLES = """\
  toolbooth stats                          everything in the ledger, at most 90 days
  toolbooth stats --since 24h              the last day; also 30m, 7d, 2w, 2026-11-01, 2026-11-01T09:30
  toolbooth stats --risk                   tools that flood the context, and the config that stops them
  toolbooth stats --recent 20              the last calls, one per line
  toolbooth stats --model openai:gpt-5     dollars at another model's price
  toolbooth stats --since 7d --json        the same as JSON

the ledger has one row for each call through `toolbooth serve`: tool, time, sizes and outcome, never the content.
"""


def parser() -> arguments.Parser:
    """The options of the command."""
    made = arguments.Parser("stats", __doc__ or "", EXAMPLES, {3: "the ledger cannot be read"})
    add = made.add_argument
    add(
        "--since", type=arguments.since, metavar="WHEN", help="only calls since then: 24h, 7d, a date, a time"
    )
    add("--session", type=_session, metavar="ID", help="only calls of this session; --recent lists them")
    add(
        "--principal",
        metavar="ID",
        help="only calls of this principal, as --json names it; local is this user",
    )
    add("--top", type=arguments.positive, default=15, metavar="N", help="how many tools to show (default 15)")
    add(
        "--risk",
        action="store_true",
        help="the tools that flood the context, and what to add to toolbooth.yaml",
    )
    add("--recent", type=arguments.positive, metavar="N", help="the last N calls instead of totals")
    add("--model", metavar="NAME", help="model whose price is used, as in doctor")
    add("--json", action="store_true", help="all totals as JSON")
    return made


def _session(text: str) -> str:
    if len(text) != 12 or not set(text) <= set("0123456789abcdef"):
        raise ArgumentTypeError(f"{text!r} is not a session ID; `toolbooth stats --recent 20` lists some")
    return text


def run(words: Sequence[str]) -> int:
    """Read the ledger and show it; an empty ledger is exit 0, too."""
    options = parser().parse_args(list(words))
    if options.risk and options.recent:
        raise errors.UserMistake("choose one of --risk and --recent")
    ledger = store.read_ledger(_folder())
    if options.recent:
        _recent(ledger, options)
    else:
        _show_totals(ledger, options)
    if not options.json and (why := off_because()) is not None:
        terminal.out().print(
            terminal.indented(Text(f"the ledger is off ({why}): new calls are not recorded", "dim"))
        )
    return 0


def off_because() -> str | None:
    """What switches the ledger off: the environment, or the user's own config. None if it is on."""
    if store.is_switched_off(os.environ):
        return f"{store.LEDGER_VARIABLE}={safetext.for_terminal(os.environ[store.LEDGER_VARIABLE], 20)}"
    if not _mentions_ledger():
        return None
    from toolbooth import catalog

    settings = catalog.gateway_sources([], os.environ, Path.cwd()).gateway
    return "`ledger: off` in toolbooth.yaml" if settings.ledger == "off" else None


def _mentions_ledger() -> bool:
    """Reading configs as the gateway does takes 50 ms: longer than all else, and needed by few."""
    folders = [Path(os.environ[name]) for name in ("XDG_CONFIG_HOME", "APPDATA") if os.environ.get(name)]
    for folder in (*folders, Path.home() / ".config"):
        with suppress(OSError):
            if b"ledger" in (folder / "toolbooth" / "toolbooth.yaml").read_bytes():
                return True
    return False


def _folder() -> Path:
    return files.data_folder(Path.home(), os.environ, sys.platform)


def _chosen(options: Namespace, limit: int | None = None) -> store.RowFilter:
    return store.RowFilter(options.since, session=options.session, principal=options.principal, limit=limit)


def _recent(ledger: store.ReadableLedger, options: Namespace) -> None:
    rows = ledger.rows(_chosen(options, options.recent))
    if options.json:
        _print_json(options, {"recent": [row.as_json() for row in rows]})
    elif rows:
        print_recent(rows)
    else:
        _say_empty(ledger, options)


def _show_totals(ledger: store.ReadableLedger, options: Namespace) -> None:
    stats = ledger.statistics(_chosen(options), options.model, medians=options.risk)
    if options.json:
        _print_json(options, {**stats.as_json(), **(_risk_json(stats) if options.risk else {})})
    elif not stats.totals.rows:
        _say_empty(ledger, options)
    elif options.risk:
        print_risk(stats, options.top)
    else:
        print_stats(stats, options.top)


def _risk_json(stats: store.Stats) -> dict[str, Any]:
    return {"risk": risk_json(stats)}


def _print_json(options: Namespace, document: dict[str, Any]) -> None:
    asked = {
        "since": None if options.since is None else store.moment(options.since),
        "session": options.session,
        "principal": options.principal,
    }
    path = str(_folder() / store.LEDGER_FILE)
    off = off_because()
    terminal.print_json({"toolbooth": __version__, "ledger": path, "off": off, **asked, **document})


def _say_empty(ledger: store.ReadableLedger, options: Namespace) -> None:
    chosen = options.since is not None or options.session or options.principal
    if chosen and ledger.rows(store.RowFilter(limit=1)):
        terminal.out().print("no calls match; leave out --since, --session and --principal to see others")
    else:
        terminal.out().print(
            "no calls yet; `toolbooth wrap` puts a client behind the gateway, which records its calls"
        )


CAP: Final = economics.flood_cap()


def flooding(stats: store.Stats) -> list[store.ToolStats]:
    """Servers' tools with answers of a high or critical risk, as sent; the most often first."""
    found = [each for each in stats.tools if each.kind == "call" and each.floods]
    return sorted(found, key=lambda each: (-each.floods, -each.worst, each.id))


def still_floods(tool: store.ToolStats) -> bool:
    """Whether such an answer also reached a client; if not, reduction has already cut it."""
    return tool.worst_after > economics.DEFAULT_THRESHOLDS.medium


def yaml_lines(tools: list[store.ToolStats]) -> list[str]:
    """The lines to put in toolbooth.yaml."""
    capped = [each for each in tools if still_floods(each)]
    return (
        ["tools:", *(f"  {economics.cap_line(economics.tool_pattern(each.id), CAP)}" for each in capped)]
        if capped
        else []
    )


def risk_json(stats: store.Stats) -> dict[str, Any]:
    """The risks as JSON."""
    tools = flooding(stats)
    return {
        "tools": [
            {
                "tool": each.id,
                "answers": sum(each.risks.values()),
                "floods": each.floods,
                "risks": dict(each.risks),
                "advisory": each.advisory,
                "median_tokens": each.median,
                "worst_tokens": each.worst,
                "worst_tokens_after": each.worst_after,
                "still_floods": still_floods(each),
            }
            for each in tools
        ],
        "toolbooth_yaml": "".join(f"{line}\n" for line in yaml_lines(tools)),
    }


def print_risk(stats: store.Stats, top: int) -> None:
    """Who floods how often and how badly; then the lines for toolbooth.yaml."""
    console, tools = terminal.out(), flooding(stats)
    if not tools:
        worst = max((each.worst for each in stats.tools if each.kind == "call"), default=0)
        console.print(
            Text(
                f"no tool floods the context; the largest answer had {figures.number(worst)} tokens", "green"
            )
        )
        return
    limits = (
        f"over {figures.number(economics.DEFAULT_THRESHOLDS.medium)} tokens (critical: "
        f"{figures.number(economics.DEFAULT_THRESHOLDS.high)})"
    )
    console.print(Text(f"{figures.counted(len(tools), 'tool')} with answers {limits}", "bold"))
    console.print()
    left_out = terminal.left_out_words(
        terminal.print_columns(console, _columns(tools[:top]), console.width), console.width
    )
    if len(tools) > top:
        console.print(Text(f"  … and {figures.number(len(tools) - top)} more (--top N shows more)", "dim"))
    if left_out:
        console.print(terminal.indented(Text(left_out, "dim")))
    console.print()
    lines = yaml_lines(tools)
    if not lines:
        console.print(
            terminal.indented(
                Text("all of them were cut before they reached a client; there is nothing to do", "green")
            )
        )
        return
    console.print(
        terminal.indented(Text("add to toolbooth.yaml; `read_result` still returns what is cut", "dim"))
    )
    for line in lines:
        console.print(Text(f"  {line}"), soft_wrap=True)


def _columns(tools: list[store.ToolStats]) -> list[terminal.Column]:
    return [
        terminal.Column(
            "  tool", "name", [Text("  " + safetext.for_terminal(each.id, 60)) for each in tools]
        ),
        terminal.Column(
            "floods",
            "number",
            [f"{figures.number(each.floods)} of {figures.number(each.calls)}" for each in tools],
        ),
        terminal.Column("critical", "number", [_critical(each) for each in tools], 1, "red"),
        terminal.Column("median", "number", [figures.number(each.median or 0) for each in tools], 2),
        terminal.Column("worst", "number", [figures.number(each.worst) for each in tools], style="bold"),
        terminal.Column("worst answer", "number", [_reached(each) for each in tools]),
    ]


def _critical(tool: store.ToolStats) -> str:
    return figures.number(tool.risks["critical"]) if "critical" in tool.risks else ""


def _reached(tool: store.ToolStats) -> Text:
    return Text(figures.number(tool.worst_after), "red" if still_floods(tool) else "green")
