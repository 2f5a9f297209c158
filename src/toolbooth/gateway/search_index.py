"""The search engine of a tool registry, with the changes that it has not read yet."""

from collections.abc import Callable, Mapping
from threading import Lock
from typing import TYPE_CHECKING, Final, NamedTuple

from toolbooth.catalog import ServerTools

if TYPE_CHECKING:
    from toolbooth.search import SearchEngine, SearchResult

_FIRST_QUERY: Final = (
    "serch"  # misspelled, so that what repairs a word is loaded now, too (30 ms at 4,000 tools)
)


StoredIndex = bytes | Callable[[], bytes | None] | None
"""What `stored_index` returned, or where it can be had when it is needed."""


class _Change(NamedTuple):
    offered: ServerTools | None  # None: the server is gone
    stored: StoredIndex = None


def default_engine() -> "SearchEngine":
    """The engine with lexical search and the bundled word vectors."""
    from toolbooth.search import SearchEngine

    return SearchEngine()


class SearchIndex:
    """The search engine and its pending changes, which may come while another thread builds it; searches wait."""

    def __init__(self, make_engine: Callable[[], "SearchEngine"] = default_engine) -> None:
        self._make = make_engine
        self._engine: SearchEngine | None = None
        self._waiting: dict[str, _Change] = {}
        self._unsaved: dict[str, None] = {}
        self._lock = Lock()

    @property
    def fresh(self) -> bool:
        """Whether a search would answer at once."""
        joined = self._engine is not None and self._engine.joined
        return joined and not self._waiting and not self._lock.locked()

    def replace(self, offered: ServerTools, index: StoredIndex = None) -> None:
        """Replace everything that the server offers."""
        self._waiting[offered.server] = _Change(offered, index)

    def remove(self, server: str) -> None:
        """Remove a server."""
        self._waiting[server] = _Change(None)
        self._unsaved.pop(server, None)

    def bring_up(self) -> None:
        """Create the engine and let it read all changes: slow, so made for a thread."""
        with self._lock:
            self._current().search(_FIRST_QUERY, 1)

    def search(self, query: str, limit: int, server: str | None, usage: Mapping[str, int]) -> "SearchResult":
        """Search what is there now."""
        with self._lock:
            return self._current().search(query, limit, server=server, usage=usage)

    @property
    def unsaved(self) -> tuple[str, ...]:
        """The servers whose index was made here, and not asked for since."""
        return tuple(self._unsaved)

    def stored(self, server: str) -> bytes | None:
        """The index of one server's tools, for the cache. Those of other servers are not joined with it, which would
        take as long as the whole catalog is large.
        """
        with self._lock:
            self._taken_in(server)
            self._unsaved.pop(server, None)
            return self._made().stored(server)

    def copied(self, server: str) -> bytes | None:
        """The same for another registry in this process: whoever writes the cache still has to ask."""
        with self._lock:
            self._taken_in(server)
            return self._made().stored(server)

    def _taken_in(self, server: str) -> None:
        if server in self._waiting:
            self._take_in(server)

    def _current(self) -> "SearchEngine":
        engine = self._made()
        while self._waiting:
            self._take_in(next(iter(self._waiting)))
        return engine

    def _made(self) -> "SearchEngine":
        engine = self._engine = self._engine or self._make()
        return engine

    def _take_in(self, server: str) -> None:
        engine, change = self._made(), self._waiting.pop(server)
        stored = change.stored() if callable(change.stored) else change.stored
        if change.offered is None:
            engine.remove_server(server)
        elif not engine.replace_server(server, change.offered.tools, _about(change.offered), stored):
            self._unsaved[server] = None


def _about(offered: ServerTools) -> str:
    return " ".join(part for part in (offered.title, offered.description, offered.instructions) if part)
