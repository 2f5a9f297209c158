"""`toolbooth bench`: token reduction, retrieval quality and latency, repeatable by anyone, with a gate for CI."""

from argparse import ArgumentTypeError, Namespace
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from toolbooth import bench, errors, suggest, tokens
from toolbooth.bench.report import BenchReport
from toolbooth.cli.arguments import Parser, split_command_line
from toolbooth.cli.bench import output, sources
from toolbooth.cli.bench.report import print_markdown, print_report

EXAMPLES = """\
  toolbooth bench                                         the built-in corpus: tokens, retrieval, latency
  toolbooth bench --output report                         the same, and writes report/report.json and report/report.html
  toolbooth bench --catalog corpus.json --golden golden.json --only tokens,retrieval
  toolbooth bench --markdown >> "$GITHUB_STEP_SUMMARY"
  toolbooth bench tokens .mcp.json                        what your own servers cost in each mode
  toolbooth bench retrieval --catalog corpus.json --golden golden.json --against bm25
  toolbooth bench retrieval --baseline baseline.json      exit 1 if recall fell too far
  toolbooth bench latency                                 search, list, calls and starts, compared with direct calls
  toolbooth bench growth --catalog catalog.json           50 to 100,000 tools
  toolbooth bench live http://127.0.0.1:8808 --golden golden.json
  toolbooth bench record .mcp.json --output corpus.json   save the tools of real servers as a corpus
  toolbooth bench report report/report.json               the tables of a stored report; --html FILE writes its page

`toolbooth bench NAME --help` explains each.
"""
EXITS = {
    1: "the gate failed",
    3: "nothing could be reached, or a measurement ended early",
    130: "interrupted; what was measured so far is shown",
}
SUBCOMMANDS: Final = {
    "tokens": "what each way of offering the tools costs",
    "retrieval": "how well the right tools are found",
    "latency": "how long search, lists, calls and starts take",
    "growth": "what grows with the catalog, up to 100,000 tools",
    "live": "a running gateway, or any MCP endpoint",
    "record": "save the tools of real servers as a corpus",
    "report": "show a stored report again",
}
SECTIONS: Final = ("tokens", "retrieval", "latency", "growth")
DEFAULT: Final = ("tokens", "retrieval", "latency")


def parser() -> Parser:
    """The options of `bench` without a subcommand."""
    words = "\n".join(f"  {name:11}{what}" for name, what in SUBCOMMANDS.items())
    made = Parser("bench", __doc__ or "", f"{EXAMPLES}\nsubcommands:\n{words}\n", EXITS)
    sources.add_tools(made.add_argument)
    sources.add_questions(made.add_argument)
    made.add_argument(
        "--only",
        type=_sections,
        default=(),
        metavar="LIST",
        help=f"a part of {','.join(SECTIONS)} (default {','.join(DEFAULT)}; retrieval only with questions)",
    )
    made.add_argument("--baseline", metavar="FILE", help="an earlier report; exit 1 if recall fell too far")
    made.add_argument("--encoding", metavar="NAME", help="encoding for token counts (default cl100k_base)")
    output.add_output(made.add_argument)
    made.add_argument("--markdown", action="store_true", help="tables for a pull request")
    made.takes_command()
    return made


def _sections(text: str) -> tuple[str, ...]:
    asked = tuple(dict.fromkeys(word.strip() for word in text.split(",")))
    for word in asked:
        if word not in SECTIONS:
            raise ArgumentTypeError(f"{word!r} is not one of {', '.join(SECTIONS)}")
    return asked


def run(words: Sequence[str]) -> int:
    """Run one subcommand, or measure all sections into one report."""
    if words and words[0] in SUBCOMMANDS:
        return int(import_module(f"toolbooth.cli.bench.{words[0]}").run(words[1:]))
    typed = split_command_line(words)
    options = parser().parse_args(typed.options)
    _refuse_misspelled_subcommand(options.config)
    if options.json and options.markdown:
        raise errors.UserMistake("choose one of --json and --markdown")
    if options.encoding:
        tokens.check_encoding(options.encoding)
    report = _measure(options, typed.command)
    output.deliver(report, report, options, lambda: _show(report, options.markdown))
    return output.exit_code(report)


def _refuse_misspelled_subcommand(named: Sequence[str]) -> None:
    """A word that is not a file but resembles a subcommand is probably a misspelled subcommand."""
    for word in named[:1]:
        meant = suggest.did_you_mean(word, SUBCOMMANDS, form="`toolbooth bench {}`")
        if meant and not Path(word).exists():
            raise errors.UserMistake(f"no file {word!r}; {meant}")


def _measure(options: Namespace, command: Sequence[str]) -> BenchReport:
    measured = sources.maybe_pair_of(options, command)
    asked = options.only or _default(measured)
    _check(options, asked, measured)
    sections: dict[str, Any] = {}
    failed: list[errors.ToolboothError] = []
    partial: list[str] = []
    for name in (each for each in SECTIONS if each in asked):
        module = import_module(f"toolbooth.cli.bench.{name}")
        try:
            sections[name] = module.section_of(measured, options, command)
        except errors.ToolboothError as error:  # keep what the other sections found
            failed.append(error)
            partial.append(f"{name}: {error}")
        except KeyboardInterrupt:
            if not sections:
                raise
            partial.append(f"{name}: interrupted")
            break
    if failed and not sections:
        raise failed[0]
    ended = [(name, getattr(section, "partial", "")) for name, section in sections.items()]
    partial += (f"{name}: {why}" for name, why in ended if why)
    return output.new_report(measured, partial=tuple(partial), **sections)


def _check(options: Namespace, asked: Sequence[str], measured: bench.Corpus | bench.Pair) -> None:
    """Refuse wrong usage before anything is measured."""
    if options.baseline and "retrieval" not in asked:
        raise errors.UserMistake("--baseline needs retrieval; name the questions with --golden FILE")
    if "retrieval" in asked and isinstance(measured, bench.Corpus):
        raise errors.UserMistake("retrieval needs questions; name them with --golden FILE")
    if options.baseline:
        bench.read_baseline(Path(options.baseline))


def _default(measured: bench.Corpus | bench.Pair) -> tuple[str, ...]:
    """Retrieval needs questions; it is left out where there are none."""
    return tuple(name for name in DEFAULT if name != "retrieval" or not isinstance(measured, bench.Corpus))


def _show(report: BenchReport, as_markdown: bool) -> None:
    show = print_markdown if as_markdown else print_report
    show(report)
