"""All gateways of a process: one set of upstreams for everyone, and one gateway for each config.

A client sends a `GatewayRequest` and gets a view of the gateway for its config. Clients with the same config
share the gateway. The runtime checks the config files periodically, and an edit takes effect without a
restart.
"""

import logging
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread

from toolbooth import access, catalog, errors, files, limits, safetext, store
from toolbooth.catalog.config import AUTO_SURFACE, GatewaySettings, default_scripts_folder, spec_of_entry
from toolbooth.gateway import offer_cache, process, sandboxed_code, watched_files
from toolbooth.gateway.gateway import Gateway
from toolbooth.gateway.kept_state import KeptState, open_kept_state
from toolbooth.gateway.offload import close_workers
from toolbooth.gateway.surfaces import pin_problems
from toolbooth.gateway.surfaces.auto_view import AutoView
from toolbooth.gateway.surfaces.view import View
from toolbooth.gateway.upstreams.upstream import Upstream

if TYPE_CHECKING:
    from toolbooth.gateway.calls.context import CallStep
__all__ = ["GatewayRequest", "Runtime", "View", "open_runtime"]


_logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class GatewayRequest:
    """What a client's bridge asks for: config files, a surface, and the folder and environment it was started
    in.

    `given` replaces any file: servers that somebody in this process has already read or made.
    """

    configs: tuple[str, ...] = ()
    surface: str | None = None
    cwd: Path = field(default_factory=Path.cwd)
    environ: Mapping[str, str] = field(default_factory=dict, repr=False, hash=False)
    given: catalog.Sources | None = field(default=None, repr=False, hash=False)

    def sources(self) -> catalog.Sources:
        """The current sources; each process runs in the requester's folder unless its config names another."""
        found = self.given or catalog.gateway_sources(self.configs, self.environ, self.cwd)
        servers = tuple(catalog.started_in(self.cwd, spec) for spec in found.servers)
        off = store.is_switched_off(self.environ)
        settings = replace(found.gateway, ledger="off") if off else found.gateway
        return replace(found, servers=servers, gateway=settings)


@dataclass(eq=False)
class _OpenGateway:
    """A gateway, the request it was opened for, and the state of its files."""

    request: GatewayRequest
    sources: catalog.Sources
    gateway: Gateway
    stamps: watched_files.Stamps
    source_errors: tuple[str, ...] = ()
    half_done: watched_files.Stamps | None = None
    clients: int = 0
    forgotten: bool = False
    unused_since: float = 0.0


@asynccontextmanager
async def open_runtime(
    environ: Mapping[str, str],
    home: Path | None = None,
    *,
    ledger: bool = True,
    authorizer: access.Authorizer = access.OPEN,
    steps: "Sequence[CallStep]" = (),
) -> AsyncIterator["Runtime"]:
    """The runtime; everything in it ends with the block. Without a `ledger`, calls are forgotten at the end.

    Every gateway asks the `authorizer` and takes the `steps`, one that is opened later, too.
    """
    process.name_async_library()
    home = home or Path.home()
    cached, data = (where(home, environ, sys.platform) for where in (files.cache_folder, files.data_folder))
    try:
        async with open_kept_state(data, cached, ledger=ledger) as kept, anyio.create_task_group() as tasks:
            runtime = Runtime(offer_cache.CacheFolder(cached), tasks, kept, home, authorizer, steps)
            tasks.start_soon(kept.usage.load_soon)
            tasks.start_soon(runtime.watch)
            try:
                yield runtime
            finally:
                await runtime.close()
                tasks.cancel_scope.cancel()
    finally:
        close_workers()  # a thread that is still at work puts its worker back before the tasks have ended


