"""`toolbooth wrap`: move the servers of a client's config behind the gateway; the original is kept."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

from toolbooth.catalog.config import (
    OFFERED_SURFACES,
    HostContext,
    WrapOptions,
    files_to_wrap,
    names_in,
    toolbooth_command,
    wrap,
)
from toolbooth.cli import wrap_output as output
from toolbooth.cli.arguments import Parser
from toolbooth.cli.wrap_output import FailedFile
from toolbooth.errors import ToolboothError
from toolbooth.files import data_folder

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


class Outcomes(NamedTuple, Generic[Done]):
    """What became of several files."""

    done: list[Done]
    failed: list[FailedFile]


def parser() -> Parser:
    """The options of the command."""
    made = Parser("wrap", __doc__ or "", EXAMPLES)
    add = made.add_argument
    add(
        "what", nargs="*", metavar="CLIENT|FILE", help="a client (cursor, claude desktop, …) or a config file"
    )
    add(
        "--surface",
        metavar="NAME",
        default="",
        help=f"what the client sees: {', '.join(OFFERED_SURFACES)} (default {OFFERED_SURFACES[0]})",
    )
    add("--dry-run", action="store_true", help="change nothing, only say what would be done")
    add("--json", action="store_true", help="the same as JSON")
    return made


def run(words: Sequence[str]) -> int:
    """Wrap the files that were named, or list what could be."""
    made = parser()
    options = made.parse_args(list(words))
    if options.surface and options.surface not in OFFERED_SURFACES:
        made.error(f"--surface {options.surface!r} is not one of {', '.join(OFFERED_SURFACES)}")
    host = HostContext.here()
    data = data_folder(host.home, host.environ, host.platform)
    if not options.what:
        return output.show_candidates(host, data, as_json=options.json)
    gateway = WrapOptions(toolbooth_command(), data, options.surface)
    done, failed = for_each_file(
        names_in(options.what, host),
        lambda name: [(path, path) for path in files_to_wrap(name, host)],
        lambda path: wrap(path, gateway, os.environ, dry_run=options.dry_run),
    )
    if options.json:
        output.print_wrapped_json(done, failed)
    else:
        output.print_wrapped(done)
    return output.tell_failed(failed)


def for_each_file(
    names: Sequence[str],
    meant: Callable[[str], Sequence[tuple[Path, Wanted]]],
    work: Callable[[Wanted], Done],
) -> Outcomes[Done]:
    """Do the work for every file that is `meant` by a name, each once; the error of a single file is raised."""
    outcomes = Outcomes[Done]([], [])
    wanted: dict[Path, Wanted] = {}
    for name in names:
        try:
            wanted |= dict(meant(name))
        except ToolboothError as error:
            if len(names) == 1:
                raise
            outcomes.failed.append(FailedFile(name, error))
    for path, each_wanted in wanted.items():
        try:
            outcomes.done.append(work(each_wanted))
        except ToolboothError as error:
            if len(wanted) == 1 and not outcomes.failed:
                raise
            outcomes.failed.append(FailedFile(path, error))
    return outcomes
