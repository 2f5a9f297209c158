"""`toolbooth demo`: the story of a tool surface in a minute, on bundled MCP servers, without keys or network."""

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from toolbooth.cli.arguments import Parser
from toolbooth.cli.doctor import build_report, reach, tell_troubles
from toolbooth.cli.doctor_json import as_json
from toolbooth.cli.doctor_report import Report
from toolbooth.cli.doctor_table import print_table
from toolbooth.cli.doctor_words import budget_words
from toolbooth.cli.terminal import out, print_json
from toolbooth.demo import DEMO_SERVERS, demo_command
from toolbooth.errors import NothingToWeigh
from toolbooth.tokens import DEFAULT_ENCODING, DEFAULT_MODEL

EXAMPLES = """\
  toolbooth demo            weigh the bundled servers and read what to do
  toolbooth demo --json     the same, for a program
"""
SHOWN_TOOLS = 8
GATE = 4000
NEXT = (
    ("toolbooth doctor", "the same for the MCP clients on this machine"),
    ("toolbooth doctor -- npx -y some-mcp-server", "one server, before you install it"),
    (f"toolbooth doctor .mcp.json --budget {GATE}", "a gate for CI: exit 1 above the budget"),
)


def run(words: Sequence[str]) -> int:
    """Start the demo servers for real, weigh them, and say what comes next."""
    made = Parser("demo", __doc__ or "", EXAMPLES)
    made.add_argument("--json", action="store_true", help="the whole diagnosis as JSON")
    options = made.parse_args(words)
    report = weigh_demo()
    if options.json:
        print_json(as_json(report))
        return 0
    _tell(out(), report)
    return 0


def weigh_demo() -> Report:
    """The report on the bundled servers."""
    from toolbooth.catalog import ServerSpec
    from toolbooth.catalog.load import Sources

    commands = {name: demo_command(name) for name in DEMO_SERVERS}
    specs = tuple(
        ServerSpec(name, "stdio", command[0], tuple(command[1:]), source="the demo")
        for name, command in commands.items()
    )
    loaded = reach(Sources(servers=specs))
    tell_troubles(loaded)
    if not loaded.catalog.servers:
        raise NothingToWeigh("no demo server could be started; is the installation whole?")
    return build_report(loaded, (DEFAULT_ENCODING,), Namespace(model=DEFAULT_MODEL, budget=None))


def _tell(console: Console, report: Report) -> None:
    count = len(report.diagnosis.servers)
    _step(
        console,
        1,
        f"{count} MCP servers of this package were started over stdio. What an agent pays for them:",
    )
    print_table(report, SHOWN_TOOLS)
    console.print()
    _step(console, 2, f"In CI, `--budget {GATE}` would have said:")
    console.print(
        Padding(Text(budget_words(replace(report, budget=GATE)), "bold red"), (0, 0, 0, 2), expand=False)
    )
    console.print()
    _step(console, 3, "Now yours:")
    for command, why in NEXT:
        console.print(Text(f"  {command:48}", "bold").append(why, "dim"))


def _step(console: Console, number: int, words: str) -> None:
    console.print(Text(f"{number}. ", "bold cyan").append(words, "bold"))
    if number == 1:
        console.print()
