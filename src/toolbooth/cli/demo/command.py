"""`toolbooth demo`: the story of a tool surface in a minute, on bundled MCP servers, without keys or network."""

import json
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from toolbooth.cli.arguments import Parser, positive
from toolbooth.cli.doctor.command import build_report
from toolbooth.cli.doctor.formats import as_json
from toolbooth.cli.doctor.report import DoctorReport
from toolbooth.cli.doctor.tables import print_table
from toolbooth.cli.doctor.words import budget_words
from toolbooth.cli.sources import print_source_errors
from toolbooth.cli.terminal import indented, out, print_json
from toolbooth.figures import counted, number
from toolbooth.safetext import for_terminal
from toolbooth.tokens import DEFAULT_ENCODING, DEFAULT_MODEL

if TYPE_CHECKING:
    from toolbooth.cli.demo.runs import GatewayCall, GatewayDemo
    from toolbooth.suite.reporters import CellReport, SuiteReport


EXAMPLES = """\
  toolbooth demo            weigh the bundled servers, use them through the gateway, and read what to do
  toolbooth demo --json     the diagnosis and what happened at the gateway, for a program
"""
SHOWN_TOOLS = 8
SHOWN_LINES = 4  # of an answer; a longer one is shown as the beginning of one line
SHOWN_ANSWER, SHOWN_FAT = 160, 1200  # characters
GATE = 4000
NEXT = (
    ("toolbooth doctor", "the same for your own MCP clients"),
    ("toolbooth wrap cursor", "its servers behind the gateway"),
    ("toolbooth unwrap cursor", "and back, byte for byte"),
    ("toolbooth doctor -- npx -y some-mcp-server", "weigh it before you install it"),
    (f"toolbooth doctor .mcp.json --budget {GATE}", "a gate for CI: exit 1 above it"),
    ("toolbooth init .mcp.json", "a first suite for your servers; then `toolbooth test`"),
    ("toolbooth stats", "what the gateway saved, and which tools flood"),
    ('toolbooth search "what you want to do"', "find a tool among all of yours"),
)


def parser() -> Parser:
    """The options of the command."""
    made = Parser("demo", __doc__ or "", EXAMPLES)
    add = made.add_argument
    add("--json", action="store_true", help="all of it as JSON")
    add(
        "--top",
        type=positive,
        default=SHOWN_TOOLS,
        metavar="N",
        help=f"number of tools to show, heaviest first (default {SHOWN_TOOLS})",
    )
    return made


def run(words: Sequence[str]) -> int:
    """Start the demo servers for real, weigh them, use them through the gateway, and say what comes next."""
    options = parser().parse_args(list(words))
    from toolbooth.cli.demo.runs import run_gateway_demo, run_suite

    demo = run_gateway_demo()
    print_source_errors(demo.loaded)
    suite = run_suite()
    report = build_report(demo.loaded, (DEFAULT_ENCODING,), Namespace(model=DEFAULT_MODEL, budget=None))
    if options.json:
        print_json({**as_json(report), "gateway": _as_json(demo), "suite": _suite_json(suite)})
    else:
        _tell(out(), report, demo, suite, options.top)
    return 0


def _as_json(demo: "GatewayDemo") -> dict[str, Any]:
    return {
        "menu": list(demo.menu),
        "menu_tokens": demo.menu_tokens,
        "instructions_tokens": demo.instructions_tokens,
        "task": [each._asdict() for each in demo.task],
        "task_tokens": demo.task_tokens,
        "task_tokens_without": demo.task_tokens_without,
        "not_here": demo.not_here._asdict(),
        "fat": demo.fat._asdict(),
        "fat_tokens": demo.fat_tokens,
        "read": demo.read._asdict(),
        "code": demo.code._asdict(),
        "code_calls": demo.code_calls,
        "code_tokens": demo.code_tokens,
    }


def _suite_json(suite: "SuiteReport") -> Any:
    from toolbooth.suite.reporters import run_bytes

    return json.loads(run_bytes(suite))["cells"]


def _tell(
    console: Console, report: DoctorReport, demo: "GatewayDemo", suite: "SuiteReport", top: int
) -> None:
    servers = len(report.diagnosis.servers)
    _step(
        console,
        1,
        f"{servers} MCP servers of this package were started over stdio. What an agent pays for them:",
    )
    console.print()
    print_table(report, top)
    console.print()
    _tell_gateway(console, report, demo)
    console.print()
    _tell_fat_answer(console, demo)
    console.print()
    _tell_code(console, demo)
    console.print()
    _tell_suite(console, suite)
    console.print()
    _step(console, 6, f"In CI, `doctor --budget {GATE}` would have said:")
    console.print(indented(Text(budget_words(replace(report, budget=GATE)), "bold red")))
    console.print()
    _step(console, 7, "Now yours:")
    steps = Table.grid(padding=(0, 2))
    steps.add_column(no_wrap=True)
    for command, why in NEXT:
        steps.add_row(Text(f"  {command}", "bold"), Text(why, "dim"))
    console.print(steps)


