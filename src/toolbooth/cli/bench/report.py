"""`toolbooth bench report`: the tables of a stored report, or its page."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toolbooth.cli.arguments import Parser
from toolbooth.safetext import for_terminal

if TYPE_CHECKING:
    from toolbooth.bench.report import BenchReport


EXAMPLES = """\
  toolbooth bench report report/report.json                    the tables, as they were shown
  toolbooth bench report report/report.json --html page.html   one page for people, from the same figures
  toolbooth bench report report/report.json --json             checked, and printed again
"""


def parser() -> Parser:
    """The options of the subcommand."""
    made = Parser("bench report", __doc__ or "", EXAMPLES)
    made.add_argument("report", metavar="REPORT.json", help="what `toolbooth bench --output DIR` wrote")
    made.add_argument("--html", metavar="FILE", help="write the page there instead of printing tables")
    formats = made.add_mutually_exclusive_group()
    formats.add_argument("--json", action="store_true", help="the whole report as JSON")
    formats.add_argument("--markdown", action="store_true", help="tables for a pull request")
    return made


def run(words: Sequence[str]) -> int:
    """Render; the exit code is that of the run itself."""
    from toolbooth.bench.report import read_report
    from toolbooth.cli.bench.output import exit_code

    options = parser().parse_args(list(words))
    report = read_report(Path(options.report))
    if options.html:
        _write_page(report, Path(options.html))
    if options.json:
        from toolbooth.bench.report import report_json
        from toolbooth.cli.terminal import print_json

        print_json(report_json(report))
    elif options.markdown:
        print_markdown(report)
    elif not options.html:
        print_report(report)
    return exit_code(report)


def _write_page(report: "BenchReport", path: Path) -> None:
    from toolbooth.cli.terminal import wrote
    from toolbooth.files import write_atomically
    from toolbooth.web import bench_page

    write_atomically(path, bench_page(report).encode("utf-8", "backslashreplace"))
    wrote(path)


def print_markdown(report: "BenchReport") -> None:
    """For a pull request."""
    from toolbooth.cli.bench.markdown import markdown

    sys.stdout.write(markdown(report))


def print_report(report: "BenchReport") -> None:
    """What was measured, then the tables of each section that is there."""
    from rich.text import Text

    from toolbooth.cli.terminal import out

    console = out()
    console.print(Text(_heading(report), style="bold"))
    for why in _reasons_without_section(report):
        console.print(Text(f"partial: {for_terminal(why, 300)}", style="red"))
    for section, show in _sections(report):
        if section is not None:
            console.print()
            show(section)


def _reasons_without_section(report: "BenchReport") -> list[str]:
    """Reasons why the report is partial that no section prints itself."""
    parts = (report.latency, report.growth, *report.endpoints)
    shown = tuple(f": {part.partial}" for part in parts if part is not None and part.partial)
    return [why for why in report.partial if not shown or not why.endswith(shown)]


def _sections(report: "BenchReport") -> list[tuple[Any, Callable[[Any], None]]]:
    from toolbooth.cli.bench.live_table import print_live
    from toolbooth.cli.bench.retrieval_table import print_retrieval
    from toolbooth.cli.bench.timing_tables import print_growth, print_latency
    from toolbooth.cli.bench.tokens_table import print_tokens

    return [
        (report.tokens, print_tokens),
        (report.retrieval, print_retrieval),
        (report.latency, print_latency),
        (report.growth, print_growth),
        *((each, print_live) for each in report.endpoints),
    ]


def _heading(report: "BenchReport") -> str:
    corpus = report.corpus
    parts = [f"toolbooth {for_terminal(report.toolbooth, 20)}", for_terminal(report.date, 20)]
    if corpus is not None:
        parts.append(
            f"{for_terminal(corpus.version, 60)}: {corpus.tools:,} tools of {corpus.servers:,} servers"
        )
        parts += [f"{corpus.questions:,} questions"] if corpus.questions else []
    return " · ".join([*parts, for_terminal(report.machine, 80)])
