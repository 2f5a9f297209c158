"""The registry of the tools of all upstreams, found by name or by a search.

It is filled from the cache first, and by servers as they come up. A gate may hold tools back; only what
passes it is found, listed and called. The search engine is created, and brought up to date, when the first
search needs it: with numpy and its word vectors it costs more than the rest of a start, and 4,000 tools take
a second.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import anyio
import anyio.to_thread

from toolbooth import limits
from toolbooth.catalog import EVERY_TOOL, Catalog, ServerTools, Tool, ToolFilter
from toolbooth.gateway import cached_offer, normalized_tool, public_names, search_index

if TYPE_CHECKING:
    from toolbooth.search import SearchEngine, SearchResult


class OfferGate(Protocol):
    """Decides which offered tools enter the registry: only those are found, listed and called."""

    def admit(self, offered: ServerTools) -> ServerTools:
        """What may be shown of all that a server offers now; the very same object if that is all of it."""
        ...

    def forget(self, server: str) -> None:
        """The server is no longer served."""
        ...

    def why(self, tool: Tool) -> str:
        """One line on a tool that was not admitted."""
        ...

    def note(self, count: int) -> str:
        """One line on this many tools that were not admitted."""
        ...

    def approved_hints(self, tool: Tool) -> Mapping[str, Any] | None:
        """The annotations with which the tool was approved, if it was."""
        ...


class ToolRepair(NamedTuple):
    """A tool that an SDK would have rejected, and what was repaired."""

    tool: str
    what: str


class _Entry(NamedTuple):
    """`sent` is what a server sent, `offered` what the config lets through of it; `shown` is what the gate admitted of
    that, and all that anybody sees.

    `whole` says that this is all that the server sent, unchanged.
    """

    sent: ServerTools
    offered: ServerTools
    shown: ServerTools
    by_name: Mapping[str, Tool]
    trusted: bool
    whole: bool


class ToolRegistry:
    """The tools of all servers. `configured` alone gives the order of the servers.

    `usage` holds the calls so far by tool id; registries may share it, and count on in it.
    Use a registry from one event loop; only `warm` leaves it.
    """

    def __init__(
        self,
        configured: Iterable[str] = (),
        usage: Counter[str] | None = None,
        make_engine: Callable[[], "SearchEngine"] = search_index.default_engine,
    ) -> None:
        self.configured = tuple(configured)
        self.version = 0
        self.gate: OfferGate | None = None
        self.absent: Mapping[str, str] = {}  # why a server that the config names cannot be used
        self.filters: Mapping[str, ToolFilter] = {}  # what the config lets through, by server
        self._entries: dict[str, _Entry] = {}
        self._usage: Counter[str] = Counter() if usage is None else usage
        self._index = search_index.SearchIndex(make_engine)
        self._warming = anyio.Lock()
        self._catalog: Catalog | None = None
        self._servers: Mapping[str, ServerTools] | None = None
        self._names: public_names.ToolNames | None = None
        self._held: public_names.ToolNames | None = None

    def configure(self, servers: Iterable[str]) -> None:
        """Apply a new config: its servers and their order; what others offered is dropped."""
        self.configured = tuple(servers)
        for server in self._entries.keys() - set(self.configured):
            self.drop(server)
        self._changed()

    def put(
        self, offered: ServerTools, index: search_index.StoredIndex = None, *, trusted: bool = False
    ) -> bool:
        """Replace all that the server offers; True if the definitions that are shown change.

        `index` is what `stored_index` returned for this very offer, whatever was shown of it then. Tools of our `own`
        pass every gate.
        """
        known, sent = self._entries.get(offered.server), offered
        offered = sent if trusted else self.filters.get(sent.server, EVERY_TOOL).of(sent)
        shown = offered if self.gate is None or trusted else self.gate.admit(offered)
        if known is not None and known.shown == shown and _same_definitions(known.shown, shown):
            self._entries[sent.server] = known._replace(
                sent=sent, offered=offered, trusted=trusted, whole=shown is sent
            )
            self._held = None
            return False
        by_name = {tool.name: tool for tool in shown.tools}
        self._entries[sent.server] = _Entry(sent, offered, shown, by_name, trusted, shown is sent)
        if isinstance(index, bytes) and shown is not sent:
            index = partial(cached_offer.index_of_part, index, shown)
        self._index.replace(shown, index)
        self._changed()
        return known is None or not _same_definitions(known.shown, shown)

    def judge_again(self, server: str | None = None) -> bool:
        """The gate has changed for one server or for all: apply it; True if the definitions that are shown change."""
        entries = [entry for name, entry in self._entries.items() if server in (None, name)]
        changes = [self.put(entry.sent, trusted=entry.trusted) for entry in entries]
        return any(changes)

    def let_through(self, filters: Mapping[str, ToolFilter]) -> None:
        """Apply the filters of a config, by server. What they hide does not exist here; no gate is asked about it."""
        if self.filters != filters:
            self.filters = filters
            self.judge_again()

    def shown_of(self, sent: ServerTools) -> ServerTools | None:
        """What is shown of this very offer; None if it was replaced."""
        entry = self._entries.get(sent.server)
        return entry.shown if entry is not None and entry.sent is sent else None

    def knows(self, server: str) -> bool:
        """Whether anything is known of what this server offers."""
        return server in self._entries

    def drop(self, server: str) -> None:
        """Forget a server; an unknown one is no error."""
        if self._entries.pop(server, None) is not None:
            self._index.remove(server)
            self._changed()
        if self.gate is not None:
            self.gate.forget(server)

    @property
    def catalog(self) -> Catalog:
        """Every server that is known, in the order of the config; others follow by name."""
        if self._catalog is None:
            place = {name: at for at, name in enumerate(self.configured)}
            order = sorted(self._entries, key=lambda name: (place.get(name, len(place)), name))
            self._catalog = Catalog(tuple(self._entries[name].shown for name in order))
        return self._catalog

    @property
    def servers(self) -> Mapping[str, ServerTools]:
        """What is shown of each server, in the order of the catalog."""
        if self._servers is None:
            self._servers = MappingProxyType({each.server: each for each in self.catalog.servers})
        return self._servers

    @property
    def repairs(self) -> tuple[ToolRepair, ...]:
        """Every tool that was repaired because an SDK would have rejected it."""
        return tuple(
            ToolRepair(tool.id, what)
            for tool in self.catalog.tools
            for what in normalized_tool.normalized(tool).repairs
        )

    @property
    def names(self) -> public_names.ToolNames:
        """All names; built at the first use after a change."""
        if self._names is None:
            self._names = public_names.ToolNames(self.catalog.tools)
        return self._names

    def find(self, name: str) -> Tool | public_names.AmbiguousName | public_names.UnknownName:
        """The tool of this name, or what it may have meant, or why it is held back."""
        tool = self.look_up(name)
        if tool is not None:
            return tool
        held = self.held_back(name)
        if held is not None:
            return public_names.UnknownName(name, (), held)
        return public_names.UnknownName(name, self.nearest(name), absent=self.why_absent(name))

    def why_absent(self, name: str) -> str:
        """Why the server of this name, or of a tool of this name, cannot be used; empty if no reason is known."""
        server = public_names.server_in(name, self.absent)
        return f"{server} cannot be used: {self.absent[server]}" if server is not None else ""

    def look_up(self, name: str) -> Tool | public_names.AmbiguousName | None:
        """The tool of this name, if there is one. An id costs two dictionary lookups at any size."""
        server, _, bare = name.partition(".")
        entry = self._entries.get(server)
        tool = entry.by_name.get(bare) if entry is not None else None
        return tool or self.names.find(name)

    def is_own(self, server: str) -> bool:
        """Whether its tools are ours: they pass every gate."""
        entry = self._entries.get(server)
        return entry is not None and entry.trusted

    def hints(self, tool: Tool) -> tuple[Mapping[str, Any], ...]:
        """The annotations of the tool, as its server sends them and as they were approved."""
        approved = None if self.gate is None else self.gate.approved_hints(tool)
        return (tool.annotations or {}, *((approved,) if approved is not None else ()))

    def held(self, server: str | None = None) -> tuple[Tool, ...]:
        """The tools that the gate holds back, of one server or of all."""
        if self.gate is None:
            return ()
        names = self._entries.keys() if server is None else self._entries.keys() & {server}
        entries = map(self._entries.__getitem__, names)
        return tuple(tool for each in entries for tool in each.offered.tools if tool.name not in each.by_name)

    def held_back(self, name: str) -> public_names.HeldTool | None:
        """The tool of this name that the gate holds back, and why; the first if there are several."""
        if self.gate is None:
            return None
        if self._held is None:
            self._held = public_names.ToolNames(self.held())
        found = self._held.find(name)
        if isinstance(found, public_names.AmbiguousName):
            found = self._held.find(found.candidates[0])
        return public_names.HeldTool(found, self.gate.why(found)) if isinstance(found, Tool) else None

    def held_note(self, server: str | None = None) -> list[str]:
        """A line on how many tools are held back, if any are."""
        count = len(self.held(server))
        return [self.gate.note(count)] if self.gate is not None and count else []

    def nearest(self, name: str) -> tuple[str, ...]:
        """Nearest names by spelling, and by search if the engine is already up: no wrong name may cost a second."""
        if len(name) > limits.MAX_FUZZY_NAME:  # too long to be a misspelled name
            return ()
        found = (
            [hit.tool for hit in self.search(name, public_names.NEAREST).hits] if self._index.fresh else []
        )
        return tuple(
            self.names.certain(tool) for tool in public_names.nearest(name, self.catalog.tools, found)
        )

    def search(self, query: str, limit: int = 8, server: str | None = None) -> "SearchResult":
        """The best tools for a query; call `warm` after a change, or this call does its work and takes as long."""
        return self._index.search(query, limit, server, self._usage)

    @property
    def warmed(self) -> bool:
        """Whether a search would be answered at once."""
        return self._index.fresh

    async def warm(self) -> None:
        """Bring the search up to date in a thread; returns at once if nothing changed."""
        if self._index.fresh:
            return
        async with self._warming:
            while not self._index.fresh:
                await anyio.to_thread.run_sync(self._index.bring_up)

    def stored_index(self, server: str) -> bytes | None:
        """The search index of what is shown of a server, for the cache: slow, so made for a thread."""
        entry, index = self._entries.get(server), self._index.stored(server)
        if entry is None or index is None:
            return None
        return index if entry.whole else cached_offer.for_part(index, entry.shown)

    def index_of(self, shown: ServerTools) -> bytes | None:
        """The search index of this very object, for a registry that shows it too; nothing if it was replaced
        meanwhile. Slow, so made for a thread.
        """
        index = self._index.copied(shown.server) if self._shows(shown) else None
        return index if self._shows(shown) else None

    def _shows(self, shown: ServerTools) -> bool:
        entry = self._entries.get(shown.server)
        return entry is not None and entry.shown is shown

    @property
    def unsaved(self) -> tuple[str, ...]:
        """The servers whose index was made anew, and not asked for since."""
        return self._index.unsaved

    def used(self, tool_id: str) -> None:
        """Count a call: tools in use rank a little higher."""
        self._usage[tool_id] += 1

    @property
    def usage(self) -> Mapping[str, int]:
        """Calls by tool id."""
        return MappingProxyType(self._usage)

    def _changed(self) -> None:
        self.version += 1
        self._catalog = self._servers = self._names = self._held = None


def _same_definitions(one: ServerTools, other: ServerTools) -> bool:
    """Tools compare without their raw definition, which holds more: titles, icons, `_meta`."""
    return [tool.raw or tool for tool in one.tools] == [tool.raw or tool for tool in other.tools]
