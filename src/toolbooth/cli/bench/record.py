"""`toolbooth bench record`: save the tools of real servers as a corpus that never changes under its version."""

from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePath
from typing import Any, Final
from urllib.parse import urlsplit

from rich.text import Text

from toolbooth import bench, catalog, errors, figures, safetext
from toolbooth.cli import arguments, sources, terminal

EXAMPLES = """\
  toolbooth bench record .mcp.json --output corpus.json --name our-servers-1
  toolbooth bench record --output corpus.json -- npx -y some-mcp-server@1.2.3
  toolbooth bench record --output corpus.json             the servers of all clients on this machine
  toolbooth bench record a.json b.json --output corpus.json --allow-missing
  toolbooth bench tokens --catalog corpus.json             then measure it, as often as you like
  toolbooth bench retrieval --catalog corpus.json --golden questions.json

the file contains what the servers report: their tools, their versions, and the package that their command pins
(pkg@1.2.3, pkg==1.2.3); never a command, a variable or a header. Without --name the version is derived from the
content. A corpus with other tools but the same version is not overwritten.
"""
EXITS = {
    0: "written, or unchanged",
    3: "a server failed, and nothing was written",
}
_LONGEST_NAME: Final = 120


def parser() -> arguments.Parser:
    """The options of the command."""
    made = arguments.Parser("bench record", __doc__ or "", EXAMPLES, EXITS)
    add = made.add_argument
    add("config", nargs="*", metavar="CONFIG", help="config files, folders, URLs (default: known places)")
    add("--output", required=True, metavar="FILE", help="the corpus file to write")
    add("--name", metavar="VERSION", help="the version of the corpus (default: FILE-<10 hex of the content>)")
    add("--allow-missing", action="store_true", help="skip servers that fail; the file lists them")
    add("--timeout", type=arguments.seconds, metavar="S", help="seconds for each server (default 60)")
    arguments.add_project(add)
    add("--json", action="store_true", help="what was written as JSON")
    made.takes_command()
    return made


def run(words: Sequence[str]) -> int:
    """List the tools of every server, save them, and warn about what is not repeatable."""
    typed = arguments.split_command_line(words)
    options = parser().parse_args(typed.options)
    path = Path(options.output)
    _check(options, path)
    loaded = sources.load_sources(
        options.config,
        typed.command,
        options.timeout,
        user_only=options.user_only,
        trust_project=options.trust_project,
        used="recorded",
    )
    missing = _missing(loaded, options.allow_missing)
    recording = bench.record(
        loaded.catalog, loaded.sources.servers, missing, version=options.name or "", stem=_stem(path)
    )
    done = bench.freeze(recording, path)
    _warn(loaded, recording)
    if options.json:
        terminal.print_json(_as_json(recording, path, done))
    else:
        _print_outcome(recording, path, done)
    return 0


def _check(options: Namespace, path: Path) -> None:
    """Refuse wrong usage before any server is started."""
    if options.name is not None:
        name = options.name.strip()
        if name != options.name or not name.isprintable() or not 0 < len(name) <= _LONGEST_NAME:
            raise errors.UserMistake(
                f"--name must be 1 to {_LONGEST_NAME} printable characters without surrounding spaces"
            )
    if not path.name or path.is_dir():
        raise errors.UserMistake("--output takes a file; try corpus.json")
    if not path.parent.is_dir():
        raise errors.ConfigError(f"{errors.NO_SUCH_FOLDER}; create it first", path.parent)


def _missing(loaded: catalog.LoadedCatalog, allowed: bool) -> list[str]:
    """The names of what failed; an incomplete corpus needs --allow-missing."""
    failed = list(
        dict.fromkeys(_public_name(source_error.where) for source_error in loaded.sources.source_errors)
    )
    if failed and not allowed:
        names = ", ".join(safetext.for_terminal(name, 60) for name in failed)
        kind = errors.UserMistake if loaded.sources.wrong_files else errors.NothingToWeigh
        raise kind(f"nothing was written: {names} failed; fix this or skip it with --allow-missing")
    return failed


def _public_name(where: str) -> str:
    """A server's name, a URL's host or a path's file name: a corpus holds nothing more about its origin."""
    if "://" in where:
        return urlsplit(where).hostname or "a URL"
    return PurePath(where).name or where


def _stem(path: Path) -> str:
    return path.name.removesuffix(".json").removesuffix(".tools") or "corpus"


def _warn(loaded: catalog.LoadedCatalog, recording: bench.RecordedCorpus) -> None:
    for entry in loaded.catalog.set_aside:
        if entry.kind != "cut":  # already reported as an error
            terminal.complain(f"{entry.server}.{entry.name}", f"skipped: {entry.reason}")
    for server in recording.hidden:
        terminal.complain(server, "repeats a secret from its config; the file has ••• instead")
    for server, how in recording.unpinned.items():
        terminal.complain(server, f"is not pinned, so its tools may change: {how}")


def _as_json(recording: bench.RecordedCorpus, path: Path, done: bench.FreezeOutcome) -> dict[str, Any]:
    return {
        "file": str(path),
        "done": done,
        "version": recording.version,
        "tools": len(recording.document["tools"]),
        "generated_from": recording.document["generated_from"],
        "unpinned": recording.unpinned,
    }


def _print_outcome(recording: bench.RecordedCorpus, path: Path, done: bench.FreezeOutcome) -> None:
    origin, tools = recording.document["generated_from"], recording.document["tools"]
    console = terminal.out()
    line = Text(f"{safetext.for_terminal(str(path), 200)}: ").append(
        safetext.for_terminal(recording.version, 120), "bold"
    )
    line.append(
        f", {figures.counted(len(tools), 'tool')} of {figures.counted(len(origin['servers']), 'server')}"
    )
    console.print(line.append(" (unchanged)" if done == "unchanged" else ""))
    for row in _rows(recording):
        console.print(Text(f"  {row}"))
    missing = origin.get("missing", [])
    if missing:
        console.print(
            Text(
                f"missing (also listed in the file): {', '.join(safetext.for_terminal(each, 60) for each in missing)}"
            )
        )


def _rows(recording: bench.RecordedCorpus) -> Iterator[str]:
    from collections import Counter

    amounts = Counter(entry["server"] for entry in recording.document["tools"])
    servers = recording.document["generated_from"]["servers"]
    width = max(len(safetext.for_terminal(each["server"], 40)) for each in servers)
    for each in servers:
        version = safetext.for_terminal(each.get("package") or each.get("version") or "no version", 60)
        yield f"{safetext.for_terminal(each['server'], 40):{width}}  {amounts[each['server']]:>4} tools  {version}"
