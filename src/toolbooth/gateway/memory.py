"""The cache folder → what is remembered of servers, kept up to date without holding up the event loop."""

import logging
import time
from collections.abc import Mapping
from typing import Any

import anyio
import anyio.to_thread

from toolbooth.catalog import ServerSpec, ServerTools
from toolbooth.gateway.cache import Cache, Remembered, StoredVectors
from toolbooth.limits import CACHE_MAX_AGE

_logger = logging.getLogger(__name__)


class Memory:
    """Reads at once, writes in a thread."""

    def __init__(self, cache: Cache, tasks: anyio.abc.TaskGroup) -> None:
        self._cache, self._tasks = cache, tasks
        self._known: dict[ServerSpec, float] = {}
        self._stored: dict[ServerSpec, ServerTools] = {}
        self._told = 0
        self._writing = anyio.Lock()
        self.usage = cache.load_usage()

    @property
    def notes(self) -> list[str]:
        """What went wrong with the cache, each once."""
        return self._cache.notes

    def recall(self, spec: ServerSpec) -> Remembered | None:
        """What this server offered when it was last up."""
        known = self._cache.load(spec)
        self._tell()
        if known is not None:
            self._known[spec], self._stored[spec] = known.refreshed, known.offered
        return known

    def fresh(self, spec: ServerSpec) -> bool:
        """Whether the server was seen not long ago."""
        return time.time() - self._known.get(spec, 0.0) < CACHE_MAX_AGE

    def store(
        self,
        spec: ServerSpec,
        offered: ServerTools,
        capabilities: Mapping[str, Any] | None,
        vectors: StoredVectors | None = None,
    ) -> None:
        """Keep what a server offers now."""
        same = self._stored.get(spec) == offered and vectors is None and self.fresh(spec)
        self._known[spec], self._stored[spec] = time.time(), offered
        if not same:
            self._tasks.start_soon(self._save, spec, offered, dict(capabilities or {}), vectors)

    async def _save(
        self,
        spec: ServerSpec,
        offered: ServerTools,
        capabilities: Mapping[str, Any],
        vectors: StoredVectors | None,
    ) -> None:
        async with (
            self._writing
        ):  # in the order of the orders: an entry without vectors comes before that with them
            await anyio.to_thread.run_sync(self._cache.save, spec, offered, capabilities, vectors)
        self._tell()

    def _tell(self) -> None:
        """The cache notes each trouble once, and so does the log."""
        for note in self.notes[self._told :]:
            _logger.warning("%s", note)
        self._told = len(self.notes)

    def save_usage(self, usage: Mapping[str, int]) -> None:
        """Keep the counts of calls; called seldom, and at the end."""
        if usage:
            self._cache.save_usage(usage)
