"""`toolbooth unwrap`: move the servers of a wrapped config back; an unchanged file is restored byte for byte."""

import os
from argparse import Namespace
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from toolbooth import errors, files, gateway
from toolbooth.catalog.config import (
    HostContext,
    KeptVersion,
    Unwrapping,
    files_to_unwrap,
    names_in,
    originals_of,
    unwrap,
    versions,
)
from toolbooth.cli import arguments, wrap, wrap_output as output

EXAMPLES = """\
  toolbooth unwrap                          list what is wrapped
  toolbooth unwrap cursor                   every wrapped config of Cursor
  toolbooth unwrap cursor codex .mcp.json   several clients and files
  toolbooth unwrap --from-backup            list the stored originals, also of files unwrapped long ago
  toolbooth unwrap --from-backup cursor     restore the servers of the newest original
  toolbooth unwrap cursor --backup 20261118T082312

A file that has not changed since is restored byte for byte. In a changed file,
only the servers are moved back; your other changes and new servers stay. The
last ten originals of each file are stored where only you can read them.
"""


def parser() -> arguments.Parser:
    """The options of the command."""
    made = arguments.Parser("unwrap", __doc__ or "", EXAMPLES, {3: "no config and no original was found"})
    add = made.add_argument
    add("what", nargs="*", metavar="CLIENT|FILE", help="clients or config files")
    add("--from-backup", action="store_true", help="list the stored originals, or restore the newest one")
    add("--backup", metavar="ID", help="restore this original; the start of its ID is enough")
    add("--json", action="store_true", help="the same as JSON")
    return made


def run(words: Sequence[str]) -> int:
    """Unwrap the files that were named, or list what is wrapped or kept."""
    options = parser().parse_args(list(words))
    host = HostContext.here()
    data = files.data_folder(host.home, host.environ, host.platform)
    if not options.what:
        if options.backup:
            raise errors.UserMistake("--backup needs the client or file of that original")
        if options.from_backup:
            return output.show_versions(versions(data), as_json=options.json)
        return output.show_candidates(host, data, as_json=options.json)
    done, failed = _unwrapped(options, host, data)
    if done and os.name == "posix":
        # The files are restored; the daemon notices by itself after a while
        with suppress(errors.ToolboothError, OSError):
            gateway.send_forget()
    if options.json:
        output.print_unwrapped_json(done, failed)
    else:
        output.print_unwrapped(done)
    return output.print_failed(failed)


def _unwrapped(options: Namespace, host: HostContext, data: Path) -> wrap.Outcomes[Unwrapping]:
    names = names_in(options.what, host)
    if options.from_backup or options.backup:
        return wrap.for_each_file(
            names,
            lambda name: [
                (path, _chosen(found, options.backup))
                for path, found in originals_of(name, host, data).items()
            ],
            lambda version: unwrap(version.kept.manifest.path, data, version),
        )
    return wrap.for_each_file(
        names,
        lambda name: [(path, path) for path in files_to_unwrap(name, host, data)],
        lambda path: unwrap(path, data),
    )


def _chosen(found: Sequence[KeptVersion], wanted: str | None) -> KeptVersion:
    """The newest original, or the one whose ID begins with `wanted`."""
    if not wanted:
        return found[0]
    fitting = [version for version in found if version.id.startswith(wanted)]
    if len(fitting) == 1:
        return fitting[0]
    listed = ", ".join(version.id for version in fitting or found)
    raise errors.UserMistake(
        f"{wanted!r} {'matches several originals' if fitting else 'is not a stored original'}; choose from {listed}"
    )
