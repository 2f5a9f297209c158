"""The writer of a gateway's offers: each goes into the cache at once, and again when its search index is made.

The indexes are made one after the other in a thread, and each is written before the next is made, so that saving is
linear in servers. They are joined for a search when no more servers are expected: each join reads the whole catalog.
What is still to be written when the gateway ends is written then, within a limit.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import anyio
import anyio.to_thread

from toolbooth import catalog, limits
from toolbooth.gateway.cached_offer import CachedOffer
from toolbooth.gateway.offer_cache import OfferCache
from toolbooth.gateway.tool_registry import ToolRegistry
from toolbooth.gateway.upstreams.tool_list import work_ahead

_JOINING: Final = (
    4  # as long as this many joins took is waited before the next: joins then take a fifth of the time
)


class _Offer(NamedTuple):
    spec: catalog.ServerSpec
    offered: catalog.ServerTools
    capabilities: Mapping[str, Any] | None
    refreshed: float | None  # None: just now
    new: bool  # it lacks an index, or what is kept of it is old


class OfferWriter:
    """Writes what servers list, and what was recalled without a usable index."""

    def __init__(
        self,
        registry: ToolRegistry,
        offer_cache: OfferCache,
        spawn: Callable[..., None],
        slims: Callable[[], bool],
    ) -> None:
        self._registry, self._cache, self._spawn, self._slims = registry, offer_cache, spawn, slims
        self._waiting: dict[str, _Offer] = {}
        self._recalled: dict[str, _Offer] = {}
        self._turn = anyio.Lock()
        self._running = False
        self._pause = 0.0

    def listed(
        self, spec: catalog.ServerSpec, offered: catalog.ServerTools, capabilities: Mapping[str, Any] | None
    ) -> None:
        """A server listed its tools: even a process that is killed soon leaves them in the cache."""
        new = self._cache.seen(spec, offered)
        if new:
            self._spawn(self._cache.store, spec, offered, capabilities)
        new = new or not self._cache.indexed(spec)
        offer = _Offer(spec, offered, capabilities, None, new=True)
        self._waiting[spec.name], self._recalled[spec.name] = offer._replace(new=new), offer
        self._spawn(self.run)

    def recalled(self, spec: catalog.ServerSpec, known: CachedOffer) -> None:
        """An offer came from the cache; what its index lacks is made by the next `run`."""
        offer = _Offer(spec, known.offered, known.capabilities, known.refreshed, new=True)
        waiting = self._recalled if known.index is not None else self._waiting
        waiting[spec.name] = offer

    def forget(self, server: str) -> None:
        """The server is no longer served."""
        self._waiting.pop(server, None)
        self._recalled.pop(server, None)

    async def run(self) -> None:
        """Write all that waits, then join it for a search. One run at a time does all the work."""
        if self._running:
            return
        self._running = True
        try:
            while await self._written_ahead():
                await anyio.sleep(max(limits.WORK_AHEAD_AFTER, self._pause))
                if not self._waiting:
                    began = anyio.current_time()
                    await self._registry.warm()
                    self._pause = _JOINING * (anyio.current_time() - began)
        finally:
            self._running = False

    async def finish(self) -> None:
        """Write what still waits, because the process ends."""
        self._take_unsaved()
        with anyio.move_on_after(limits.WRITE_AT_CLOSE):
            while self._waiting:
                await self._write_next()

    async def _written_ahead(self) -> bool:
        """Write all that waits; returns whether there is something to join."""
        self._take_unsaved()
        while self._waiting:
            offer = await self._write_next()
            if offer is not None:
                await anyio.to_thread.run_sync(work_ahead, offer.offered, self._slims())
        return not self._registry.warmed

    def _take_unsaved(self) -> None:
        """The index that is kept of an offer was of no use, and has been made anew."""
        for server in self._registry.unsaved:
            offer = self._recalled.pop(server, None)
            if offer is not None:
                self._waiting.setdefault(server, offer)

    async def _write_next(self) -> _Offer | None:
        async with self._turn:
            name, offer = next(iter(self._waiting.items()), ("", None))
            if offer is not None:
                if offer.new:
                    await self._write(offer)
                if self._waiting.get(name) is offer:
                    del self._waiting[name]
            return offer

    async def _write(self, offer: _Offer) -> None:
        """Keep an offer with the index of what is shown of it, unless either changes meanwhile."""
        shown = self._registry.shown_of(offer.offered)
        if shown is None:
            return
        index = await anyio.to_thread.run_sync(self._registry.stored_index, offer.spec.name)
        if index is not None and self._registry.shown_of(offer.offered) is shown:
            await self._cache.store(offer.spec, offer.offered, offer.capabilities, index, offer.refreshed)
