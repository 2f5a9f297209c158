"""What the user named, locks among it → the contracts of all of it, and what could not be read."""

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from toolbooth.errors import ConfigError

if TYPE_CHECKING:
    from toolbooth.catalog.load import Sources, Trouble
    from toolbooth.cli.lock_live import Live
    from toolbooth.contracts import ServerContract

LOCK = ".lock"


def read_all(options: Namespace, command: Sequence[str]) -> "Live":
    """Locks are read, servers asked, saved catalogs taken as they are; a live server stands before a locked one."""
    from toolbooth.cli.lock_live import Live
    from toolbooth.contracts import Contracts

    locks = [name for name in options.source if name.endswith(LOCK) and "://" not in name]
    others = [name for name in options.source if name not in locks]
    locked, troubles = _locked(locks)
    live = _others(others, command, options) if others or command or not locks else Live(Contracts())
    servers = {**locked, **live.contracts.servers}
    return Live(replace(live.contracts, servers=servers), (*troubles, *live.troubles), live.notes)


def _others(named: Sequence[str], command: Sequence[str], options: Namespace) -> "Live":
    """Where only saved catalogs are named, no server is started, and the protocol SDK is not imported: 1 s."""
    from toolbooth.cli.lock_live import ask_live
    from toolbooth.cli.sources import named_sources
    from toolbooth.tokens import DEFAULT_ENCODING

    if named and not command:
        sources = named_sources(named, (), None)
        if not sources.servers:
            return _saved(sources)
    asked = Namespace(
        source=named,
        timeout=options.timeout,
        user_only=options.user_only,
        trust_project=options.trust_project,
    )
    return ask_live(asked, command, DEFAULT_ENCODING)


def _saved(sources: "Sources") -> "Live":
    from toolbooth.catalog import Catalog
    from toolbooth.cli.lock_live import Live
    from toolbooth.contracts.gather import contracts_of

    catalog = Catalog(sources.recorded)
    aside = (
        f"{entry.server}: {entry.name or 'an entry'} was not looked at: {entry.reason}"
        for entry in catalog.set_aside
    )
    return Live(contracts_of(catalog), sources.troubles, (*sources.notes, *aside))


def _locked(names: Sequence[str]) -> tuple[dict[str, "ServerContract"], list["Trouble"]]:
    from toolbooth.catalog.load import Trouble
    from toolbooth.contracts.toolbooth_lock import read_lock

    servers: dict[str, ServerContract] = {}
    troubles = []
    for name in names:
        try:
            servers |= read_lock(Path(name).expanduser()).contracts.servers
        except ConfigError as error:
            troubles.append(Trouble(name, error.message))
    return servers, troubles
