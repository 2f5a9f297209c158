"""`toolbooth bench tokens`: what each way to offer the tools costs, in the menu and in a session, and where it pays."""

from argparse import Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING

from toolbooth.cli.arguments import Parser, split_command_line
from toolbooth.cli.bench.output import add_output, deliver, exit_code, new_report
from toolbooth.cli.bench.sources import add_questions, add_tools, maybe_pair_of, noted

if TYPE_CHECKING:
    from toolbooth.bench import Corpus, Pair
    from toolbooth.bench.report import TokensSection


EXAMPLES = """\
  toolbooth bench tokens                              the built-in tools and questions
  toolbooth bench tokens .mcp.json                    the servers of a config
  toolbooth bench tokens -- npx -y some-mcp-server    one command
  toolbooth bench tokens --catalog corpus.json --golden golden.json
  toolbooth bench tokens --catalog corpus.json --encoding o200k_base --json

modes: baseline (every definition as the servers send it) · direct_slim (all of them, schemas without their noise) ·
       retrieve_tools (find, then call) · code_execution (find, then call from Python) · full (every built-in tool)
"""


def parser() -> Parser:
    """The options of the subcommand."""
    made = Parser("bench tokens", __doc__ or "", EXAMPLES)
    add = made.add_argument
    add_tools(add)
    add_questions(add)
    add("--encoding", metavar="NAME", help="the encoding to count tokens in (default cl100k_base)")
    add_output(add)
    made.takes_command()
    return made


def run(words: Sequence[str]) -> int:
    """Measure and report."""
    typed = split_command_line(words)
    options = parser().parse_args(typed.options)
    _encoding(options)  # refuse an unknown name before servers are started
    measured = maybe_pair_of(options, typed.command)
    section = section_of(measured, options, typed.command)

    def show() -> None:
        from toolbooth.cli.bench.tokens_table import print_tokens

        print_tokens(section)

    report = new_report(measured, tokens=section)
    deliver(report, section, options, show)
    return exit_code(report)


def section_of(
    measured: "Corpus | Pair",
    options: Namespace,
    command: Sequence[str],  # noqa: ARG001
) -> "TokensSection":
    """The section, also as part of a whole benchmark."""
    from toolbooth.bench.tokens import measure_tokens
    from toolbooth.cli.bench.output import status_line

    with status_line("weighing the tools") as progress:
        return noted(measure_tokens(measured, _encoding(options), progress), measured)


def _encoding(options: Namespace) -> str:
    from toolbooth.tokens import DEFAULT_ENCODING, check_encoding

    named: str = getattr(options, "encoding", None) or DEFAULT_ENCODING
    check_encoding(named)
    return named
