"""What a process keeps beyond its own life: the ledger, long results, call counts, and news from other processes."""

import logging
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, TypeVar

import anyio
import anyio.to_thread

from toolbooth import safetext, store
from toolbooth.gateway.ledger import Ledger
from toolbooth.gateway.news import NewsReader
from toolbooth.gateway.results import ResultStore
from toolbooth.gateway.usage_counts import UsageCounts

_logger = logging.getLogger(__name__)


@dataclass
class KeptState:
    """One for all gateways of a process."""

    ledger: Ledger
    results: ResultStore
    usage: UsageCounts
    news: NewsReader
    state_notes: list[str]
    _logged: set[str] = field(default_factory=set)

    @property
    def notes(self) -> list[str]:
        """What went wrong with our own files, once each."""
        return [
            *self.ledger.notes,
            *self.results.notes,
            *self.usage.notes,
            *self.news.notes,
            *self.state_notes,
        ]

    def log_notes(self) -> None:
        """Log each of them once."""
        for note in self.notes:
            if note not in self._logged:
                self._logged.add(note)
                _logger.warning("%s", note)

    async def tidy(self) -> None:
        """Store call counts, and forget results that are too old."""
        await self.usage.save()
        await anyio.to_thread.run_sync(self.results.tidy)


@asynccontextmanager
async def open_kept_state(data: Path, cache: Path, *, ledger: bool = True) -> AsyncIterator[KeptState]:
    """The state in the user's folders; what is still to be written is written at the end.

    Without a `ledger`, rows and call counts stay in memory and are gone at the end.
    """
    damages: list[str] = []
    state = store.open_state(data, cache, lambda words: damages.append(safetext.for_log(words)))
    usage, news = UsageCounts(state, keep=ledger), NewsReader(state, time.time())
    async with (
        _closing(state),
        _closing(Ledger(data if ledger else None)) as rows,
        _closing(ResultStore(cache)) as results,
    ):
        kept = KeptState(rows, results, usage, news, damages)
        try:
            yield kept
        finally:
            with anyio.CancelScope(shield=True):
                await usage.save()
            kept.log_notes()


class _Closes(Protocol):
    @property
    def close(self) -> Callable[[], None]: ...


_Closed = TypeVar("_Closed", bound=_Closes)


@asynccontextmanager
async def _closing(written: _Closed) -> AsyncIterator[_Closed]:
    """Write what is still to be written, whatever ended the rest."""
    try:
        yield written
    finally:
        with anyio.CancelScope(shield=True):
            await anyio.to_thread.run_sync(written.close)
