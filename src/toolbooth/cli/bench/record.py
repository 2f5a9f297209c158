"""`toolbooth bench record`: freeze the tools of real servers as a corpus that never changes under its version."""

from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from toolbooth.cli.arguments import Parser, add_project, seconds, split_command_line
from toolbooth.cli.sources import load_sources
from toolbooth.errors import ConfigError, NothingToWeigh, UserMistake

if TYPE_CHECKING:
    from toolbooth.bench.record import FreezeOutcome, RecordedCorpus
    from toolbooth.catalog.load import LoadedCatalog


EXAMPLES = """\
  toolbooth bench record .mcp.json --output corpus.json --name our-servers-1
  toolbooth bench record --output corpus.json -- npx -y some-mcp-server@1.2.3
  toolbooth bench record --output corpus.json             every server of the clients on this machine
  toolbooth bench record a.json b.json --output corpus.json --allow-missing
  toolbooth bench tokens --catalog corpus.json             then measure it, as often as you like
  toolbooth bench retrieval --catalog corpus.json --golden questions.json

only what the servers say of themselves is written, with the versions they report and the package that their command
pins (pkg@1.2.3, pkg==1.2.3); never a command, a variable or a header. Without --name the version is made of the
content. A corpus is not replaced by another one of the same version. exit codes: 0 written, or
unchanged · 2 wrong usage or a broken file · 3 a server failed, and nothing was written
"""
_LONGEST_NAME: Final = 120


def parser() -> Parser:
    """The options of the command."""
    made = Parser("bench record", __doc__ or "", EXAMPLES)
    add = made.add_argument
    add("config", nargs="*", metavar="CONFIG", help="config files, folders, URLs (default: known places)")
    add("--output", required=True, metavar="FILE", help="the corpus file to write")
    add("--name", metavar="VERSION", help="the version of the corpus (default: FILE-<10 hex of the content>)")
    add("--allow-missing", action="store_true", help="leave out servers that fail; the file names them")
    add("--timeout", type=seconds, metavar="S", help="seconds for each server (default 60)")
    add_project(add)
    add("--json", action="store_true", help="what was written as JSON")
    made.takes_command()
    return made


def run(words: Sequence[str]) -> int:
    """List every server, freeze what they offer, and say what would make it repeatable."""
    typed = split_command_line(words)
    options = parser().parse_args(typed.options)
    path = Path(options.output)
    _check(options, path)
    loaded = load_sources(
        options.config,
        typed.command,
        options.timeout,
        user_only=options.user_only,
        trust_project=options.trust_project,
        used="recorded",
    )
    missing = _missing(loaded, options.allow_missing)
    if not loaded.catalog.tools:
        raise UserMistake("these servers offer no tools: there is nothing to record")
    from toolbooth.bench.record import freeze, record

    recording = record(
        loaded.catalog, loaded.sources.servers, missing, version=options.name or "", stem=_stem(path)
    )
    done = freeze(recording, path)
    _warn(loaded, recording)
    if options.json:
        from toolbooth.cli.terminal import print_json

        print_json(_as_json(recording, path, done))
    else:
        _tell(recording, path, done)
    return 0


def _check(options: Namespace, path: Path) -> None:
    """Refuse wrong usage before any server is started."""
    if options.name is not None:
        name = options.name.strip()
        if name != options.name or not name.isprintable() or not 0 < len(name) <= _LONGEST_NAME:
            raise UserMistake(
                f"--name must be 1 to {_LONGEST_NAME} printable characters without surrounding spaces"
            )
    if not path.name or path.is_dir():
        raise UserMistake("--output must name a file, as in corpus.json")
    if not path.parent.is_dir():
        raise ConfigError("the folder does not exist; create it first", path.parent)


def _missing(loaded: "LoadedCatalog", allowed: bool) -> list[str]:
    """The names of what failed; an incomplete corpus needs --allow-missing."""
    failed = list(
        dict.fromkeys(_public_name(source_error.where) for source_error in loaded.sources.source_errors)
    )
    if failed and not allowed:
        from toolbooth.safetext import for_terminal

        names = ", ".join(for_terminal(name, 60) for name in failed)
        raise NothingToWeigh(
            f"nothing was written: {names} failed; fix it, or leave it out with --allow-missing"
        )
    return failed


def _public_name(where: str) -> str:
    """A server's name, a URL's host or a path's file name: a corpus holds nothing more about its origin."""
    if "://" in where:
        return urlsplit(where).hostname or "a URL"
    return PurePath(where).name or where


def _stem(path: Path) -> str:
    return path.name.removesuffix(".json").removesuffix(".tools") or "corpus"


def _warn(loaded: "LoadedCatalog", recording: "RecordedCorpus") -> None:
    from toolbooth.cli.terminal import complain

    for entry in loaded.catalog.set_aside:
        if entry.kind != "cut":  # already reported as an error
            complain(f"{entry.server}.{entry.name}", f"left out: {entry.reason}")
    for server in recording.hidden:
        complain(server, "quotes a secret of its own config; it is written as •••")
    for server, how in recording.unpinned.items():
        complain(server, f"is not pinned, so it may offer other tools tomorrow: {how}")


def _as_json(recording: "RecordedCorpus", path: Path, done: "FreezeOutcome") -> dict[str, Any]:
    return {
        "file": str(path),
        "done": done,
        "version": recording.version,
        "tools": len(recording.document["tools"]),
        "generated_from": recording.document["generated_from"],
        "unpinned": recording.unpinned,
    }


def _tell(recording: "RecordedCorpus", path: Path, done: "FreezeOutcome") -> None:
    from rich.text import Text

    from toolbooth.cli.terminal import out
    from toolbooth.figures import counted
    from toolbooth.safetext import for_terminal

    origin, tools = recording.document["generated_from"], recording.document["tools"]
    console = out()
    line = Text(f"{for_terminal(str(path), 200)}: ").append(for_terminal(recording.version, 120), "bold")
    line.append(f", {counted(len(tools), 'tool')} of {counted(len(origin['servers']), 'server')}")
    console.print(line.append(" (unchanged)" if done == "unchanged" else ""))
    for row in _rows(recording):
        console.print(Text(f"  {row}"))
    missing = origin.get("missing", [])
    if missing:
        console.print(
            Text(
                f"missing (also listed in the file): {', '.join(for_terminal(each, 60) for each in missing)}"
            )
        )


def _rows(recording: "RecordedCorpus") -> Iterator[str]:
    from collections import Counter

    from toolbooth.safetext import for_terminal

    amounts = Counter(entry["server"] for entry in recording.document["tools"])
    servers = recording.document["generated_from"]["servers"]
    width = max(len(for_terminal(each["server"], 40)) for each in servers)
    for each in servers:
        version = for_terminal(each.get("package") or each.get("version") or "no version", 60)
        yield f"{for_terminal(each['server'], 40):{width}}  {amounts[each['server']]:>4} tools  {version}"
