"""Sections of a benchmark → what is printed (tables or JSON) and what is written (`report.json`, `report.html`)."""

import sys
from argparse import ArgumentTypeError, Namespace
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING, Any

from toolbooth.cli.bench_command import told_command
from toolbooth.cli.bench_sources import Add, corpus_in
from toolbooth.errors import ConfigError
from toolbooth.safetext import for_terminal

if TYPE_CHECKING:
    from toolbooth.bench import Corpus, Pair
    from toolbooth.bench.report import Report


_INTERRUPTED = tuple(f"{section}: interrupted" for section in ("tokens", "retrieval", "latency", "growth"))


def add_output(add: Add) -> None:
    """How the figures are told."""
    add("--json", action="store_true", help="the figures as JSON")
    add(
        "--output",
        dest="out",
        type=_made_folder,
        metavar="DIR",
        help="write report.json and report.html there, too",
    )


def _made_folder(text: str) -> str:
    """A folder that cannot be written is told before anything is measured, not after."""
    try:
        Path(text).mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=text, prefix=".toolbooth-"):
            return text
    except (OSError, ValueError) as error:
        said = getattr(error, "strerror", None) or str(error)
        raise ArgumentTypeError(f"{for_terminal(text, 200)!r} cannot be written: {said}") from None


def new_report(measured: "Corpus | Pair | None", *, partial: Sequence[str] = (), **sections: Any) -> "Report":
    """A report of these sections, with what was measured, when and on what kind of machine.

    A server that could not be listed makes it partial, however well the others were measured.
    """
    from datetime import UTC, datetime

    from toolbooth import __version__
    from toolbooth.bench.report import Report

    today = datetime.now(UTC).date().isoformat()
    failed = () if measured is None else corpus_in(measured).troubles
    whole = {**sections, "partial": (*failed, *partial), "command": told_command(sys.argv[1:])}
    return Report(__version__, today, _machine(), _corpus_line(measured), **whole)


def exit_code(report: "Report") -> int:
    """130 after Ctrl-C, 3 where something failed or ended before its time, 1 where the gate failed."""
    if any(why.startswith(_INTERRUPTED) for why in report.partial):
        return 130
    if report.partial:
        return 3
    return 1 if report.retrieval is not None and not report.retrieval.gate.passed else 0


def deliver(report: "Report", shown: Any, options: Namespace, show: Callable[[], None]) -> None:
    """Write first, so that nothing is lost when the reader of stdout has gone; a failed write is told last."""
    failed: ConfigError | None = None
    if options.out:
        try:
            write_report(report, Path(options.out))
        except ConfigError as error:
            failed = error
    if options.json:
        import msgspec

        from toolbooth.bench.report import Report, report_json
        from toolbooth.cli.terminal import print_json

        print_json(report_json(shown) if isinstance(shown, Report) else msgspec.to_builtins(shown))
    else:
        show()
    if failed is not None:
        raise failed


def write_report(report: "Report", folder: Path) -> None:
    """Both files; the page is made of what stands in the other."""
    from toolbooth.bench.report import report_bytes
    from toolbooth.catalog import write_atomically
    from toolbooth.cli.terminal import wrote
    from toolbooth.web import bench_page

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"cannot be made: {error.strerror}", folder) from None
    write_atomically(folder / "report.json", report_bytes(report))
    write_atomically(folder / "report.html", bench_page(report).encode("utf-8", "backslashreplace"))
    for name in ("report.json", "report.html"):
        wrote(folder / name)


def _machine() -> str:
    import os
    import platform

    return f"Python {platform.python_version()}, {platform.system()} {platform.machine()}, {os.cpu_count()} cores"


def _corpus_line(measured: "Corpus | Pair | None") -> Any:
    from toolbooth.bench import Corpus
    from toolbooth.bench.report import CorpusLine

    if measured is None:
        return None
    corpus = corpus_in(measured)
    catalog = corpus.catalog
    line = CorpusLine(corpus.version, len(catalog), len(catalog.servers), catalog.fingerprint)
    if isinstance(measured, Corpus):
        return line
    import msgspec

    golden = measured.golden
    return msgspec.structs.replace(line, golden_version=golden.version, questions=len(golden.questions))
