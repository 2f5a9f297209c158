"""What the user named → the contracts of those servers now, and every server that could not be asked."""

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from toolbooth.cli.sources import named_sources, quiet_sdk
from toolbooth.errors import UserMistake

if TYPE_CHECKING:
    from toolbooth.catalog.load import Sources, Trouble
    from toolbooth.contracts import Contracts, ServerContract


@dataclass(frozen=True)
class Live:
    """`troubles` are files and servers that could not be used, `notes` what was renamed or left out."""

    contracts: "Contracts"
    troubles: tuple["Trouble", ...] = ()
    notes: tuple[str, ...] = ()
    recorded: frozenset[str] = frozenset()  # servers of saved catalogs, which know of tools alone
    down: frozenset[str] = frozenset()  # servers that did not answer, or lack what they need to be asked
    missing: frozenset[str] = frozenset()  # those of them that --allow-missing lets be
    asked: frozenset[str] | None = None  # by --server; None is all

    def as_far_as_known(self, locked: "Contracts") -> "Contracts":
        """What could not be asked is as it was locked: all that a saved catalog says nothing of; and, while something
        could not be used, a locked server that did not answer, as it may be behind that."""
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
        return bool(self.troubles) or unasked or name in self.missing

    def allowing_missing(self, locked: "Contracts | None") -> "Live":
        """Servers that are down are a note and no trouble: what was locked of them stays."""
        known = locked.servers if locked else {}
        notes = (
            f"{name} could not be asked and {'stays as it was locked' if name in known else 'is not locked'}"
            for name in sorted(self.down)
        )
        troubles = tuple(trouble for trouble in self.troubles if trouble.where not in self.down)
        return replace(self, troubles=troubles, notes=(*notes, *self.notes), missing=self.down)


def only_servers(sources: "Sources", names: Sequence[str]) -> "Sources":
    """The named servers of what was found; raises UserMistake for a name that is none."""
    from difflib import get_close_matches

    known = sources.server_names
    for name in names:
        if name not in known:
            near = get_close_matches(name, known, n=1)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known[:8]) or 'none'}"
            raise UserMistake(f"--server {name}: no such server is configured; {hint}")
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


def ask_live(options: Namespace, command: Sequence[str], encoding: str) -> Live:
    """Find what was named, and ask it."""
    sources = named_sources(
        options.source, command, None, user_only=options.user_only, trust_project=options.trust_project
    )
    return ask_sources(sources, options.timeout, encoding)


def ask_sources(sources: "Sources", timeout: float | None, encoding: str) -> Live:
    """Ask every server, with progress on a terminal."""
    import anyio

    from toolbooth.catalog import Catalog
    from toolbooth.cli.terminal import progress
    from toolbooth.contracts.gather import contracts_of, gather_contracts, left_out_of

    specs = [replace(spec, timeout=timeout or spec.timeout) for spec in sources.servers]
    quiet_sdk()
    with progress([spec.name for spec in specs]) as shown:
        gathered = anyio.run(gather_contracts, specs, encoding, lambda spec: shown.done(spec.name))
    catalog = Catalog(sources.recorded)
    recorded = contracts_of(catalog, encoding)
    faults = (sources.trouble(fault.server, fault.message) for fault in gathered.faults)
    saved = (
        f"{name} is a saved catalog: of its prompts and resources nothing is known"
        for name in recorded.servers
    )
    contracts = gathered.plus(recorded).contracts
    down = {*sources.unusable, *(fault.server for fault in gathered.faults)}
    return Live(
        contracts,
        (*sources.troubles, *faults),
        (*sources.notes, *gathered.notes, *left_out_of(catalog), *saved),
        frozenset(recorded.servers),
        frozenset(down - contracts.servers.keys()),
    )
