"""`toolbooth demo`: a one-minute tour on bundled MCP servers; needs no keys and no network."""

import json
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from toolbooth.cli import arguments, sources, terminal
from toolbooth.cli.doctor import formats, tables
from toolbooth.cli.doctor.command import build_report
from toolbooth.cli.doctor.report import DoctorReport
from toolbooth.cli.doctor.words import budget_words
from toolbooth.figures import counted, number
from toolbooth.safetext import for_terminal
from toolbooth.suite.reporters import CellReport, SuiteReport, run_bytes
from toolbooth.tokens import DEFAULT_ENCODING, DEFAULT_MODEL

if TYPE_CHECKING:
    from toolbooth.cli.demo.runs import GatewayCall, GatewayDemo

EXAMPLES = """\
  toolbooth demo            weigh the bundled servers, and use them through the gateway
  toolbooth demo --json     the diagnosis and the gateway calls as JSON
"""
SHOWN_TOOLS = 8
SHOWN_LINES = 4  # of an answer; a longer one is shown as the beginning of one line
SHOWN_ANSWER, SHOWN_FAT = 160, 1200  # characters
GATE = 4000
NEXT = (
    ("toolbooth doctor", "the same for your own MCP clients"),
    ("toolbooth wrap cursor", "move its servers behind the gateway"),
    ("toolbooth unwrap cursor", "move them back, byte for byte"),
    ("toolbooth doctor -- npx -y some-mcp-server", "weigh it before you install it"),
    (f"toolbooth doctor .mcp.json --budget {GATE}", "a gate for CI: exit 1 above the budget"),
    ("toolbooth init .mcp.json", "a first suite for your servers; then `toolbooth test`"),
    ("toolbooth stats", "what the gateway saved, and which tools flood the context"),
    ('toolbooth search "what you want to do"', "find the right tool among all of yours"),
)


def parser() -> arguments.Parser:
    """The options of the command."""
    made = arguments.Parser("demo", __doc__ or "", EXAMPLES, {3: "no demo server could be started"})
    add = made.add_argument
    add("--json", action="store_true", help="the whole demo as JSON")
    add(
        "--top",
        type=arguments.positive,
        default=SHOWN_TOOLS,
        metavar="N",
        help=f"number of tools to show, heaviest first (default {SHOWN_TOOLS})",
    )
    return made


def run(words: Sequence[str]) -> int:
    """Start the demo servers, weigh them, use them through the gateway, and show the next steps."""
    options = parser().parse_args(list(words))
    from toolbooth.cli.demo.runs import run_gateway_demo, run_suite

    demo = run_gateway_demo()
    sources.print_source_errors(demo.loaded)
    suite = run_suite()
    report = build_report(demo.loaded, (DEFAULT_ENCODING,), Namespace(model=DEFAULT_MODEL, budget=None))
    if options.json:
        terminal.print_json(
            {**formats.as_json(report), "gateway": _as_json(demo), "suite": _suite_json(suite)}
        )
    else:
        _print_tour(terminal.out(), report, demo, suite, options.top)
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


def _suite_json(suite: SuiteReport) -> Any:
    return json.loads(run_bytes(suite))["cells"]


def _print_tour(
    console: Console, report: DoctorReport, demo: "GatewayDemo", suite: SuiteReport, top: int
) -> None:
    servers = len(report.diagnosis.servers)
    _step(
        console,
        1,
        f"{servers} bundled MCP servers were started over stdio. This is what an agent pays for them:",
    )
    console.print()
    tables.print_table(report, top)
    console.print()
    _print_gateway(console, report, demo)
    console.print()
    _print_fat_answer(console, demo)
    console.print()
    _print_code(console, demo)
    console.print()
    _print_suite(console, suite)
    console.print()
    _step(console, 6, f"In CI, `doctor --budget {GATE}` would print:")
    console.print(terminal.indented(Text(budget_words(replace(report, budget=GATE)), "bold red")))
    console.print()
    _step(console, 7, "Now try your own servers:")
    steps = Table.grid(padding=(0, 2))
    steps.add_column(no_wrap=True)
    for command, why in NEXT:
        steps.add_row(Text(f"  {command}", "bold"), Text(why, "dim"))
    console.print(steps)


def _print_gateway(console: Console, report: DoctorReport, demo: "GatewayDemo") -> None:
    tools, tokens = len(report.diagnosis.tools), number(report.diagnosis.total_tokens)
    menu = counted(len(demo.menu), "tool")
    _step(
        console,
        2,
        f"Behind the gateway, `toolbooth serve`, an agent sees {menu} instead of {tools}: {demo.menu_tokens} tokens "
        f"instead of {tokens}. This is what it just did with them:",
    )
    for each in (*demo.task, demo.not_here):
        console.print()
        _print_exchange(console, each)
    console.print()
    console.print(terminal.indented(_sum(demo, tools)))


def _print_fat_answer(console: Console, demo: "GatewayDemo") -> None:
    tokens, saved = number(demo.fat.tokens), number(demo.fat_tokens)
    _step(
        console,
        3,
        f"A query that is too broad gets an answer of {tokens} tokens instead of {saved}. Nothing is lost: the rest "
        "is one short call away.",
    )
    for each in (demo.fat, demo.read):
        console.print()
        _print_exchange(console, each, SHOWN_FAT)


def _print_code(console: Console, demo: "GatewayDemo") -> None:
    _step(
        console,
        4,
        f"With `--surface code` an agent writes Python instead: {demo.code_calls} calls at once. They returned "
        f"{number(demo.code_tokens)} tokens; the agent reads {number(demo.code.tokens)}.",
    )
    console.print()
    console.print(terminal.indented(Text(str(demo.code.arguments["code"]).rstrip(), "cyan")))
    console.print(terminal.indented(Text(for_terminal(demo.code.answer, SHOWN_FAT))))


def _print_suite(console: Console, suite: SuiteReport) -> None:
    from toolbooth.cli.demo.runs import SHOWN

    _step(
        console,
        5,
        "Does an agent still find the right tool? A suite checks it in CI, from recordings or live:",
    )
    console.print()
    console.print(terminal.indented(Text(SHOWN.rstrip(), "cyan")))
    console.print()
    for cell in suite.cells:
        console.print(terminal.indented(_cell_line(cell)))


def _cell_line(cell: CellReport) -> Text:
    each, paid = (cell.figure(name) for name in ("tokens_per_correct", "paid_tokens_per_correct"))
    line = Text(f"{cell.key.surface}: {cell.status}", "bold green" if cell.status == "passed" else "bold red")
    line.append(f", F1 {cell.figure('f1') or 0:g}", "not bold default")
    if each is not None and paid is not None:
        menu, all_of_it = number(round(each)), number(round(paid))
        costs = f"; each right choice cost {menu} tokens of menu, {all_of_it} with the whole conversation"
        line.append(costs, "not bold default")
    return line


def _sum(demo: "GatewayDemo", tools: int) -> Text:
    """The cost of the task: every model call includes the menu and all earlier answers."""
    through, without = number(demo.task_tokens), number(demo.task_tokens_without)
    calls, fewest = len(demo.task) + 1, 2
    return Text(f"The ticket took {through} tokens", "bold green").append(
        f" of menu, instructions and answers over {calls} model calls, including the wrong guess. With all {tools} "
        f"tools in the menu, {fewest} calls would have taken {without}.",
        "not bold default",
    )


def _print_exchange(console: Console, exchange: "GatewayCall", most: int = SHOWN_ANSWER) -> None:
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
