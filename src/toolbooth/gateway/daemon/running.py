"""A service → this process as its user's daemon, if no other process is that already."""

import logging
import os
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, suppress
from functools import partial

from toolbooth.errors import DaemonFault, ToolboothError
from toolbooth.gateway.daemon.hello import Hello
from toolbooth.gateway.daemon.lock import Lock, remove_left_files
from toolbooth.gateway.daemon.log import Log, LogHandler, kind_and_place
from toolbooth.gateway.daemon.place import Place, find_place
from toolbooth.gateway.daemon.server import Daemon
from toolbooth.gateway.daemon.session import Front, Service
from toolbooth.gateway.daemon.starting import READY, TAKEN
from toolbooth.gateway.loop import run

__all__ = ["Front", "Hello", "run_daemon"]

ServiceOpener = Callable[[], AbstractAsyncContextManager[Service]]


def run_daemon(open_service: ServiceOpener, ready_descriptor: int | None = None) -> None:
    """Serve until it is time to end. The starter hears by `ready_descriptor` that it may connect."""
    place = find_place()
    lock = Lock(place.lock)
    if not lock.take():
        _tell(ready_descriptor, TAKEN)
        raise DaemonFault("a daemon runs already; `toolbooth daemon status` shows it")
    with suppress(OSError):  # they only take room
        remove_left_files(place.folder, place.lock)
    log = Log()
    logging.basicConfig(handlers=[LogHandler(log)])
    try:
        run(_serve, place, lock, log, open_service, partial(_tell, ready_descriptor, READY))
    except ToolboothError:
        raise
    except Exception as error:
        raise DaemonFault(f"the daemon failed: {kind_and_place(error)}") from None


async def _serve(
    place: Place, lock: Lock, log: Log, open_service: ServiceOpener, ready: Callable[[], None]
) -> None:
    async with open_service() as service:
        await Daemon(place, lock, service, log).run(ready)


def _tell(descriptor: int | None, word: bytes) -> None:
    if descriptor is not None:
        with suppress(OSError):  # a starter that was interrupted no longer listens
            os.write(descriptor, word)
            os.close(descriptor)