class Runtime:
    """The gateways of one process."""

    def __init__(
        self,
        cache: offer_cache.CacheFolder,
        tasks: anyio.abc.TaskGroup,
        kept: KeptState,
        home: Path | None = None,
        authorizer: access.Authorizer = access.OPEN,
        steps: "Sequence[CallStep]" = (),
    ) -> None:
        self._home, self.authorizer, self._steps = home, authorizer, tuple(steps)
        self._tasks, self._kept = tasks, kept
        self._offer_cache = offer_cache.OfferCache(cache)
        self._code = sandboxed_code.SandboxPool()
        self._open: list[_OpenGateway] = []
        self._upstreams: dict[catalog.ServerSpec, Upstream] = {}
        self._views: dict[tuple[Gateway, str], View] = {}
        self._logged: set[str] = set()
        self._pins_seen: list[tuple[int, int]] = []
        self._entering = anyio.Lock()
        self._save_next = anyio.current_time() + limits.SAVE_USAGE_EVERY

    async def enter(self, request: GatewayRequest) -> View:
        """The view that a client asks for; raises UserMistake if its config cannot be used."""
        # Reading a lock takes a while, and nobody may open a second gateway meanwhile
        async with self._entering:
            opened = await self._opened(request)
            opened.clients += 1
        return self.view(opened.gateway, request.surface or opened.gateway.settings.surface)

    def leave(self, view: View) -> None:
        """A client that `enter` was called for has gone; without this call its gateway is kept."""
        for each in self._open:
            if each.gateway is view.gateway:
                each.clients -= 1
                each.unused_since = anyio.current_time()
        self._drop_unused()

    def forget(self) -> None:
        """The configs belong to another runtime now: what is unused ends at once, the rest with its last client."""
        for each in self._open:
            each.forgotten = True
        self._drop_unused()

    def _drop_unused(self) -> None:
        """Close unused gateways, or one for each config and folder would add up; servers that another uses go on."""
        latest = anyio.current_time() - limits.IDLE_STOP
        for each in [each for each in self._open if not each.clients]:
            if each.forgotten or each.unused_since < latest:
                self._open.remove(each)
                self._views = {key: view for key, view in self._views.items() if key[0] is not each.gateway}
                each.gateway.use([])
        self._upstreams = {spec: upstream for spec, upstream in self._upstreams.items() if upstream.listeners}

    async def _opened(self, request: GatewayRequest) -> _OpenGateway:
        sources = request.sources()
        opened = next((each for each in self._open if _serves(each, request, sources)), None)
        if opened is not None:
            return opened
        named = request.configs or request.given is not None
        if named and sources.source_errors and not sources.servers:
            raise errors.UserMistake(
                "; ".join(f"{each.where}: {each.reason}" for each in sources.source_errors)
            )
        return await self._new_gateway(request, sources)

    def view(self, gateway: Gateway, surface: str) -> View:
        """One surface of a gateway, or the one for each client."""
        if (gateway, surface) not in self._views:
            made = AutoView(gateway) if surface == AUTO_SURFACE else View(gateway, surface)
            self._views[gateway, surface] = made
        return self._views[gateway, surface]

    async def _new_gateway(self, request: GatewayRequest, sources: catalog.Sources) -> _OpenGateway:
        """Open a gateway; the lock is read before any tool is offered."""

        def registered(name: str, entry: Mapping[str, Any]) -> Upstream:
            spec = spec_of_entry(name, entry, request.environ, request.cwd)
            return self._upstream(catalog.started_in(request.cwd, spec), request, sources)

        caps = sources.answer_caps
        shared = (self._kept.ledger, self._kept.results, self._code)
        scripts = sandboxed_code.SavedScripts(self._scripts_folder(request, sources.gateway))
        gateway = Gateway(
            sources.gateway,
            caps,
            (),
            self._offer_cache,
            self._tasks,
            registered,
            *shared,
            scripts,
            authorizer=self.authorizer,
            usage=self._kept.usage.calls,
            steps=self._steps,
        )
        await gateway.lock.look(request.environ)
        gateway.registry.absent = dict(sources.absent)
        gateway.registry.let_through(catalog.tool_filters(sources.servers))
        gateway.use([self._upstream(spec, request, sources) for spec in sources.servers])
        opened = _OpenGateway(request, sources, gateway, watched_files.stamps_of(sources))
        self._open.append(opened)
        _log_source_errors(opened, sources)
        return opened

    def _scripts_folder(self, request: GatewayRequest, settings: GatewaySettings) -> Path | None:
        """The folder that the config names, else the user's own."""
        if settings.scripts is not None:
            return Path(settings.scripts)
        if self._home is None:
            return None
        return default_scripts_folder(self._home, request.environ, sys.platform)

    def _upstream(
        self, spec: catalog.ServerSpec, request: GatewayRequest, sources: catalog.Sources
    ) -> Upstream:
        """The upstream of a spec, whatever its config lets through of it; another working folder makes another one."""
        spec = replace(spec, source="", tools=catalog.EVERY_TOOL)
        if spec not in self._upstreams:
            idle = sources.gateway.idle_stop
            self._upstreams[spec] = Upstream(spec, request.environ, idle, self._tasks)
        return self._upstreams[spec]

    # -- reload --------------------------------------------------------------------------------------------
    async def watch(self) -> None:
        """Check the config files periodically; a valid edit takes effect, a broken one is logged and changes
        nothing.
        """
        while True:
            await anyio.sleep(limits.RELOAD_EVERY)
            self._drop_unused()
            for each in tuple(self._open):
                try:
                    self.look(each)
                except Exception as error:  # an unexpected file must not end everybody's servers
                    _logger.warning("the config cannot be read again: %s", process.error_summary(error))
                await self._try("saved scripts cannot be read again", self._look_at_scripts, each)
                await self._try("the lock cannot be read again", self._look_at_lock, each)
            await self._try("news cannot be read", self._read_news)
            self._kept.log_notes()
            self._log_pin_problems()
            if anyio.current_time() >= self._save_next:
                self._save_next = anyio.current_time() + limits.SAVE_USAGE_EVERY
                await self._try("call counts and results cannot be kept", self._kept.tidy)
                await self._try("code cannot be tidied up after", self._code.tidy)

    async def _try(self, words: str, work: Callable[..., Awaitable[None]], *given: Any) -> None:
        """Do a part of a round. An error in it is logged once, and ends neither the rest nor anybody's servers."""
        try:
            await work(*given)
        except Exception as error:
            self._log_once(f"{words}: {process.error_summary(error)}")

    async def _read_news(self) -> None:
        """Servers that somebody signed in to are started again, if that was what they lacked."""
        urls = {upstream.spec.url for upstream in self._upstreams.values() if upstream.spec.url}
        signed_in = await anyio.to_thread.run_sync(self._kept.news.signed_in_to, urls)
        for upstream in self._upstreams.values():
            if upstream.spec.url in signed_in and upstream.signed_in():
                for each in self._open:
                    each.gateway.try_again(upstream)

    async def _look_at_scripts(self, each: _OpenGateway) -> None:
        folder = self._scripts_folder(each.request, each.gateway.settings)
        if await anyio.to_thread.run_sync(each.gateway.scripts.look, folder):
            each.gateway.look_at_scripts()

    async def _look_at_lock(self, each: _OpenGateway) -> None:
        if await each.gateway.lock.look(each.request.environ):
            each.gateway.look_at_lock()

    def look(self, each: _OpenGateway) -> None:
        """Read the files again if they changed. A missing file may be about to be written anew, so it is checked
        twice.
        """
        stamps = watched_files.stamps_of(each.sources)
        if stamps == each.stamps:
            each.half_done = None
        elif each.stamps.keys() - stamps.keys() and each.half_done != stamps:
            each.half_done = stamps
        else:
            each.stamps, each.half_done = stamps, None
            self._reload(each)

    def _reload(self, each: _OpenGateway) -> None:
        """Serve what the files say now. An unreadable file changes nothing; an unusable entry keeps its old
        server.
        """
        request, gateway = each.request, each.gateway
        sources = request.sources()
        sources = (
            watched_files.without_catalogs(sources)
            if each.sources.servers and not sources.servers
            else sources
        )
        _log_source_errors(each, sources)
        if watched_files.unreadable(sources) or watched_files.same_sources(each.sources, sources):
            return
        each.sources = sources
        gateway.settings, gateway.caps = sources.gateway, sources.answer_caps
        gateway.lock.follow(sources.gateway.contracts)
        unusable = [
            gateway.upstreams[where] for where, _ in sources.source_errors if where in gateway.upstreams
        ]
        kept = {upstream.name for upstream in unusable}
        gateway.registry.absent = {name: why for name, why in sources.absent if name not in kept}
        old = {name: known for name, known in gateway.registry.filters.items() if name in kept}
        gateway.registry.let_through({**old, **catalog.tool_filters(sources.servers)})
        gateway.use([*(self._upstream(spec, request, sources) for spec in sources.servers), *unusable])
        gateway.notify_clients("notifications/tools/list_changed")
        self._upstreams = {spec: upstream for spec, upstream in self._upstreams.items() if upstream.listeners}

    # -- state ---------------------------------------------------------------------------------------------
    def status(self) -> dict[str, Any]:
        """For `toolbooth daemon status` and health."""
        return {
            "gateways": [
                {
                    "configs": list(each.sources.read),
                    "folder": str(each.request.cwd),
                    "sessions": len(each.gateway.sessions),
                    "servers": each.gateway.status(),
                    "source_errors": list(each.source_errors),
                    **each.gateway.lock.status(list(each.gateway.upstreams)),
                }
                for each in self._open
            ],
            "notes": [
                *self._offer_cache.notes,
                *self._kept.notes,
                *(note for each in self._open for note in each.gateway.left_out),
                *(safetext.for_log(line) for each in self._open for line in each.gateway.scripts.problems),
                *(safetext.for_log(note) for each in self._open for note in each.sources.notes),
                *map(safetext.for_log, self._pin_problems()),
            ],
        }

    @property
    def busy(self) -> bool:
        """Whether any call is in progress."""
        return self._code.runs > 0 or any(
            line.busy for upstream in self._upstreams.values() for line in upstream.connections
        )

    def _pin_problems(self) -> list[str]:
        found = (pin_problems(each.gateway.registry, each.gateway.settings) for each in self._open)
        return list(dict.fromkeys(chain.from_iterable(found)))

    def _log_pin_problems(self) -> None:
        """Log each problem with a pin once, when its servers are known; checked again only if tools or settings
        change.
        """
        now = [(each.gateway.registry.version, id(each.gateway.settings)) for each in self._open]
        if now == self._pins_seen:
            return
        self._pins_seen = now
        for line in self._pin_problems():
            self._log_once(line)

    def _log_once(self, line: str) -> None:
        if line not in self._logged:
            self._logged.add(line)
            _logger.warning("%s", safetext.for_log(line))

    async def close(self) -> None:
        """Stop every upstream."""
        for upstream in self._upstreams.values():
            upstream.stop()
        with anyio.CancelScope(shield=True):
            await self._code.close()
            for each in self._open:
                await each.gateway.offers.finish()
            for upstream in self._upstreams.values():
                await upstream.stopped()


def _serves(opened: _OpenGateway, request: GatewayRequest, sources: catalog.Sources) -> bool:
    """Whether a client gets this gateway: its config is the same, or has become unreadable since it was opened."""
    if watched_files.same_sources(opened.sources, sources):
        return True
    return watched_files.unreadable(sources) and replace(opened.request, surface=None) == replace(
        request, surface=None
    )


def _log_source_errors(opened: _OpenGateway, sources: catalog.Sources) -> None:
    """Log each problem once, until it is resolved."""
    source_errors = tuple(safetext.for_log(f"{each.where}: {each.reason}") for each in sources.source_errors)
    for problem in source_errors:
        if problem not in opened.source_errors:
            _logger.warning("%s", problem)
    opened.source_errors = source_errors
