"""`toolbooth wrap`: move the servers of a client's config behind the gateway; the original is kept."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

from toolbooth.cli.arguments import Parser
from toolbooth.errors import ToolboothError

EXAMPLES = """\
  toolbooth wrap                               what could be wrapped, and what is
  toolbooth wrap cursor                        every config of Cursor that belongs to you, not to a project
  toolbooth wrap cursor codex .mcp.json        several clients and files
  toolbooth wrap claude-code --dry-run         only say what would be done
  toolbooth wrap .mcp.json --surface direct    one file, with every tool in the client's own menu
  toolbooth unwrap cursor                      the way back

One entry, `toolbooth serve`, takes the place of the servers; nothing else in the file changes. The original goes to a
folder that only you can read, and the gateway reads it there. What only the client can do (prompted secrets, servers of
single projects or of extensions, lists of allowed tools) stays in the file and is named.
"""
Done = TypeVar("Done")
Wanted = TypeVar("Wanted")


class Failure(NamedTuple):
    """A name or a file of several that could not be done."""

    path: Path | str
    error: ToolboothError


class Outcomes(NamedTuple, Generic[Done]):
    """What became of several files."""

    done: list[Done]
    failed: list[Failure]


def parser() -> Parser:
    """The options of the verb."""
    made = Parser("wrap", __doc__ or "", EXAMPLES)
    add = made.add_argument
    add(
        "what", nargs="*", metavar="CLIENT|FILE", help="a client (cursor, claude desktop, …) or a config file"
    )
    add(
        "--surface",
        metavar="NAME",
        default="",
        help="what the client sees: search (default), code, full, direct",
    )
    add("--dry-run", action="store_true", help="change nothing, only say what would be done")
    add("--json", action="store_true", help="the same as JSON")
    return made


def run(words: Sequence[str]) -> int:
    """Wrap the files that were named, or list what could be."""
    made = parser()
    options = made.parse_args(list(words))
    from toolbooth.catalog.config import (
        OFFERED_SURFACES,
        Gateway,
        Surroundings,
        data_folder,
        files_to_wrap,
        names_in,
        own_command,
        wrap,
    )
    from toolbooth.cli import wrap_words

    if options.surface and options.surface not in OFFERED_SURFACES:
        made.error(f"--surface {options.surface!r} is none of {', '.join(OFFERED_SURFACES)}")
    around = Surroundings.here()
    data = data_folder(around.home, around.environ, around.platform)
    if not options.what:
        return wrap_words.show_candidates(around, data, as_json=options.json)
    gateway = Gateway(own_command(), data, options.surface)
    done, failed = each(
        names_in(options.what, around),
        lambda name: [(path, path) for path in files_to_wrap(name, around)],
        lambda path: wrap(path, gateway, os.environ, dry_run=options.dry_run),
    )
    if options.json:
        wrap_words.print_wrapped_json(done, failed)
    else:
        wrap_words.print_wrapped(done)
    return wrap_words.tell_failed(failed)


def each(
    names: Sequence[str],
    meant: Callable[[str], Sequence[tuple[Path, Wanted]]],
    work: Callable[[Wanted], Done],
) -> Outcomes[Done]:
    """Do the work for every file that is `meant` by a name, each once; the trouble of an only one is the command's."""
    outcomes = Outcomes[Done]([], [])
    wanted: dict[Path, Wanted] = {}
    for name in names:
        try:
            wanted |= dict(meant(name))
        except ToolboothError as error:
            if len(names) == 1:
                raise
            outcomes.failed.append(Failure(name, error))
    for path, each_wanted in wanted.items():
        try:
            outcomes.done.append(work(each_wanted))
        except ToolboothError as error:
            if len(wanted) == 1 and not outcomes.failed:
                raise
            outcomes.failed.append(Failure(path, error))
    return outcomes
