"""What the user named → the contracts of those servers now, and every server that could not be asked."""

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from toolbooth.cli.sources import named_sources, quiet_sdk

if TYPE_CHECKING:
    from toolbooth.catalog.load import Sources, Trouble
    from toolbooth.contracts import Contracts


@dataclass(frozen=True)
class Live:
    """`troubles` are files and servers that could not be used, `notes` what was renamed or left out."""

    contracts: "Contracts"
    troubles: tuple["Trouble", ...] = ()
    notes: tuple[str, ...] = ()
    recorded: frozenset[str] = frozenset()  # servers of saved catalogs, which know of tools alone

    def as_far_as_known(self, locked: "Contracts") -> "Contracts":
        """While something could not be used, a locked server that did not answer may be behind it: as it was locked."""
        if not self.troubles:
            return self.contracts
        return replace(self.contracts, servers={**locked.servers, **self.contracts.servers})


def ask_live(options: Namespace, command: Sequence[str], encoding: str) -> Live:
    """Ask every server, with progress on a terminal."""
    import anyio

    from toolbooth.catalog import Catalog
    from toolbooth.catalog.load import Trouble
    from toolbooth.cli.terminal import progress
    from toolbooth.contracts.gather import contracts_of, gather_contracts

    sources = _behind_gateways(named_sources(options.source, command, None, user_only=options.user_only))
    specs = [replace(spec, timeout=options.timeout or spec.timeout) for spec in sources.servers]
    quiet_sdk()
    with progress([spec.name for spec in specs]) as shown:
        gathered = anyio.run(gather_contracts, specs, encoding, lambda spec: shown.done(spec.name))
    recorded = contracts_of(Catalog(sources.recorded), encoding)
    faults = (Trouble(fault.server, fault.message) for fault in gathered.faults)
    saved = (
        f"{name} is a saved catalog: of its prompts and resources nothing is known"
        for name in recorded.servers
    )
    return Live(
        gathered.plus(recorded).contracts,
        (*sources.troubles, *faults),
        (*sources.notes, *gathered.notes, *saved),
        frozenset(recorded.servers),
    )


def _behind_gateways(sources: "Sources") -> "Sources":
    """A wrapped client's config names this gateway: what counts are the servers behind it."""
    from toolbooth.catalog.config import is_own_server, kept_copies
    from toolbooth.catalog.load import find_sources

    own = [spec for spec in sources.servers if is_own_server(spec)]
    others = tuple(spec for spec in sources.servers if spec not in own)
    sources = replace(sources, servers=others)
    for spec in own:
        copies = [str(path) for path in kept_copies(spec.args)]
        names = {each.name for each in sources.servers}
        behind = find_sources(copies) if copies else replace(sources, servers=(), troubles=())
        read = ": the servers behind it are read instead" if copies else ""
        sources = replace(
            sources,
            servers=(*sources.servers, *(each for each in behind.servers if each.name not in names)),
            troubles=(*sources.troubles, *behind.troubles),
            notes=(*sources.notes, f"{spec.name} is this gateway itself, so it is left out{read}"),
        )
    return sources