def _tell_gateway(console: Console, report: DoctorReport, demo: "GatewayDemo") -> None:
    tools, tokens = len(report.diagnosis.tools), number(report.diagnosis.total_tokens)
    menu = counted(len(demo.menu), "tool")
    _step(
        console,
        2,
        f"Behind the gateway, `toolbooth serve`, an agent sees {menu} instead of {tools}: {demo.menu_tokens} tokens "
        f"instead of {tokens}. What it does with them, just now:",
    )
    for each in (*demo.task, demo.not_here):
        console.print()
        _tell_exchange(console, each)
    console.print()
    console.print(indented(_sum(demo, tools)))


def _tell_fat_answer(console: Console, demo: "GatewayDemo") -> None:
    tokens, saved = number(demo.fat.tokens), number(demo.fat_tokens)
    _step(
        console,
        3,
        f"A query that is too wide is answered with {tokens} tokens instead of {saved}, and nothing is lost: the rest "
        "is one short call away.",
    )
    for each in (demo.fat, demo.read):
        console.print()
        _tell_exchange(console, each, SHOWN_FAT)


def _tell_code(console: Console, demo: "GatewayDemo") -> None:
    _step(
        console,
        4,
        f"With `--surface code` an agent writes Python instead: {demo.code_calls} calls in one go, of whose "
        f"{number(demo.code_tokens)} tokens it reads {number(demo.code.tokens)}.",
    )
    console.print()
    console.print(indented(Text(str(demo.code.arguments["code"]).rstrip(), "cyan")))
    console.print(indented(Text(for_terminal(demo.code.answer, SHOWN_FAT))))


def _tell_suite(console: Console, suite: "SuiteReport") -> None:
    from toolbooth.cli.demo.runs import SHOWN

    _step(
        console,
        5,
        "Does an agent still find the right tool? A suite says so, in CI, from recordings or for real:",
    )
    console.print()
    console.print(indented(Text(SHOWN.rstrip(), "cyan")))
    console.print()
    for cell in suite.cells:
        console.print(indented(_cell_line(cell)))


def _cell_line(cell: "CellReport") -> Text:
    each, paid = (cell.figure(name) for name in ("tokens_per_correct", "paid_tokens_per_correct"))
    line = Text(f"{cell.key.surface}: {cell.status}", "bold green" if cell.status == "passed" else "bold red")
    line.append(f", F1 {cell.figure('f1') or 0:g}", "not bold default")
    if each is not None and paid is not None:
        menu, all_of_it = number(round(each)), number(round(paid))
        costs = f"; each right choice cost {menu} tokens of menu, {all_of_it} with all that was said"
        line.append(costs, "not bold default")
    return line


def _sum(demo: "GatewayDemo", tools: int) -> Text:
    """The cost of the task: every model call includes the menu and all earlier answers."""
    through, without = number(demo.task_tokens), number(demo.task_tokens_without)
    calls, fewest = len(demo.task) + 1, 2
    return Text(f"The ticket took {through} tokens", "bold green").append(
        f" of menu, instructions and answers over {calls} model calls, the wrong guess among them; with all {tools} "
        f"tools in view, {fewest} calls would have taken {without}.",
        "not bold default",
    )


def _tell_exchange(console: Console, exchange: "GatewayCall", most: int = SHOWN_ANSWER) -> None:
    words = for_terminal(json.dumps(exchange.arguments, ensure_ascii=False), 400)
    lines = exchange.answer.splitlines()
    shown = (
        [for_terminal(line, most) for line in lines]
        if len(lines) <= SHOWN_LINES
        else [for_terminal(exchange.answer, most)]
    )
    answer = Text("\n".join(shown), "yellow" if exchange.is_error else "default")
    grid = Table.grid(padding=(0, 1))
    grid.add_column()
    grid.add_column(overflow="fold")
    grid.add_row(Text("  →", "cyan"), Text(exchange.tool, "bold cyan").append(f" {words}", "not bold cyan"))
    grid.add_row("", answer.append(f" · {counted(exchange.tokens, 'token')}", "dim default"))
    console.print(grid)


def _step(console: Console, at: int, words: str) -> None:
    console.print(Text(f"{at}. ", "bold cyan").append(words, "bold"))
