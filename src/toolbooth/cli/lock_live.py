"""What the user named → the contracts of those servers now, and every server that could not be asked."""

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from toolbooth.cli.sources import named_sources, quiet_sdk

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

    def as_far_as_known(self, locked: "Contracts") -> "Contracts":
        """What could not be asked is as it was locked: all that a saved catalog says nothing of; and, while something
        could not be used, a locked server that did not answer, as it may be behind that."""
        half_known = self.recorded & locked.servers.keys()
        completed = {
            name: _completed(server, locked.servers[name]) if name in half_known else server
            for name, server in self.contracts.servers.items()
        }
        silent = locked.servers if self.troubles else {}
        return replace(self.contracts, servers={**silent, **completed})


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
    from toolbooth.catalog.load import Trouble
    from toolbooth.cli.terminal import progress
    from toolbooth.contracts.gather import contracts_of, gather_contracts, left_out_of

    specs = [replace(spec, timeout=timeout or spec.timeout) for spec in sources.servers]
    quiet_sdk()
    with progress([spec.name for spec in specs]) as shown:
        gathered = anyio.run(gather_contracts, specs, encoding, lambda spec: shown.done(spec.name))
    catalog = Catalog(sources.recorded)
    recorded = contracts_of(catalog, encoding)
    faults = (Trouble(fault.server, fault.message) for fault in gathered.faults)
    saved = (
        f"{name} is a saved catalog: of its prompts and resources nothing is known"
        for name in recorded.servers
    )
    return Live(
        gathered.plus(recorded).contracts,
        (*sources.troubles, *faults),
        (*sources.notes, *gathered.notes, *left_out_of(catalog), *saved),
        frozenset(recorded.servers),
    )
