"""The servers that the user named, as a loaded catalog or as live contracts.

Shows progress while it connects, and prints one line for each source that failed.
"""

import logging
from argparse import Namespace
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from toolbooth import errors, safetext

if TYPE_CHECKING:
    from toolbooth.catalog import LoadedCatalog, SourceError, Sources
    from toolbooth.contracts import Contracts, ServerContract


_MOST_NAMED = 4


def load_sources(
    named: Sequence[str],
    command: Sequence[str],
    timeout: float | None,
    *,
    user_only: bool = False,
    trust_project: bool = False,
    chosen: "Callable[[Sources], Sources] | None" = None,
    used: str = "used",
) -> "LoadedCatalog":
    """Find, read, connect to what is `chosen` of it.

    Raises UserMistake if nothing could be used because a file is wrong, else NothingToWeigh if there is no tool.
    `used` is what the command does with servers, for that sentence.
    """
    sources = named_sources(named, command, timeout, user_only=user_only, trust_project=trust_project)
    loaded = reach(chosen(sources) if chosen else sources)
    print_source_errors(loaded)
    if not loaded.catalog.servers and loaded.sources.wrong_files:
        raise errors.UserMistake(correct_files(loaded.sources.wrong_files, used))
    if not loaded.catalog.tools:
        raise errors.NothingToWeigh(_nothing(loaded, used))
    return loaded


def correct_files(wrong: "Sequence[SourceError]", used: str) -> str:
    """What to do about files that are missing or broken; each was reported on a line of its own."""
    if all(source_error.reason == errors.NO_SUCH_FILE for source_error in wrong):
        return "name an existing file, a URL, or a command after `--`"
    named = "the file above" if len(wrong) == 1 else f"the {len(wrong)} files above"
    return f"nothing could be {used}; correct {named}, or name another source"


def missing_words(source_errors: "Sequence[SourceError]", wrong: "Sequence[SourceError]") -> str:
    """Of all errors, the files that could not be read, then the servers that could not be reached."""
    files = dict.fromkeys(source_error.where for source_error in wrong)
    servers = dict.fromkeys(each.where for each in source_errors if each.where not in files)
    said = ((list(files), "could not be read"), (list(servers), "could not be reached"))
    return "; ".join(f"{_few(names)} {what}" for names, what in said if names)


def _few(names: Sequence[str]) -> str:
    shown = ", ".join(safetext.for_terminal(name, 60) for name in names[:_MOST_NAMED])
    return f"{shown} and {len(names) - _MOST_NAMED:,} more" if len(names) > _MOST_NAMED else shown


def named_sources(
    named: Sequence[str],
    command: Sequence[str],
    timeout: float | None,
    *,
    user_only: bool = False,
    trust_project: bool = False,
) -> "Sources":
    """Find and read what was named, or else every known place; no server is started."""
    from toolbooth.catalog import find_sources
    from toolbooth.cli.project_trust import chosen_trust

    trust = chosen_trust(trust_project=trust_project, user_only=user_only)
    sources = find_sources(named, command, trust=trust)
    if sources.not_started and not (
        sources.servers or sources.source_errors or sources.recorded or sources.disabled
    ):
        raise _all_left_out(sources, user_only=user_only)
    if timeout:
        sources = replace(sources, servers=tuple(replace(spec, timeout=timeout) for spec in sources.servers))
    return sources


def _all_left_out(sources: "Sources", *, user_only: bool) -> errors.ToolboothError:
    """Only the project has servers, and they are not to be started: `--user-only` was typed, or trust was denied."""
    notes = "; ".join(sources.notes)
    if user_only:
        return errors.NothingToWeigh(notes)
    from toolbooth.cli.project_trust import untrusted

    return untrusted(notes)


def reach(sources: "Sources") -> "LoadedCatalog":
    """Connect to the servers with progress on the terminal."""
    import anyio

    from toolbooth.catalog import load
    from toolbooth.cli import terminal

    quiet_sdk()
    with terminal.progress([spec.name for spec in sources.servers]) as shown:
        return anyio.run(load, sources, lambda reached: shown.done(reached.spec.name))


def quiet_sdk() -> None:
    """Silence the SDK, which logs errors that it recovers from; users see one clean line of ours instead."""
    logging.getLogger("mcp").addHandler(logging.NullHandler())
    logging.getLogger("mcp").propagate = False


def print_source_errors(loaded: "LoadedCatalog") -> None:
    """Errors go to stderr in every mode, so that an incomplete report does not look complete."""
    from toolbooth.cli import terminal

    for source_error in loaded.sources.source_errors:
        terminal.complain(source_error.where, source_error.reason)


def all_failed(failed: int, used: str) -> str:
    """What to say if every source failed; each error was printed on a line of its own."""
    return f"nothing could be {used}: {'the only source' if failed == 1 else f'all {failed} sources'} failed"


def _nothing(loaded: "LoadedCatalog", used: str) -> str:
    failed = len(loaded.sources.source_errors)
    if loaded.catalog.servers:
        return f"nothing can be {used}: no tool is offered there; name a server or a catalog that has tools"
    if failed:
        return all_failed(failed, used)
    if loaded.sources.disabled:
        return f"nothing can be {used}: every configured server is disabled"
    return f"nothing can be {used}: no server is configured there; add one or name another file"


