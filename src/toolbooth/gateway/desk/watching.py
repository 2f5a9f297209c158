"""A resource of a server → its updates told to us, in the way of the server's era, once for all who watch it."""

from contextlib import suppress
from weakref import WeakKeyDictionary

from toolbooth.catalog.connect import Link
from toolbooth.errors import BackendFault
from toolbooth.gateway.backends import Backend, listen_for_resource
from toolbooth.gateway.caller import Caller
from toolbooth.gateway.gateway import Gateway

_LISTENING: WeakKeyDictionary[Link, set[str]] = WeakKeyDictionary()


async def watch(gateway: Gateway, backend: Backend, caller: Caller, uri: str) -> None:
    """Raises the fault of a server that refuses."""
    line = await backend.line_for(caller.session, caller.face)
    if not line.link.era.modern:
        await backend.request(caller, "resources/subscribe", {"uri": uri})
    elif uri not in _LISTENING.setdefault(line.link, set()):
        _LISTENING[line.link].add(uri)
        gateway.spawn(_listen, line.link, uri)


async def _listen(link: Link, uri: str) -> None:
    """A second stream for the same resource would tell everything twice."""
    try:
        await listen_for_resource(link, uri)
    finally:
        _LISTENING[link].discard(uri)


async def unwatch(backend: Backend, caller: Caller, uri: str) -> None:
    """A stateless server's stream stays: clients of that era may listen to it, and they do not say when they stop."""
    with suppress(BackendFault):
        line = await backend.line_for(caller.session, caller.face)
        if not line.link.era.modern:
            await backend.request(caller, "resources/unsubscribe", {"uri": uri})
