"""The registry of the tools of all upstreams: found by name or by a search.

It is filled from the cache first, and by servers as they come up. A gate may hold tools back; only what passes it is
found, listed and called. The search engine is made, and brought up to date, when the first search needs it: with
numpy and its word vectors it costs more than the rest of a start, and 4,000 tools take a second.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from threading import Lock
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

import anyio
import anyio.to_thread

from toolbooth.catalog import Catalog, ServerTools, Tool
from toolbooth.gateway.cached_offer import StoredVectors
from toolbooth.gateway.normalized_tool import normalized
from toolbooth.gateway.public_names import (
    NEAREST,
    AmbiguousName,
    HeldTool,
    ToolNames,
    UnknownName,
    nearest,
    server_in,
)
from toolbooth.limits import MAX_FUZZY_NAME

if TYPE_CHECKING:
    from toolbooth.search import SearchEngine, SearchResult


class OfferGate(Protocol):
    """Stands before the book and decides what of an offer gets in: only that is found, listed and called."""

    def admit(self, offered: ServerTools) -> ServerTools:
        """What may be shown of all that a server offers now; the very same object where that is all of it."""
        ...

    def forget(self, server: str) -> None:
        """The server is not served any more."""
        ...

    def why(self, tool: Tool) -> str:
        """One line on a tool that did not get in."""
        ...

    def note(self, count: int) -> str:
        """One line on so many of them."""
        ...


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


class ToolRepair(NamedTuple):
    """A tool that an SDK would have refused, and what was mended."""

    tool: str
    what: str


class _Entry(NamedTuple):
    """`offered` is what a server sent; `shown` what the gate let in of it, and all that anybody sees."""

    offered: ServerTools
    shown: ServerTools
    by_name: Mapping[str, Tool]
    repairs: tuple[ToolRepair, ...]
    trusted: bool


class ToolRegistry:
    """The tools of all servers. `configured` gives the order of servers, and is the only thing that does.

    `usage` are the calls of each tool id so far. To be used from one event loop; `warm` alone leaves it.
    """

    def __init__(
        self,
        configured: Iterable[str] = (),
        usage: Mapping[str, int] | None = None,
        make_engine: Callable[[], "SearchEngine"] = default_engine,
    ) -> None:
        self.configured = tuple(configured)
        self.version = 0
        self.gate: OfferGate | None = None
        self.absent: Mapping[str, str] = {}  # servers that the config names and nobody can use, and why
        self._entries: dict[str, _Entry] = {}
        self._usage = Counter(usage or {})
        self._index = SearchIndex(make_engine)
        self._warming = anyio.Lock()
        self._catalog: Catalog | None = None
        self._names: ToolNames | None = None
        self._held: ToolNames | None = None

    def configure(self, servers: Iterable[str]) -> None:
        """A new config: its servers and their order; what others offered is dropped."""
        self.configured = tuple(servers)
        for server in self._entries.keys() - set(self.configured):
            self.drop(server)
        self._changed()

    def put(
        self, offered: ServerTools, vectors: StoredVectors | None = None, *, trusted: bool = False
    ) -> bool:
        """Take this for all that the server offers; True if the definitions that show are not those known before.

        `vectors` are those that an engine gave for this very offer. What is our `own` passes every gate.
        """
        known = self._entries.get(offered.server)
        shown = offered if self.gate is None or trusted else self.gate.admit(offered)
        if known is not None and known.shown == shown and _same_wires(known.shown, shown):
            self._entries[offered.server] = known._replace(offered=offered, trusted=trusted)
            self._held = None
            return False
        repairs = tuple(
            ToolRepair(tool.id, what) for tool in shown.tools for what in normalized(tool).repairs
        )
        by_name = {tool.name: tool for tool in shown.tools}
        self._entries[offered.server] = _Entry(offered, shown, by_name, repairs, trusted)
        self._index.replace(shown, vectors if shown is offered else None)
        self._changed()
        return known is None or not _same_wires(known.shown, shown)

    def judge_again(self, server: str | None = None) -> bool:
        """The gate has changed its mind, of one server or of all: True if other definitions show than before."""
        entries = [entry for name, entry in self._entries.items() if server in (None, name)]
        changes = [self.put(entry.offered, trusted=entry.trusted) for entry in entries]
        return any(changes)

    def shows_all_of(self, offered: ServerTools) -> bool:
        """Whether this very offer is what shows, with nothing held back and nothing in place of it."""
        entry = self._entries.get(offered.server)
        return entry is not None and entry.shown is offered

    def drop(self, server: str) -> None:
        """Forget a server; an unknown one is no mistake."""
        if self._entries.pop(server, None) is not None:
            self._index.remove(server)
            self._changed()
        if self.gate is not None:
            self.gate.forget(server)

    @property
    def catalog(self) -> Catalog:
        """Every server that is known, in the order of the config; others after them, by name."""
        if self._catalog is None:
            place = {name: at for at, name in enumerate(self.configured)}
            order = sorted(self._entries, key=lambda name: (place.get(name, len(place)), name))
            self._catalog = Catalog(tuple(self._entries[name].shown for name in order))
        return self._catalog

    @property
    def servers(self) -> Mapping[str, ServerTools]:
        """What shows of each server, in the order of the catalog."""
        return MappingProxyType({each.server: each for each in self.catalog.servers})

    @property
    def repairs(self) -> tuple[ToolRepair, ...]:
        """Every tool that is served otherwise than its server sent it, because an SDK would refuse it."""
        return tuple(repair for each in self.catalog.servers for repair in self._entries[each.server].repairs)

    @property
    def names(self) -> ToolNames:
        """All spellings; made anew at the first look after a change."""
        if self._names is None:
            self._names = ToolNames(self.catalog.tools, single=len(self.configured) == 1)
        return self._names

    def find(self, name: str) -> Tool | AmbiguousName | UnknownName:
        """The tool of this name, or what it may have meant, or why it is held back."""
        tool = self.look_up(name)
        if tool is not None:
            return tool
        held = self.held_back(name)
        if held is not None:
            return UnknownName(name, (), held)
        return UnknownName(name, self._nearest(name), absent=self.why_absent(name))

    def why_absent(self, name: str) -> str:
        """Why the server of this name, or of a tool of this name, cannot be used; empty where none is known so."""
        server = server_in(name, self.absent)
        return f"{server} cannot be used: {self.absent[server]}" if server is not None else ""

    def look_up(self, name: str) -> Tool | AmbiguousName | None:
        """The tool of this name, if there is one. An id costs two dictionary look-ups at any size."""
        server, _, bare = name.partition(".")
        entry = self._entries.get(server)
        tool = entry.by_name.get(bare) if entry is not None else None
        return tool or self.names.find(name)

    def held(self, server: str | None = None) -> tuple[Tool, ...]:
        """The tools that the gate keeps back, of one server or of all."""
        if self.gate is None:
            return ()
        names = self._entries.keys() if server is None else self._entries.keys() & {server}
        entries = map(self._entries.__getitem__, names)
        return tuple(tool for each in entries for tool in each.offered.tools if tool.name not in each.by_name)

    def held_back(self, name: str) -> HeldTool | None:
        """The tool of this name that the gate keeps back, and why; of several such the first."""
        if self.gate is None:
            return None
        if self._held is None:
            self._held = ToolNames(self.held(), single=len(self.configured) == 1)
        found = self._held.find(name)
        if isinstance(found, AmbiguousName):
            found = self._held.find(found.candidates[0])
        return HeldTool(found, self.gate.why(found)) if isinstance(found, Tool) else None

    def held_note(self, server: str | None = None) -> list[str]:
        """A line on how many tools are held back, where any are."""
        count = len(self.held(server))
        return [self.gate.note(count)] if self.gate is not None and count else []

    def _nearest(self, name: str) -> tuple[str, ...]:
        """By spelling, and by words where the engine is already up: no wrong name may cost a second."""
        if len(name) > MAX_FUZZY_NAME:  # no misspelling of anything
            return ()
        found = [hit.tool for hit in self.search(name, NEAREST).hits] if self._index.fresh else []
        return tuple(self.names.certain(tool) for tool in nearest(name, self.catalog.tools, found))

    def search(self, query: str, limit: int = 8, server: str | None = None) -> "SearchResult":
        """The best tools for a query; after a change `warm` first, or this does its work and takes as long."""
        return self._index.search(query, limit, server, self._usage)

    async def warm(self) -> None:
        """Bring the search up to every change, in a thread; at once where nothing changed."""
        if self._index.fresh:
            return
        async with self._warming:
            while not self._index.fresh:
                await anyio.to_thread.run_sync(self._index.bring_up)

    def vectors(self, server: str) -> StoredVectors | None:
        """The vectors of a server's tools for the cache; None before the search was needed."""
        return self._index.vectors(server)

    def used(self, tool_id: str) -> None:
        """Count a call: what is used is found a little sooner."""
        self._usage[tool_id] += 1

    @property
    def usage(self) -> Mapping[str, int]:
        """Calls of each tool id."""
        return MappingProxyType(self._usage)

    def _changed(self) -> None:
        self.version += 1
        self._catalog = self._names = self._held = None


def _same_wires(one: ServerTools, other: ServerTools) -> bool:
    """Tools compare without the wire object, which holds more: titles, icons, `_meta`."""
    return [tool.wire or tool for tool in one.tools] == [tool.wire or tool for tool in other.tools]
