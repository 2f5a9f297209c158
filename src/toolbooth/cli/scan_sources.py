"""What the user named, locks among it → the contracts of all of it, and what could not be read."""

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from toolbooth.errors import ConfigError

if TYPE_CHECKING:
    from toolbooth.catalog.load import Trouble
    from toolbooth.cli.lock_live import Live
    from toolbooth.contracts import ServerContract

LOCK = ".lock"


def read_all(options: Namespace, command: Sequence[str]) -> "Live":
    """Locks are read, servers asked, saved catalogs taken as they are; a live server stands before a locked one."""
    from toolbooth.cli.lock_live import Live, ask_live
    from toolbooth.contracts import Contracts
    from toolbooth.tokens import DEFAULT_ENCODING

    locks = [name for name in options.source if name.endswith(LOCK) and "://" not in name]
    others = [name for name in options.source if name not in locks]
    locked, troubles = _locked(locks)
    live = Live(Contracts())
    if others or command or not locks:
        asked = Namespace(source=others, timeout=options.timeout, user_only=options.user_only)
        live = ask_live(asked, command, DEFAULT_ENCODING)
    servers = {**locked, **live.contracts.servers}
    return Live(replace(live.contracts, servers=servers), (*troubles, *live.troubles), live.notes)


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
