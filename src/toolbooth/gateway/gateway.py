"""The gateway of one config: its servers, their tools, and the sessions that share them."""

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import anyio
import anyio.to_thread

from toolbooth import access, catalog, errors, limits, safetext, sandbox
from toolbooth.catalog.config import AnswerCaps, GatewaySettings, Reduction
from toolbooth.catalog.connect import ClientIdentity, NegotiatedProtocol, Notice
from toolbooth.gateway import (
    change_notices,
    process,
    public_names,
    sandboxed_code,
    scope,
    tool_registry,
    watched_files,
)
from toolbooth.gateway.calls.client_tasks import ClientTasks
from toolbooth.gateway.calls.suspended_calls import SuspendedCalls
from toolbooth.gateway.ledger import Ledger
from toolbooth.gateway.offer_cache import OfferCache, recalling
from toolbooth.gateway.offer_writer import OfferWriter
from toolbooth.gateway.results import ResultStore
from toolbooth.gateway.session import Session
from toolbooth.gateway.upstreams.tool_list import CapabilityViews, work_ahead
from toolbooth.gateway.upstreams.upstream import Upstream

if TYPE_CHECKING:
    from toolbooth.gateway.calls.context import CallStep
_logger = logging.getLogger(__name__)


class Gateway:
    """The servers of one config, their tools, and the sessions of its clients."""

    def __init__(
        self,
        settings: GatewaySettings,
        caps: AnswerCaps,
        upstreams: Iterable[Upstream],
        offer_cache: OfferCache,
        tasks: anyio.abc.TaskGroup,
        make_upstream: Callable[[str, Mapping[str, Any]], Upstream],
        ledger: Ledger | None = None,
        results: ResultStore | None = None,
        code: sandboxed_code.SandboxPool | None = None,
        scripts: sandboxed_code.SavedScripts | None = None,
        authorizer: access.Authorizer = access.OPEN,
        usage: Counter[str] | None = None,
        steps: "Iterable[CallStep]" = (),
    ) -> None:
        self.settings, self.caps, self.offer_cache = settings, caps, offer_cache
        self.authorizer = authorizer
        self.steps: list[CallStep] = list(steps)
        self.ledger, self.results = ledger or Ledger(None), results or ResultStore()
        self.code, self.scripts = (
            code or sandboxed_code.SandboxPool(),
            scripts or sandboxed_code.SavedScripts(),
        )
        self._namespace: tuple[int, sandbox.Namespace] | None = None
        self._make_upstream = make_upstream
        self.upstreams: dict[str, Upstream] = {}
        self.capabilities: dict[str, Mapping[str, Any] | None] = {}
        self.sessions: set[Session] = set()
        self.uris = public_names.ResourceUris()
        self.scopes = scope.Scopes(self)
        self.notices = change_notices.ChangeNotices(self.scopes.uris_of, self.spawn)
        self.suspended_calls, self.client_tasks = SuspendedCalls(tasks), ClientTasks(tasks)
        self.usage: Counter[str] = Counter() if usage is None else usage
        self.registry = tool_registry.ToolRegistry(usage=self.usage)
        self.offers = OfferWriter(self.registry, offer_cache, self.spawn, lambda: self.settings.slim)
        self.lock = watched_files.LockWatch(self.registry, self._secrets_of, self._tools_changed)
        self.lock.follow(settings.contracts)
        self._tasks = tasks
        self._connects = anyio.CapacityLimiter(limits.MAX_PARALLEL_CONNECTS)
        self._settled: dict[str, asyncio.Event] = {}
        self._patience: WeakKeyDictionary[Upstream, float] = WeakKeyDictionary()
        self._worked_ahead: catalog.Catalog | None = None
        self._capability_views: dict[str, CapabilityViews] = {}
        self.left_out: list[str] = []
        self._registered: dict[str, Upstream] = {}
        self._deregistered: set[str] = set()
        self._reductions: tuple[GatewaySettings, AnswerCaps, dict[str, Reduction]] | None = None
        self.use(upstreams)

    def reduction(self, tool_id: str) -> Reduction:
        """How the results of a tool are reduced, by the current config."""
        known = self._reductions
        if known is None or known[0] is not self.settings or known[1] is not self.caps:
            known = self._reductions = (self.settings, self.caps, {})
        found = known[2].get(tool_id)
        if found is None:
            found = known[2][tool_id] = self.settings.reduce.capped(self.caps.cap_for(tool_id))
        return found

    def names_in_code(self) -> "sandbox.Namespace":
        """How code calls the tools that are in the registry now."""
        if self._namespace is None or self._namespace[0] != self.registry.version:
            self._namespace = (self.registry.version, sandbox.Namespace(self.registry.catalog))
        return self._namespace[1]

    # -- which servers there are ---------------------------------------------------------------------------
    def use(self, upstreams: Iterable[Upstream]) -> None:
        """Use the servers of a config from now on; what was registered or deregistered at run time stays so."""
        configured = {each.name: each for each in upstreams if each.name not in self._deregistered}
        added = {name: each for name, each in self._registered.items() if name not in configured}
        self._serve({**configured, **added})

    def register(self, name: str, entry: Mapping[str, Any]) -> str:
        """Add a server for the life of this process; raises UserMistake where the entry cannot be used."""
        upstream = self._make_upstream(name, entry)
        if upstream.name in self.upstreams:
            raise errors.UserMistake(f"there is already a server {upstream.name}; choose another name")
        self._registered[upstream.name] = upstream
        self._serve({**self.upstreams, upstream.name: upstream})
        return upstream.name

    def deregister(self, name: str) -> None:
        """Remove a server for the life of this process, even if the config names it again."""
        self._registered.pop(name, None)
        self._deregistered.add(name)
        self._serve({known: each for known, each in self.upstreams.items() if known != name})

    def _serve(self, given: dict[str, Upstream]) -> None:
        """Offer what is cached of new servers at once; servers that are gone end unless another gateway uses them."""
        gone = [each for name, each in self.upstreams.items() if given.get(name) is not each]
        fresh = [each for name, each in given.items() if self.upstreams.get(name) is not each]
        for upstream in gone:
            self._forget(upstream)
        self.upstreams = given
        self._register_scripts()
        with recalling() as count:
            for upstream in fresh:
                upstream.listeners.append(self)
                self._settled[upstream.name] = asyncio.Event()
                count(self._remember(upstream))
        if self.sessions:
            asked = [each for each in given.values() if each in fresh or self._unasked(each)]
            self._warm_up(asked, next(iter(self.sessions)))

    def look_at_scripts(self) -> None:
        """Saved scripts changed: make the current ones available."""
        before = self.registry.version
        self._register_scripts()
        if self.registry.version != before:
            self._tools_changed()

    def _tools_changed(self) -> None:
        self.notify_clients(change_notices.TOOLS_CHANGED)

    def _secrets_of(self, server: str) -> Sequence[str]:
        return self.upstreams[server].secrets()

    def _register_scripts(self) -> None:
        offered = self.scripts.offered(self.upstreams)
        self.registry.configure([*self.upstreams, *([offered.server] if offered is not None else [])])
        if offered is not None:
            self.registry.put(offered, trusted=True)

    def _forget(self, upstream: Upstream) -> None:
        """Drop everything about a server, because another one of the same name offers other things."""
        name = upstream.name
        upstream.listeners.remove(self)
        self._settled.pop(name, asyncio.Event()).set()
        self.capabilities.pop(name, None)
        self._capability_views.pop(name, None)
        self.registry.drop(name)
        self.offers.forget(name)
        self.uris.forget(name)
        if not upstream.listeners:
            upstream.stop()

    def _remember(self, upstream: Upstream) -> int:
        """Offer what is cached of a server; returns how many tools that are."""
        known = self.offer_cache.recall(upstream.spec)
        if known is None:
            return 0
        self.capabilities[upstream.name] = known.capabilities
        self.registry.put(known.offered, known.index)
        self.offers.recalled(upstream.spec, known)
        return len(known.offered.tools)

    # -- sessions ------------------------------------------------------------------------------------------
    def enter(self, session: Session) -> None:
        """A client connects: start servers that were never seen, or not for a long time, in the background."""
        self.sessions.add(session)
        self._warm_up(self.upstreams.values(), session)
        if self._worked_ahead is not self.registry.catalog:
            self._worked_ahead = self.registry.catalog
            self.spawn(self._work_ahead)

    def _warm_up(self, upstreams: Iterable[Upstream], session: Session) -> None:
        if self.settings.warm_up:
            for upstream in upstreams:
                if (
                    not self.offer_cache.fresh(upstream.spec)
                    or self._in_doubt(upstream)
                    or self._unasked(upstream)
                ):
                    self._start(upstream, session)

    def _unasked(self, upstream: Upstream) -> bool:
        """Whether a lock is enforced on cached definitions only: the server may offer other things by now."""
        return self.lock.enforces and upstream.name not in self._capability_views

    def leave(self, session: Session, *, for_good: bool = True) -> None:
        """A client leaves: release what was its own. If not `for_good`, it continues elsewhere and keeps its
        results.
        """
        self.sessions.discard(session)
        if for_good:
            self.results.forget(session.owner)
        for upstream in self.upstreams.values():
            upstream.release(session)

    def _start(self, upstream: Upstream, session: Session) -> None:
        if upstream.state == "idle":
            self._tasks.start_soon(self._warm, upstream, session)

    async def _warm(self, upstream: Upstream, session: Session) -> None:
        async with self._connects:
            try:
                await upstream.connection_for(session, session.client_identity)
            except errors.BackendFault:
                self._event(upstream.name).set()  # its state says why; whoever waits for lists continues

    async def ready(self, session: Session) -> None:
        """Wait a moment for servers of which nothing is known yet, once for each: a silent server delays nobody
        twice.
        """
        unknown = [each for each in self.upstreams.values() if self._in_doubt(each)]
        latest = 0.0
        for upstream in unknown:
            self._start(upstream, session)
            latest = max(
                latest, self._patience.setdefault(upstream, anyio.current_time() + limits.FIRST_LIST_WAIT)
            )
        with anyio.CancelScope(deadline=latest):
            for upstream in unknown:
                await self._event(upstream.name).wait()

    async def known(self, most: float) -> None:
        """Wait until the servers that are starting have listed their tools or failed; starts none."""
        unknown = [each for each in self.upstreams.values() if self._in_doubt(each)]
        starting = [each for each in unknown if self.settings.warm_up or each.state != "idle"]
        with anyio.move_on_after(most):
            for upstream in starting:
                await self._event(upstream.name).wait()

    async def learn(self, server: str, session: Session) -> None:
        """Wait for the tools of one server whose list is unknown or outdated; raises the error if there is none."""
        upstream = self.upstreams.get(server)
        if upstream is None or not self._in_doubt(upstream):
            return
        self._event(server).clear()
        try:
            await upstream.connection_for(session, session.client_identity)
        except errors.BackendFault:
            self._event(server).set()
            raise
        with anyio.move_on_after(limits.FIRST_LIST_WAIT):
            await self._event(server).wait()

    def _in_doubt(self, upstream: Upstream) -> bool:
        """Whether none of its tools are known, or cached ones are held back that may have changed by now."""
        if not self.registry.knows(upstream.name):
            return True
        if not self.registry.held(upstream.name):
            return False
        return not any(connection.live and connection.settled.is_set() for connection in upstream.connections)

    def look_at_lock(self) -> None:
        """The lock changed: ask servers with unapproved tools again what they offer."""
        for upstream in self.upstreams.values():
            live = next((connection for connection in upstream.connections if connection.live), None)
            if not self.registry.held(upstream.name):
                continue
            if live is not None:
                upstream.tool_list.look_again(live)
            elif self.sessions:
                self._start(upstream, next(iter(self.sessions)))

    def try_again(self, upstream: Upstream) -> None:
        """What kept a server from starting is gone: ask it for its tools, if a client is there to need them."""
        if self.sessions and self.upstreams.get(upstream.name) is upstream:
            self._start(upstream, next(iter(self.sessions)))

    def _event(self, server: str) -> asyncio.Event:
        return self._settled.setdefault(server, asyncio.Event())

    # -- events from upstreams ----------------------------------------------------------------------------
    def tools_listed(
        self,
        upstream: Upstream,
        tools: catalog.ServerTools,
        protocol: NegotiatedProtocol,
        client_identity: ClientIdentity,
    ) -> None:
        """A server listed its tools: new ones are searchable at once, and clients that list them are notified."""
        if self.upstreams.get(upstream.name) is not upstream:
            return
        tools = self._capability_views.setdefault(upstream.name, CapabilityViews()).take(
            tools, client_identity
        )
        self._log_set_aside(tools)
        self.capabilities[upstream.name] = protocol.capabilities
        self.lock.listed(upstream.name)
        changed = self.registry.put(tools)
        self.offers.listed(upstream.spec, tools, protocol.capabilities)
        self._event(upstream.name).set()
        if changed:
            self._tools_changed()

    def shows(self, tool: catalog.Tool, session: Session) -> bool:
        """Whether the tool is offered to clients with this session's capabilities."""
        views = self._capability_views.get(tool.server)
        return views is None or views.shows(tool.name, session.client_identity)

    def _log_set_aside(self, tools: catalog.ServerTools) -> None:
        for entry in tools.set_aside:
            said = safetext.for_log(f"{entry.server}.{entry.name or '?'} is left out: {entry.reason}")
            if said not in self.left_out:
                self.left_out.append(said)
                _logger.warning(said)

    def failed(self, upstream: Upstream, *, changed: bool = False) -> None:
        """Release whoever waits for its list; the server's state says why there is none."""
        self.lock.unlisted(upstream.name, changed)
        self._event(upstream.name).set()

    async def _work_ahead(self) -> None:
        """Prepare what is cached, after the client's first questions are answered."""
        await anyio.sleep(limits.WORK_AHEAD_AFTER)
        await self.offers.run()
        for offered in self.registry.catalog.servers:
            await anyio.to_thread.run_sync(work_ahead, offered, self.settings.slim)

    def noticed(self, upstream: Upstream, notice: Notice, principal: access.Principal) -> None:
        """Lists of prompts or resources changed, or one resource did, on a connection of this principal."""
        self.notices.pass_on(self.sessions, upstream, notice, principal)

    def notify_clients(self, method: str) -> None:
        """A list changed: notify every client that reads it."""
        self.notices.list_changed(self.sessions, method)

    def spawn(self, function: Callable[..., Awaitable[None]], *arguments: Any) -> None:
        """Run a task for the life of the gateway; an error in it ends neither the gateway nor other tasks."""

        async def run() -> None:
            try:
                await function(*arguments)
            except Exception as error:
                _logger.warning("something failed in the background: %s", process.error_summary(error))

        self._tasks.start_soon(run)

    # -- which server offers what -------------------------------------------------------------------------
    def offering(self, capability: str) -> list[Upstream]:
        """The servers that declare a capability, and those whose capabilities are not known yet."""
        return [
            upstream
            for name, upstream in self.upstreams.items()
            if (declared := self.capabilities.get(name)) is None or capability in declared
        ]

    @property
    def single(self) -> Upstream | None:
        """The only server, if there is just one: its names are passed on unchanged."""
        return next(iter(self.upstreams.values())) if len(self.upstreams) == 1 else None

    @property
    def notes(self) -> list[str]:
        """What is left out, and what went wrong with our own files: once each, without control characters."""
        return [
            *self.left_out,
            *self.lock.notes,
            *self.scripts.problems,
            *self.offer_cache.notes,
            *self.ledger.notes,
            *self.results.notes,
        ]

    def status(self) -> list[dict[str, Any]]:
        """The state of every server, with the number of its tools."""
        counts = {name: len(offered.tools) for name, offered in self.registry.servers.items()}
        return [
            {**each.status(), "tools": counts.get(name), **self.lock.counts(name)}
            for name, each in self.upstreams.items()
        ]

    def lock_note(self, server: str) -> str:
        """What the contract gate says of a server to agents; empty if it says nothing."""
        return self.lock.for_agents(server)
