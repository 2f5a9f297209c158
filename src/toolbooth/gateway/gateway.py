"""Settings and backends → the one thing that all sessions of a config share."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import anyio
import anyio.to_thread
from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    PromptsListChanged,
    ResourcesListChanged,
    ResourceUpdated,
    ServerEvent,
    ToolsListChanged,
)

from toolbooth.catalog import Catalog, ServerTools, Tool
from toolbooth.catalog.config import AnswerCaps, GatewaySettings, Reduction
from toolbooth.catalog.connect import Era, Face, Notice
from toolbooth.errors import BackendFault, UserMistake
from toolbooth.gateway.backends import Backend
from toolbooth.gateway.book import Book
from toolbooth.gateway.caller import Session
from toolbooth.gateway.code_room import CodeRoom
from toolbooth.gateway.daemon.log import kind_and_place
from toolbooth.gateway.ledger import Ledger
from toolbooth.gateway.lock_watch import LockWatch
from toolbooth.gateway.memory import Memory
from toolbooth.gateway.offers import Offers, callable_tools, work_ahead
from toolbooth.gateway.parking import Parking
from toolbooth.gateway.results import ResultStore
from toolbooth.gateway.saved_scripts import SavedScripts
from toolbooth.gateway.uris import Uris
from toolbooth.limits import FIRST_LIST_WAIT, MAX_PARALLEL_CONNECTS, WORK_AHEAD_AFTER
from toolbooth.safetext import for_log

if TYPE_CHECKING:
    from toolbooth.sandbox import Namespace

_logger = logging.getLogger(__name__)
_TOOLS_CHANGED = "notifications/tools/list_changed"
_EVENTS: Mapping[str, ServerEvent] = {
    _TOOLS_CHANGED: ToolsListChanged(),
    "notifications/prompts/list_changed": PromptsListChanged(),
    "notifications/resources/list_changed": ResourcesListChanged(),
}


class Gateway:
    """The servers of one config, what they offer, and the sessions in front of them."""

    def __init__(
        self,
        settings: GatewaySettings,
        caps: AnswerCaps,
        backends: Iterable[Backend],
        memory: Memory,
        tasks: anyio.abc.TaskGroup,
        make_backend: Callable[[str, Mapping[str, Any]], Backend],
        ledger: Ledger | None = None,
        results: ResultStore | None = None,
        code: CodeRoom | None = None,
        scripts: SavedScripts | None = None,
    ) -> None:
        self.settings, self.caps, self.memory = settings, caps, memory
        self.ledger, self.results = ledger or Ledger(None), results or ResultStore()
        self.code, self.scripts = code or CodeRoom(), scripts or SavedScripts()
        self._namespace: tuple[int, Namespace] | None = None
        self._make_backend = make_backend
        self.backends: dict[str, Backend] = {}
        self.capabilities: dict[str, Mapping[str, Any] | None] = {}
        self.sessions: set[Session] = set()
        self.uris = Uris()
        self.bus = InMemorySubscriptionBus()
        self.parking = Parking(tasks)
        self.book = Book(usage=memory.usage)
        self.lock = LockWatch(self.book, self._secrets_of, self._tools_changed)
        self.lock.follow(settings.contracts)
        self._tasks = tasks
        self._connects = anyio.CapacityLimiter(MAX_PARALLEL_CONNECTS)
        self._settled: dict[str, asyncio.Event] = {}
        self._patience: WeakKeyDictionary[Backend, float] = WeakKeyDictionary()
        self._worked_ahead: Catalog | None = None
        self._offers: dict[str, Offers] = {}
        self.left_out: list[str] = []
        self._registered: dict[str, Backend] = {}
        self._deregistered: set[str] = set()
        self._reductions: tuple[GatewaySettings, AnswerCaps, dict[str, Reduction]] | None = None
        self.use(backends)

    def reduction(self, tool_id: str) -> Reduction:
        """How the answers of a tool are cut, as the config says now."""
        known = self._reductions
        if known is None or known[0] is not self.settings or known[1] is not self.caps:
            known = self._reductions = (self.settings, self.caps, {})
        found = known[2].get(tool_id)
        if found is None:
            found = known[2][tool_id] = self.settings.reduce.capped(self.caps.cap_for(tool_id))
        return found

    def names_in_code(self) -> "Namespace":
        """How code calls the tools of the book as it stands now."""
        from toolbooth.sandbox import Namespace

        if self._namespace is None or self._namespace[0] != self.book.version:
            self._namespace = (self.book.version, Namespace(self.book.catalog))
        return self._namespace[1]

    # -- which servers there are ---------------------------------------------------------------------------
    def use(self, backends: Iterable[Backend]) -> None:
        """These are the servers of the config from now on; what was registered or deregistered since stays so."""
        configured = {each.name: each for each in backends if each.name not in self._deregistered}
        added = {name: each for name, each in self._registered.items() if name not in configured}
        self._serve({**configured, **added})

    def register(self, name: str, entry: Mapping[str, Any]) -> str:
        """Add a server for as long as this process lives; raises UserMistake where the entry cannot be."""
        backend = self._make_backend(name, entry)
        if backend.name in self.backends:
            raise UserMistake(f"there is a server {backend.name} already; choose another name")
        self._registered[backend.name] = backend
        self._serve({**self.backends, backend.name: backend})
        return backend.name

    def deregister(self, name: str) -> None:
        """Serve it no more for as long as this process lives, even where the config names it again."""
        self._registered.pop(name, None)
        self._deregistered.add(name)
        self._serve({known: each for known, each in self.backends.items() if known != name})

    def _serve(self, given: dict[str, Backend]) -> None:
        """What is remembered of new servers is offered at once; those that are gone end unless others use them."""
        gone = [each for name, each in self.backends.items() if given.get(name) is not each]
        fresh = [each for name, each in given.items() if self.backends.get(name) is not each]
        for backend in gone:
            self._forget(backend)
        self.backends = given
        self._offer_scripts()
        for backend in fresh:
            backend.news.append(self)
            self._settled[backend.name] = asyncio.Event()
            self._remember(backend)
        if self.sessions:
            asked = [each for each in given.values() if each in fresh or self._unasked(each)]
            self._warm_up(asked, next(iter(self.sessions)))

    def look_at_scripts(self) -> None:
        """They have changed: what is saved now can be found from now on."""
        before = self.book.version
        self._offer_scripts()
        if self.book.version != before:
            self._tools_changed()

    def _tools_changed(self) -> None:
        self.tell(_TOOLS_CHANGED)

    def _secrets_of(self, server: str) -> Sequence[str]:
        return self.backends[server].secrets()

    def _offer_scripts(self) -> None:
        offered = self.scripts.offered(self.backends)
        self.book.configure([*self.backends, *([offered.server] if offered is not None else [])])
        if offered is not None:
            self.book.put(offered, own=True)

    def _forget(self, backend: Backend) -> None:
        """Another server of the same name offers other things, so nothing of this one may stay."""
        name = backend.name
        backend.news.remove(self)
        self._settled.pop(name, asyncio.Event()).set()
        self.capabilities.pop(name, None)
        self._offers.pop(name, None)
        self.book.drop(name)
        self.uris.forget(name)
        if not backend.news:
            backend.stop()

    def _remember(self, backend: Backend) -> None:
        known = self.memory.recall(backend.spec)
        if known is not None:
            self.capabilities[backend.name] = known.capabilities
            self.book.put(known.offered, known.vectors)

    # -- sessions ------------------------------------------------------------------------------------------
    def enter(self, session: Session) -> None:
        """A client is there: servers that were never seen, or not for long, are started in the background."""
        self.sessions.add(session)
        self._warm_up(self.backends.values(), session)
        if self._worked_ahead is not self.book.catalog:
            self._worked_ahead = self.book.catalog
            self.spawn(self._work_ahead)

    def _warm_up(self, backends: Iterable[Backend], session: Session) -> None:
        if self.settings.warm_up:
            for backend in backends:
                if not self.memory.fresh(backend.spec) or self._in_doubt(backend) or self._unasked(backend):
                    self._start(backend, session)

    def _unasked(self, backend: Backend) -> bool:
        """Whether a lock is kept to by what is only remembered: the server may offer other things by now."""
        return self.lock.enforces and backend.name not in self._offers

    def leave(self, session: Session, *, for_good: bool = True) -> None:
        """A client is gone, and with it what was its own; or it goes on elsewhere, and its results with it."""
        self.sessions.discard(session)
        if for_good:
            self.results.forget(session.id)
        for backend in self.backends.values():
            backend.release(session)

    def _start(self, backend: Backend, session: Session) -> None:
        if backend.state == "idle":
            self._tasks.start_soon(self._warm, backend, session)

    async def _warm(self, backend: Backend, session: Session) -> None:
        async with self._connects:
            try:
                await backend.line_for(session, session.face)
            except BackendFault:
                self._event(backend.name).set()  # its state says why; whoever waits for lists goes on

    async def ready(self, session: Session) -> None:
        """Wait a moment for servers of which nothing is known yet, once for each: a silent one slows nobody twice."""
        unknown = [each for each in self.backends.values() if self._in_doubt(each)]
        latest = 0.0
        for backend in unknown:
            self._start(backend, session)
            latest = max(latest, self._patience.setdefault(backend, anyio.current_time() + FIRST_LIST_WAIT))
        with anyio.CancelScope(deadline=latest):
            for backend in unknown:
                await self._event(backend.name).wait()

    async def known(self, most: float) -> None:
        """Wait until servers that are starting have told their tools, or failed; starts none."""
        unknown = [each for each in self.backends.values() if self._in_doubt(each)]
        starting = [each for each in unknown if self.settings.warm_up or each.state != "idle"]
        with anyio.move_on_after(most):
            for backend in starting:
                await self._event(backend.name).wait()

    async def learn(self, server: str, session: Session) -> None:
        """Wait for the tools of one server that are not known, or in doubt; raises the fault why there are none."""
        backend = self.backends.get(server)
        if backend is None or not self._in_doubt(backend):
            return
        self._event(server).clear()
        try:
            await backend.line_for(session, session.face)
        except BackendFault:
            self._event(server).set()
            raise
        with anyio.move_on_after(FIRST_LIST_WAIT):
            await self._event(server).wait()

    def _in_doubt(self, backend: Backend) -> bool:
        """Whether nothing is known of its tools, or what is remembered of them is held back: they may be others now."""
        if backend.name not in self.book.servers:
            return True
        if not self.book.held(backend.name):
            return False
        return not any(line.live and line.told.is_set() for line in backend.lines)

    def look_at_lock(self) -> None:
        """There is a new one: servers with tools that it does not approve are asked once more what they offer."""
        for backend in self.backends.values():
            live = next((line for line in backend.lines if line.live), None)
            if not self.book.held(backend.name):
                continue
            if live is not None:
                backend.tool_list.look_again(live)
            elif self.sessions:
                self._start(backend, next(iter(self.sessions)))

    def _event(self, server: str) -> asyncio.Event:
        return self._settled.setdefault(server, asyncio.Event())

    # -- news of backends ----------------------------------------------------------------------------------
    def offers(self, backend: Backend, tools: ServerTools, era: Era, face: Face) -> None:
        """A server told its tools: new ones are searchable at once, and clients that list them hear of it."""
        if self.backends.get(backend.name) is not backend:
            return
        tools = self._offers.setdefault(backend.name, Offers()).take(callable_tools(tools), face)
        self._tell_set_aside(tools)
        self.capabilities[backend.name] = era.capabilities
        self.lock.listed(backend.name)
        changed = self.book.put(tools)
        self.spawn(self._prepare, backend, tools, era)
        self._event(backend.name).set()
        if changed:
            self._tools_changed()

    def shows(self, tool: Tool, session: Session) -> bool:
        """Whether a client of this session's capabilities is offered the tool."""
        offers = self._offers.get(tool.server)
        return offers is None or offers.shows(tool.name, session.face)

    def _tell_set_aside(self, tools: ServerTools) -> None:
        for entry in tools.set_aside:
            said = for_log(f"{entry.server}.{entry.name or '?'} is left out: {entry.reason}")
            if said not in self.left_out:
                self.left_out.append(said)
                _logger.warning(said)

    def failed(self, backend: Backend, *, changed: bool = False) -> None:
        """Whoever waits for its list goes on; its state says why there is none."""
        self.lock.unlisted(backend.name, changed)
        self._event(backend.name).set()

    async def _work_ahead(self) -> None:
        """The same for what is remembered, once the client's first questions are answered."""
        await anyio.sleep(WORK_AHEAD_AFTER)
        await self.book.warm()
        for offered in self.book.catalog.servers:
            await anyio.to_thread.run_sync(work_ahead, offered, self.settings.slim)

    async def _prepare(self, backend: Backend, tools: ServerTools, era: Era) -> None:
        """Do in a thread, while nobody waits, what a first list, search or call would otherwise wait for."""
        self.memory.store(backend.spec, tools, era.capabilities)  # a short visit must leave something behind
        await self.book.warm()
        if self.book.shows_all_of(tools):  # vectors are of what shows
            self.memory.store(backend.spec, tools, era.capabilities, self.book.vectors(backend.name))
        await anyio.to_thread.run_sync(work_ahead, tools, self.settings.slim)

    def noticed(self, backend: Backend, notice: Notice) -> None:
        """Lists of prompts or resources changed, or one resource did; of tools `offers` has told already."""
        if notice.method == _TOOLS_CHANGED:
            return
        if notice.method == "notifications/resources/updated":
            uri = self.uris.shown(backend.name, str((notice.params or {}).get("uri")))
            for session in self.sessions:
                if uri in session.subscribed and session.reach is not None:
                    session.reach.notify(notice.method, {**(notice.params or {}), "uri": uri})
            self.spawn(self.bus.publish, ResourceUpdated(uri))
        else:
            self.tell(notice.method)

    def tell(self, method: str) -> None:
        """A list changed: to every client of the old era, and to those of the new one that listen."""
        for session in self.sessions:
            if session.reach is not None and not session.modern and session.lists_tools(method):
                session.reach.notify(method, None)
        event = _EVENTS.get(method)
        if event is not None:
            self.spawn(self.bus.publish, event)

    def roots_changed(self, session: Session) -> None:
        """A client's folders changed: the servers that asked it for them are told."""
        for backend in self.backends.values():
            for line in backend.lines:
                if session in (line.owner, line.founder) and not line.link.era.modern:
                    line.link.notify("notifications/roots/list_changed")

    def spawn(self, function: Callable[..., Awaitable[None]], *arguments: Any) -> None:
        """Run something for as long as the gateway does; what fails in it ends neither the gateway nor others."""

        async def run() -> None:
            try:
                await function(*arguments)
            except Exception as error:
                _logger.warning("something failed in the background: %s", kind_and_place(error))

        self._tasks.start_soon(run)

    # -- who offers what -----------------------------------------------------------------------------------
    def offering(self, capability: str) -> list[Backend]:
        """The servers that declare a capability, and those of which it is not known."""
        return [
            backend
            for name, backend in self.backends.items()
            if (declared := self.capabilities.get(name)) is None or capability in declared
        ]

    @property
    def single(self) -> Backend | None:
        """The only server, where there is just one: its names pass as they are."""
        return next(iter(self.backends.values())) if len(self.backends) == 1 else None

    @property
    def notes(self) -> list[str]:
        """What is left out, and what went wrong with our own files: each once, and clean."""
        return [
            *self.left_out,
            *self.lock.notes,
            *self.scripts.problems,
            *self.memory.notes,
            *self.ledger.notes,
            *self.results.notes,
        ]

    def status(self) -> list[dict[str, Any]]:
        """Every server's state, with the number of its tools."""
        counts = {name: len(offered.tools) for name, offered in self.book.servers.items()}
        return [
            {**each.status(), "tools": counts.get(name), **self.lock.counts(name)}
            for name, each in self.backends.items()
        ]
