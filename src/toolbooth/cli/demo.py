"""`toolbooth demo`: the story of a tool surface in a minute, on bundled MCP servers, without keys or network."""

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from toolbooth.cli.arguments import Parser, positive
from toolbooth.cli.doctor import build_report
from toolbooth.cli.doctor_json import as_json
from toolbooth.cli.doctor_report import Report
from toolbooth.cli.doctor_table import print_table
from toolbooth.cli.doctor_words import budget_words
from toolbooth.cli.sources import reach, tell_troubles
from toolbooth.cli.terminal import indented, out, print_json
from toolbooth.demo import DEMO_SERVERS, demo_command
from toolbooth.errors import NothingToWeigh
from toolbooth.tokens import DEFAULT_ENCODING, DEFAULT_MODEL

if TYPE_CHECKING:
    from toolbooth.catalog import Catalog
    from toolbooth.catalog.load import Loaded

EXAMPLES = """\
  toolbooth demo            weigh the bundled servers, search them, and read what to do
  toolbooth demo --json     the diagnosis, for a program
"""
SHOWN_TOOLS = 8
GATE = 4000
WISHES = ("open a new ticket about the login page", "who wrote this line?", "convert euros to dollars")
NEXT = (
    ("toolbooth doctor", "the same for the MCP clients on this machine"),
    ("toolbooth doctor -- npx -y some-mcp-server", "one server, before you install it"),
    (f"toolbooth doctor .mcp.json --budget {GATE}", "a gate for CI: exit 1 above the budget"),
    ('toolbooth search "what you want to do"', "find a tool among all of yours"),
)


def run(words: Sequence[str]) -> int:
    """Start the demo servers for real, weigh and search them, and say what comes next."""
    made = Parser("demo", __doc__ or "", EXAMPLES)
    made.add_argument("--json", action="store_true", help="the whole diagnosis as JSON")
    made.add_argument(
        "--top",
        type=positive,
        default=SHOWN_TOOLS,
        metavar="N",
        help="how many of the heaviest tools to show",
    )
    options = made.parse_args(words)
    loaded = load_demo()
    report = build_report(loaded, (DEFAULT_ENCODING,), Namespace(model=DEFAULT_MODEL, budget=None))
    if options.json:
        print_json(as_json(report))
    else:
        _tell(out(), report, loaded.catalog, options.top)
    return 0


def load_demo() -> "Loaded":
    """Start every bundled server over stdio and list its tools."""
    from toolbooth.catalog import ServerSpec
    from toolbooth.catalog.load import Sources

    commands = {name: demo_command(name) for name in DEMO_SERVERS}
    specs = (
        ServerSpec(name, "stdio", first, tuple(rest), source="the demo")
        for name, (first, *rest) in commands.items()
    )
    loaded = reach(Sources(servers=tuple(specs)))
    tell_troubles(loaded)
    if not loaded.catalog.servers:
        raise NothingToWeigh("no demo server could be started; is the installation whole?")
    return loaded


def _tell(console: Console, report: Report, catalog: "Catalog", top: int) -> None:
    servers = len(report.diagnosis.servers)
    _step(
        console,
        1,
        f"{servers} MCP servers of this package were started over stdio. What an agent pays for them:",
    )
    console.print()
    print_table(report, top)
    console.print()
    _step(console, 2, "An agent need not carry them all: it can ask.")
    _ask(console, catalog)
    console.print()
    _step(console, 3, f"In CI, `--budget {GATE}` would have said:")
    console.print(indented(Text(budget_words(replace(report, budget=GATE)), "bold red")))
    console.print()
    _step(console, 4, "Now yours:")
    for command, why in NEXT:
        console.print(Text(f"  {command:48}", "bold").append(why, "dim"))


def _ask(console: Console, catalog: "Catalog") -> None:
    from toolbooth.search import SearchEngine, brief_line

    engine = SearchEngine.of(catalog)
    for wish in WISHES:
        hits = engine.search(wish, limit=1).hits
        answer = brief_line(hits[0].tool) if hits else "nothing here fits that"
        console.print(indented(Text(f"“{wish}” → ", "cyan").append(answer, "default" if hits else "dim")))


def _step(console: Console, number: int, words: str) -> None:
    console.print(Text(f"{number}. ", "bold cyan").append(words, "bold"))
