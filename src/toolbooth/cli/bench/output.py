"""The output of a benchmark: tables or JSON, `report.json` and `report.html`, and progress on a terminal.

A report contains the command line that made it, with typed secrets redacted, so that a reader can repeat it.
"""

import re
import shlex
import sys
from argparse import ArgumentTypeError, Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, Final

from rich.text import Text

from toolbooth import __version__, bench, errors, files, safetext, web
from toolbooth.bench.report import BenchReport, CorpusSummary, report_bytes, report_object
from toolbooth.catalog import HIDDEN, ServerSpec, given_values
from toolbooth.cli.bench.sources import Add, corpus_in
from toolbooth.cli.terminal import err, print_json, wrote

_KEY: Final = "--key"
_NAMES_A_VARIABLE: Final = "--key-env"
_SHORT_SECRET: Final = 3  # a secret this short may be part of an ordinary word
# As typed: it may be percent-encoded
_URL_SECRETS: Final = re.compile(r"(?<=://)[^\s]*(?=@)|(?<=[?#])[^\s]*$")


def redacted_command(words: Sequence[str]) -> str:
    """`toolbooth bench …`: the value of `--key`, and what looks secret in URLs and commands of servers, is hidden.

    Empty if another program runs the benchmark.
    """
    if list(words[:1]) != ["bench"]:
        return ""
    return shlex.join(["toolbooth", *_without_typed(list(_without_key(words)))])


def _without_key(words: Sequence[str]) -> Iterator[str]:
    for before, word in zip(("", *words), words, strict=False):
        if before == _KEY:
            yield HIDDEN
        else:
            yield f"{_KEY}={HIDDEN}" if word.startswith(f"{_KEY}=") else word


def _without_typed(words: list[str]) -> Iterator[str]:
    typed = [word for before, word in zip(("", *words), words, strict=False) if before != _NAMES_A_VARIABLE]
    open_ones = tuple(word for word in typed if word.partition("=")[0] != _NAMES_A_VARIABLE)
    given = {value for _, value in given_values(ServerSpec("", "stdio", args=open_ones)) if value}
    for word in words:
        hidden = word
        for secret in sorted(given, key=len, reverse=True):
            hidden = HIDDEN if hidden == secret else hidden
            if len(secret) > _SHORT_SECRET or hidden.endswith((f"={secret}", f": {secret}")):
                hidden = hidden.replace(secret, HIDDEN)
        yield _URL_SECRETS.sub(HIDDEN, hidden)


_INTERRUPTED = tuple(f"{section}: interrupted" for section in ("tokens", "retrieval", "latency", "growth"))


def add_output(add: Add) -> None:
    """The options that choose the output."""
    add("--json", action="store_true", help="the figures as JSON")
    add(
        "--output",
        dest="out",
        type=_made_folder,
        metavar="DIR",
        help="also write report.json and report.html to this folder",
    )


def _made_folder(text: str) -> str:
    """Refuse a folder that cannot be written before anything is measured."""
    try:
        Path(text).mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=text, prefix=".toolbooth-"):
            return text
    except (OSError, ValueError) as error:
        said = getattr(error, "strerror", None) or str(error)
        raise ArgumentTypeError(f"{safetext.for_terminal(text, 200)!r} cannot be written: {said}") from None


def new_report(
    measured: bench.Corpus | bench.Pair | None, *, partial: Sequence[str] = (), **sections: Any
) -> BenchReport:
    """A report of these sections, with what was measured, when and on what kind of machine.

    A server that could not be listed makes it partial, however well the others were measured.
    """
    from datetime import UTC, datetime

    today = datetime.now(UTC).date().isoformat()
    failed = () if measured is None else corpus_in(measured).source_errors
    whole = {**sections, "partial": (*failed, *partial), "command": redacted_command(sys.argv[1:])}
    return BenchReport(__version__, today, _machine(), _corpus_line(measured), **whole)


def exit_code(report: BenchReport) -> int:
    """130 after Ctrl-C, 3 if something failed or ended early, 1 if the gate failed."""
    if any(why.startswith(_INTERRUPTED) for why in report.partial):
        return 130
    if report.partial:
        return 3
    return 1 if report.retrieval is not None and not report.retrieval.gate.passed else 0


def deliver(report: BenchReport, shown: Any, options: Namespace, show: Callable[[], None]) -> None:
    """Write first, so that nothing is lost when the reader of stdout has gone; a failed write is raised last."""
    failed: errors.ConfigError | None = None
    if options.out:
        try:
            write_report(report, Path(options.out))
        except errors.ConfigError as error:
            failed = error
    if options.json:
        import msgspec

        print_json(report_object(shown) if isinstance(shown, BenchReport) else msgspec.to_builtins(shown))
    else:
        show()
    if failed is not None:
        raise failed


def write_report(report: BenchReport, folder: Path) -> None:
    """Write `report.json` and, from the same data, `report.html`."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise errors.ConfigError(f"cannot be created: {error.strerror}", folder) from None
    files.write_atomically(folder / "report.json", report_bytes(report))
    files.write_atomically(folder / "report.html", web.bench_page(report).encode("utf-8", "backslashreplace"))
    for name in ("report.json", "report.html"):
        wrote(folder / name)


def _machine() -> str:
    import os
    import platform

    return f"Python {platform.python_version()}, {platform.system()} {platform.machine()}, {os.cpu_count()} cores"


def _corpus_line(measured: bench.Corpus | bench.Pair | None) -> Any:
    if measured is None:
        return None
    corpus = corpus_in(measured)
    catalog = corpus.catalog
    line = CorpusSummary(corpus.version, len(catalog), len(catalog.servers), catalog.fingerprint)
    if isinstance(measured, bench.Corpus):
        return line
    import msgspec

    golden = measured.golden
    return msgspec.structs.replace(line, golden_version=golden.version, questions=len(golden.questions))


@contextmanager
def status_line(first: str) -> Iterator[Callable[[str], None]]:
    """A function that shows progress on a terminal, and does nothing in a pipe."""
    if not sys.stderr.isatty():
        yield _ignore
        return
    with err().status(Text(first), spinner="dots") as status:
        yield lambda words: status.update(Text(safetext.for_terminal(words, 200)))


def _ignore(_words: str) -> None:
    return None
