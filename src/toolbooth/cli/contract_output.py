"""Changes of contracts and findings in definitions, as text for a person or in the format of a program.

`lock`, `diff`, `scan` and `profile` all print through `deliver`; the formats themselves are in `contracts/reporting`.
"""

import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rich.padding import Padding
from rich.text import Text

from toolbooth import errors, files, safetext
from toolbooth.cli.terminal import indented, out, wrote
from toolbooth.contracts.reporting import ContractReport, ReportEntry, details_of, render, shows_text

if TYPE_CHECKING:
    from rich.console import Console

HUMAN: Final = "human"
FORMATS: Final = (HUMAN, "json", "sarif", "github", "markdown")
LOCK_SUFFIX: Final = ".lock"
MOST_SHOWN: Final = 60  # of one severity; more is for a program
_PARTS: Final = {"kept": "", "removed": "red", "added": "bold green"}
_STYLES: Final = ("dim", "green", "bold yellow", "bold red")  # by severity, and by level


def add_output(parser: ArgumentParser) -> None:
    """The options that choose a format."""
    add = parser.add_argument
    add("--format", choices=FORMATS, help="output format (default human)")
    add("--json", action="store_true", help="same as --format json")
    add("--output", type=Path, metavar="FILE", help="write the report to a file instead of the terminal")
    add(
        "--report",
        action="append",
        default=[],
        metavar="FORMAT:FILE",
        help="also write this file; can be repeated",
    )


def check_output(options: Namespace) -> None:
    """Refuse wrong output options before a server is started."""
    if options.json and options.format not in (None, "json"):
        raise errors.UserMistake(f"choose one of --json and --format {options.format}")
    if options.output:
        _refuse_lock(options, options.output)
    for each in options.report:
        name, colon, path = each.partition(":")
        _refuse_lock(options, Path(path))
        if name not in FORMATS or not colon or not path:
            known = ", ".join(FORMATS)
            raise errors.UserMistake(
                f"--report takes FORMAT:FILE with one of {known}; try sarif:toolbooth.sarif"
            )


def _refuse_lock(options: Namespace, path: Path) -> None:
    """`--output my.lock` reads as if it named the lock, and would overwrite one with a report."""
    if path.suffix == LOCK_SUFFIX:
        to_write = "--file names the lock" if "file" in options else "`toolbooth lock --file` writes a lock"
        raise errors.UserMistake(
            f"{path} is the name of a lock, but --output and --report write the report; {to_write}"
        )


def deliver(report: ContractReport, options: Namespace, show: Callable[[], None] | None = None) -> int:
    """Write the files first, then print; `show` prints the command's own table. Returns the exit code."""
    show = show or partial(_print, report)
    for each in options.report:
        name, _, path = each.partition(":")
        _write(_text(report, name, show), Path(path))
    form = "json" if options.json else options.format or HUMAN
    if options.output:
        _write(_text(report, form, show), options.output)
        _say(report)
    elif form == HUMAN:
        show()
    else:
        sys.stdout.write(_text(report, form, show))
    return report.exit_code


def repository() -> Path:
    """The folder that build systems resolve paths against."""
    return Path(os.environ.get("GITHUB_WORKSPACE") or Path.cwd())


def named_files(source: Sequence[str]) -> list[Path]:
    """The files that the user named, directly or as folders of catalogs."""
    named = [Path(name).expanduser() for name in source if name and "://" not in name]
    return [
        file
        for path in named
        for file in (sorted(path.glob("*.json")) if path.is_dir() else [path])
        if file.is_file()
    ]


def _write(text: str, path: Path) -> None:
    files.write_atomically(path, text.encode("utf-8", "backslashreplace"))
    wrote(path)


def _text(report: ContractReport, form: str, show: Callable[[], None]) -> str:
    if form != HUMAN:
        return render(report, form)
    from contextlib import redirect_stdout
    from io import StringIO

    with redirect_stdout(StringIO()) as text:
        show()
    return "".join(f"{line.rstrip()}\n" for line in text.getvalue().splitlines())


def _print(report: ContractReport) -> None:
    _print_entries(out(), report.entries)
    _say(report)


def _say(report: ContractReport) -> None:
    """One sentence, and what to do next."""
    console = out()
    if report.verdict:
        verdict = Text(
            safetext.for_build_log(report.verdict, 600), "bold red" if report.exit_code else "bold green"
        )
        console.print(verdict)
    for line in (*report.notes, report.hint):
        if line:
            console.print(indented(Text(safetext.for_build_log(line, 600), "dim")))


def _print_entries(console: "Console", entries: Iterable[ReportEntry]) -> None:
    def indented(text: Text, columns: int) -> None:
        console.print(Padding(text, (0, 0, 0, columns), expand=False))

    for (word, rank), group in groupby(entries, lambda entry: (entry.word, entry.rank)):
        same = list(group)
        console.print(Text(f"{word.upper()} · {len(same):,}", _STYLES[rank]))
        shown = [entry for place, entry in enumerate(same) if place < MOST_SHOWN or shows_text(entry)]
        for where, of_one in groupby(shown, lambda entry: entry.where):
            indented(Text(safetext.for_build_log(where, 120) or "all servers", "bold"), 2)
            for entry in of_one:
                message = Text(safetext.for_build_log(entry.message)).append(
                    f"  {safetext.for_build_log(entry.rule, 60)}", "dim"
                )
                indented(message, 4)
                print_details(console, entry, 6)
        if len(same) > len(shown):
            indented(Text(f"… and {len(same) - len(shown):,} more (--json has all)", "dim"), 2)
        console.print()


def print_details(console: "Console", entry: ReportEntry, columns: int) -> None:
    """The lines below a message: short values after their path, whole texts on lines of their own.

    Removed and added words are marked, so that the text is readable without colours.
    """
    for detail in details_of(entry):
        said = Text(" ").join(Text(part.marked, _PARTS[part.kind]) for part in detail.parts)
        if not detail.is_text or len(str(detail)) + columns <= console.width:
            place = Text().append(f"{detail.path}: " if detail.path else "", "dim")
            console.print(Padding(place.append_text(said), (0, 0, 0, columns), expand=False))
        else:
            console.print(Padding(Text(detail.path, "dim"), (0, 0, 0, columns), expand=False))
            console.print(Padding(said, (0, 0, 0, columns + 2), expand=False))