@dataclass(frozen=True)
class LiveContracts:
    """`source_errors` are files and servers that could not be used, `notes` what was renamed or left out."""

    contracts: "Contracts"
    source_errors: tuple["SourceError", ...] = ()
    notes: tuple[str, ...] = ()
    recorded: frozenset[str] = frozenset()  # servers of saved catalogs, which know of tools alone
    down: frozenset[str] = frozenset()  # servers that did not answer, or lack what they need to be asked
    missing: frozenset[str] = frozenset()  # those of them that --allow-missing lets be
    asked: frozenset[str] | None = None  # by --server; None is all

    @property
    def wrong_files(self) -> tuple["SourceError", ...]:
        """The errors of files and names, which a person must correct; all others are of servers."""
        servers = {*self.down, *self.contracts.servers}
        return tuple(source_error for source_error in self.source_errors if source_error.where not in servers)

    @property
    def failure_code(self) -> int:
        """The exit code where the source errors decide: a file that is wrong goes before a server that is down."""
        return errors.UserMistake.exit_code if self.wrong_files else errors.CannotCheck.exit_code

    @property
    def has_only_empty_catalogs(self) -> bool:
        """Whether all is from saved catalogs, and they have no tool; a live server without tools is a finding."""
        servers = self.contracts.servers
        listed = any(server.tools or server.unusable for server in servers.values())
        return bool(servers) and servers.keys() <= self.recorded and not listed

    def as_far_as_known(self, locked: "Contracts") -> "Contracts":
        """The contracts, completed from the lock where they are unknown: what a saved catalog does not contain, and
        servers that did not answer while a source could not be used."""
        half_known = self.recorded & locked.servers.keys()
        completed = {
            name: _completed(server, locked.servers[name]) if name in half_known else server
            for name, server in self.contracts.servers.items()
        }
        silent = {name: server for name, server in locked.servers.items() if self._is_unknown(name)}
        return replace(self.contracts, servers={**silent, **completed})

    def _is_unknown(self, name: str) -> bool:
        """Whether a locked server that did not answer may be there all the same."""
        unasked = self.asked is not None and name not in self.asked
        return bool(self.source_errors) or unasked or name in self.missing

    def allowing_missing(self, locked: "Contracts | None") -> "LiveContracts":
        """Servers that are down become notes instead of errors; their locked state is kept."""
        known = locked.servers if locked else {}
        notes = (
            f"{name} could not be reached and {'stays as it was locked' if name in known else 'is not locked'}"
            for name in sorted(self.down)
        )
        source_errors = tuple(
            source_error for source_error in self.source_errors if source_error.where not in self.down
        )
        return replace(self, source_errors=source_errors, notes=(*notes, *self.notes), missing=self.down)


def only_servers(sources: "Sources", names: Sequence[str]) -> "Sources":
    """The named servers of what was found; raises UserMistake for an unknown name."""
    from toolbooth import suggest

    known = sources.server_names
    for name in names:
        if name not in known:
            hint = suggest.did_you_mean(name, known, f"the servers are {', '.join(known[:8]) or 'none'}")
            raise errors.UserMistake(f"--server {name}: no such server; {hint}")
    return sources.only(names)


def _completed(recorded: "ServerContract", locked: "ServerContract") -> "ServerContract":
    """A catalog knows no prompts and resources; and of the server itself it may know nothing."""
    return replace(
        recorded,
        prompts=locked.prompts,
        resources=locked.resources,
        templates=locked.templates,
        instructions=recorded.instructions or locked.instructions,
        title=recorded.title or locked.title,
        version=recorded.version or locked.version,
    )


def ask_live(options: Namespace, command: Sequence[str], encoding: str) -> LiveContracts:
    """Find the named servers and ask them."""
    sources = named_sources(
        options.source, command, None, user_only=options.user_only, trust_project=options.trust_project
    )
    return ask_sources(sources, options.timeout, encoding)


def ask_sources(sources: "Sources", timeout: float | None, encoding: str) -> LiveContracts:
    """Ask every server, with progress on a terminal."""
    import anyio

    from toolbooth.catalog import Catalog
    from toolbooth.cli import terminal
    from toolbooth.contracts import contracts_of, gather_contracts, left_out_of

    specs = [replace(spec, timeout=timeout or spec.timeout) for spec in sources.servers]
    quiet_sdk()
    with terminal.progress([spec.name for spec in specs]) as shown:
        gathered = anyio.run(gather_contracts, specs, encoding, lambda spec: shown.done(spec.name))
    catalog = Catalog(sources.recorded)
    recorded = contracts_of(catalog, encoding)
    faults = (sources.source_error(fault.server, fault.message) for fault in gathered.faults)
    saved = (f"{name} is a saved catalog, which has no prompts and resources" for name in recorded.servers)
    contracts = gathered.plus(recorded).contracts
    down = {*sources.unusable, *(fault.server for fault in gathered.faults)}
    return LiveContracts(
        contracts,
        (*sources.source_errors, *faults),
        (*sources.notes, *gathered.notes, *left_out_of(catalog), *saved),
        frozenset(recorded.servers),
        frozenset(down - contracts.servers.keys()),
    )
