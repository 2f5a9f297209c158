"""Changes of the book → a search engine that is made, and brought up to them, only when it is needed.

The engine, numpy and the table of word vectors cost more than the rest of a start, and 4,000 tools take a second.
"""

from collections.abc import Callable, Mapping
from threading import Lock
from typing import TYPE_CHECKING, Final, NamedTuple

from toolbooth.catalog import ServerTools
from toolbooth.gateway.cache.vectors import StoredVectors

if TYPE_CHECKING:
    from toolbooth.search import SearchEngine, SearchResult

_FIRST_QUERY: Final = (
    "serch"  # misspelled: what repairing a word needs is read now, too (30 ms at 4,000 tools)
)


class _Change(NamedTuple):
    offered: ServerTools | None  # None: the server is gone
    vectors: StoredVectors | None = None


def default_engine() -> "SearchEngine":
    """Words and the bundled table."""
    from toolbooth.search import SearchEngine

    return SearchEngine()


class SearchIndex:
    """Changes may come while another thread brings the engine up; searches wait for it."""

    def __init__(self, make_engine: Callable[[], "SearchEngine"] = default_engine) -> None:
        self._make = make_engine
        self._engine: SearchEngine | None = None
        self._waiting: dict[str, _Change] = {}
        self._lock = Lock()

    @property
    def fresh(self) -> bool:
        """Whether a search would answer at once."""
        return self._engine is not None and not self._waiting and not self._lock.locked()

    def replace(self, offered: ServerTools, vectors: StoredVectors | None = None) -> None:
        """Take this for all that the server offers."""
        self._waiting[offered.server] = _Change(offered, vectors)

    def remove(self, server: str) -> None:
        """Forget a server."""
        self._waiting[server] = _Change(None)

    def bring_up(self) -> None:
        """Make the engine and let it read all changes; the slow part, fit for a thread."""
        with self._lock:
            self._current().search(_FIRST_QUERY, 1)

    def search(self, query: str, limit: int, server: str | None, usage: Mapping[str, int]) -> "SearchResult":
        """Search what is there now."""
        with self._lock:
            return self._current().search(query, limit, server=server, usage=usage)

    def vectors(self, server: str) -> StoredVectors | None:
        """To be kept in the cache; None before the engine is up."""
        with self._lock:
            return None if self._engine is None else StoredVectors.of(self._current(), server)

    def _current(self) -> "SearchEngine":
        engine = self._engine = self._engine or self._make()
        while self._waiting:
            server, change = self._waiting.popitem()
            if change.offered is None:
                engine.remove_server(server)
                continue
            stored = change.vectors.fitting(engine, len(change.offered.tools)) if change.vectors else None
            engine.replace_server(server, change.offered.tools, _about(change.offered), stored)
        return engine


def _about(offered: ServerTools) -> str:
    return " ".join(part for part in (offered.title, offered.description, offered.instructions) if part)
