"""`toolbooth wrap`: move the servers of a client's config behind the gateway; the original is kept."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

from toolbooth import errors, files
from toolbooth.catalog.config import (
    AUTO_SURFACE,
    SURFACE_NAMES,
    HostContext,
    WrapOptions,
    files_to_wrap,
    names_in,
    toolbooth_command,
    wrap,
)
from toolbooth.cli import arguments, wrap_output, wrap_output as output

EXAMPLES = """\
  toolbooth wrap                               list what is wrapped, and what could be
  toolbooth wrap cursor                        your configs of Cursor, but not those of projects
  toolbooth wrap cursor codex .mcp.json        several clients and files
  toolbooth wrap claude-code --dry-run         only show what would change
  toolbooth wrap .mcp.json --surface direct    one file; the client still sees every tool
  toolbooth wrap cursor --surface auto         of a wrapped client: choose by the weight of its tools again
  toolbooth unwrap cursor                      move the servers back

One entry, `toolbooth serve`, replaces the servers; nothing else in the file changes. The original is stored in a folder
that only you can read, and the gateway reads it there. What only the client can do (prompted secrets, servers of
projects or extensions) stays in the file and is listed. A filter of tools goes on holding behind the gateway.
"""
Done = TypeVar("Done")
Wanted = TypeVar("Wanted")


class Outcomes(NamedTuple, Generic[Done]):
    """What became of several files."""

    done: list[Done]
    failed: list[wrap_output.FailedFile]


def parser() -> arguments.Parser:
    """The options of the command."""
    made = arguments.Parser("wrap", __doc__ or "", EXAMPLES, {3: "no config was found"})
    add = made.add_argument
    add("what", nargs="*", metavar="CLIENT|FILE", help="clients (cursor, claude desktop, …) or config files")
    add(
        "--surface",
        metavar="NAME",
        default="",
        help=f"what the client sees: {', '.join(SURFACE_NAMES)} (default {AUTO_SURFACE}: direct if its tools are "
        "light, else search)",
    )
    add("--dry-run", action="store_true", help="change nothing, only show what would change")
    add("--json", action="store_true", help="the outcome as JSON")
    return made


def run(words: Sequence[str]) -> int:
    """Wrap the named files, or list the candidates."""
    made = parser()
    options = made.parse_args(list(words))
    if options.surface and options.surface not in SURFACE_NAMES:
        made.error(f"--surface {options.surface!r} is not one of {', '.join(SURFACE_NAMES)}")
    host = HostContext.here()
    data = files.data_folder(host.home, host.environ, host.platform)
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
    return output.print_failed(failed)


def for_each_file(
    names: Sequence[str],
    meant: Callable[[str], Sequence[tuple[Path, Wanted]]],
    work: Callable[[Wanted], Done],
) -> Outcomes[Done]:
    """Do the work once for every file that a name stands for; the error of a single file is raised."""
    outcomes = Outcomes[Done]([], [])
    wanted: dict[Path, Wanted] = {}
    for name in names:
        try:
            wanted |= dict(meant(name))
        except errors.ToolboothError as error:
            if len(names) == 1:
                raise
            outcomes.failed.append(wrap_output.FailedFile(name, error))
    for path, each_wanted in wanted.items():
        try:
            outcomes.done.append(work(each_wanted))
        except errors.ToolboothError as error:
            if len(wanted) == 1 and not outcomes.failed:
                raise
            outcomes.failed.append(wrap_output.FailedFile(path, error))
    return outcomes
