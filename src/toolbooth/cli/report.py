"""`toolbooth report`: render a saved run again, join shards, and compare with a baseline."""

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from toolbooth import errors, files
from toolbooth.cli import arguments, suite_output, terminal
from toolbooth.suite.reporters import REPORTERS, SuiteReport, join_reports, read_run, render, with_baseline

EXAMPLES = """\
  toolbooth report run.json                                        as `toolbooth test` printed it
  toolbooth report run.json --format html --output report.html     an HTML page
  toolbooth report run.json --format markdown >> "$GITHUB_STEP_SUMMARY"
  toolbooth report shard-*.json --format junit --output junit.xml  the shards of one run as one report
  toolbooth report run.json --baseline main.json --max-f1-drop 5   changes since then; exit 1 if too large
"""
EXITS = {
    0: "the run passed",
    1: "the run failed, or is worse than the baseline",
    3: "a server or provider could not be reached in the run",
    5: "the run was refused: budget or drift",
}


def parser() -> arguments.Parser:
    """The options of the command."""
    formats = "\n".join(f"  {each.name:10}{each.says}" for each in REPORTERS.values())
    made = arguments.Parser("report", __doc__ or "", f"{EXAMPLES}\nformats:\n{formats}\n", EXITS)
    add = made.add_argument
    add("runs", nargs="+", metavar="RUN.json", help="a saved run; several files are the shards of one run")
    add(
        "--format",
        choices=sorted(REPORTERS),
        metavar="NAME",
        help="a format from the list below (default terminal)",
    )
    add("--output", metavar="FILE", help="write to a file instead of the terminal")
    add(
        "--baseline",
        metavar="RUN.json",
        help="an older run: show the changes, and exit 1 if they are too large",
    )
    add(
        "--max-f1-drop",
        type=arguments.share,
        metavar="POINTS",
        help="points by which F1 may fall (default 0)",
    )
    add(
        "--max-tokens-rise",
        type=arguments.share,
        metavar="PERCENT",
        help="percent by which tokens per right choice may rise (default 0)",
    )
    add("--json", action="store_true", help="same as --format json")
    return made


def run(words: Sequence[str]) -> int:
    """Render; the exit code is that of the run itself."""
    options = parser().parse_args(list(words))
    form = _form(options)
    report = _report(options)
    _deliver(report, form, options.output)
    return report.exit_code


def _form(options: Namespace) -> str:
    if options.json and options.format not in (None, "json"):
        raise errors.UserMistake(f"choose one of --json and --format {options.format}")
    return "json" if options.json else options.format or "terminal"


def _report(options: Namespace) -> SuiteReport:
    bounds = {"max_f1_drop": options.max_f1_drop, "max_tokens_rise": options.max_tokens_rise}
    given = {name: value for name, value in bounds.items() if value is not None}
    if given and not options.baseline:
        raise errors.UserMistake(
            f"--{next(iter(given)).replace('_', '-')} needs a baseline; add --baseline RUN.json"
        )
    report = join_reports([read_run(Path(path)) for path in options.runs])
    if not options.baseline:
        return report
    return with_baseline(report, read_run(Path(options.baseline)), options.baseline, **given)


def _deliver(report: SuiteReport, form: str, output: str | None) -> None:
    if output:
        files.write_atomically(Path(output), render(report, form).encode())
        terminal.wrote(output)
    else:
        suite_output.print_report(report, form)
