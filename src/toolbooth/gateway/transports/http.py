"""Streamable HTTP on a port: every surface under its own path, guarded, with a health check."""

import asyncio
import socket
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack, contextmanager
from functools import partial
from typing import Any

import anyio
import uvicorn
from mcp.server.streamable_http import MCP_SESSION_ID_HEADER, StreamableHTTPServerTransport
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.requests import Request as HttpRequest
from starlette.responses import JSONResponse
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from toolbooth import access, catalog, limits
from toolbooth.catalog.config import SURFACE_NAMES
from toolbooth.gateway.offload import offload
from toolbooth.gateway.runtime import GatewayRequest, Runtime
from toolbooth.gateway.session import INVALID_REQUEST, Refusal
from toolbooth.gateway.surfaces.view import View
from toolbooth.gateway.transports import (
    http_api,
    http_connections,
    http_guard,
    http_sessions,
    sdk_private,
    sdk_server,
)

__all__ = ["serve_http"]


async def serve_http(
    runtime: Runtime,
    request: GatewayRequest,
    host: str,
    port: int,
    keys: access.AccessKeys | None,
    *,
    ready: Callable[[str], None],
    note: Callable[[str], None],
    routes: Sequence[BaseRoute] = (),
) -> None:
    """Serve until cancelled; then calls in flight may finish, and nothing new is accepted. `note` writes to the log.

    `routes` are served beside ours, behind the same guard; `request.state.principal` is whoever sent the key.
    """
    guard = http_guard.Guard(host, keys, http_guard.LoginThrottle(note))
    admission = http_connections.ConnectionAdmission(http_connections.raise_descriptor_limit())
    async with AsyncExitStack() as stack:
        sockets = http_connections.listen(host, port)
        for each in sockets:
            stack.enter_context(each)
        server = _Server(_config(guard.around(await _app(stack, runtime, request, guard, routes))), admission)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(server.serve_shielded, sockets)
            try:
                ready(f"http://{_bracketed(host)}:{sockets[0].getsockname()[1]}/mcp")
                await anyio.sleep_forever()
            finally:
                with anyio.CancelScope(shield=True):
                    await guard.drain(limits.SHUTDOWN_GRACE)
                server.should_exit = True


def _config(app: ASGIApp) -> uvicorn.Config:
    """The limits are h11's: another parser that happens to be installed has none of them."""
    return uvicorn.Config(
        app,
        http=_Protocol,
        ws="none",
        lifespan="off",
        log_config=None,
        log_level="error",  # a warning for every piece of garbage would fill the log
        access_log=False,
        server_header=False,
        proxy_headers=False,
        h11_max_incomplete_event_size=limits.MAX_HTTP_HEADERS,
        timeout_keep_alive=int(limits.HTTP_IDLE),
        timeout_graceful_shutdown=1,
    )


async def _app(
    stack: AsyncExitStack,
    runtime: Runtime,
    request: GatewayRequest,
    guard: http_guard.Guard,
    added: Sequence[BaseRoute],
) -> Starlette:
    first = await runtime.enter(request)
    managers = {name: _Manager(runtime.view(first.gateway, name)) for name in SURFACE_NAMES}
    for manager in managers.values():
        await stack.enter_async_context(manager.run())

    def chosen() -> str:
        return request.surface or first.gateway.settings.surface

    routes = [
        Route("/health", _health(runtime, first, guard)),
        Route("/mcp", _Endpoint(managers, chosen)),
        *(Route(f"/mcp/{name}", _Endpoint(managers, partial(str, name))) for name in SURFACE_NAMES),
        *http_api.api_routes(runtime.view(first.gateway, "search")),
        *added,
    ]
    return Starlette(routes=routes, exception_handlers={404: _not_here})


class _Manager(sdk_private.SessionManager):
    """The sessions of one surface, each with events of its own."""

    def __init__(self, view: View) -> None:
        sessions = http_sessions.HttpSessions(view)
        self._buffer = http_sessions.ReplayBuffer()
        self._table = http_sessions.SessionTable(limits.MAX_HTTP_SESSIONS)
        super().__init__(
            sdk_server.SdkServer(view, sessions.make, sessions.open_channel, sessions.choose, _asking).server,
            retry_interval=limits.SSE_RETRY_MS,
            session_idle_timeout=limits.HTTP_SESSION_IDLE,
            max_sessions=limits.MAX_HTTP_SESSIONS,
            max_request_body_size=limits.MAX_HTTP_BODY,
        )

    def admit_session(self, requestor: Any) -> StreamableHTTPServerTransport | None:
        """The SDK gives all sessions one store, in which the streams of two clients have the same ids."""
        self.event_store = self._buffer.session()
        evicted = self._table.evict_idle(self.transports)
        if evicted is not None:
            self.end_session(evicted)
        admitted = super().admit_session(requestor)
        if admitted is not None and admitted.mcp_session_id is not None:
            self._table.opened(admitted.mcp_session_id, http_sessions.CLIENT.get())
        return admitted

    def has_open(self, session: str, number: Any) -> bool:
        """Whether a request of this id is open: the SDK would give its stream to the second, and hang the first."""
        transport = self.transports.get(session)
        return (
            number is not None and transport is not None and sdk_private.has_open_request(transport, number)
        )

    def knows(self, session: str, principal: access.Principal) -> bool:
        """Whether a session was opened here, by this principal."""
        return session in self.transports and self._table.belongs_to(session, principal)

    def used(self, session: str) -> None:
        """A request came for this session."""
        self._table.used(session)


class _Endpoint:
    """New clients get the surface that is configured now; a session keeps the one that it began with."""

    def __init__(self, managers: Mapping[str, _Manager], chosen: Callable[[], str]) -> None:
        self._managers, self._chosen = managers, chosen

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        session = Headers(scope=scope).get(MCP_SESSION_ID_HEADER) or ""
        client = _client(scope)
        http_sessions.CLIENT.set(client)
        opened = next(
            (each for each in self._managers.values() if each.knows(session, client.principal)), None
        )
        if opened is None and session:
            scope = _with_unknown_session(scope)
        if opened is not None:
            opened.used(session)
            if scope["method"] == "POST":
                number, receive = await _read_id(receive)
                if opened.has_open(session, number):
                    refusal = Refusal(INVALID_REQUEST, "duplicate id: a request with it is still open")
                    said = {"jsonrpc": "2.0", "id": number, "error": refusal.error_object}
                    await JSONResponse(said, 400)(scope, receive, send)
                    return
        await (opened or self._managers[self._chosen()]).handle_request(scope, receive, send)


def _client(scope: Scope) -> http_sessions.HttpClient:
    network = http_guard.network_of(scope["client"][0]) if scope.get("client") else ""
    return http_sessions.HttpClient(scope["state"][http_guard.PRINCIPAL], network)


def _asking() -> access.Principal:
    return http_sessions.CLIENT.get().principal


def _with_unknown_session(scope: Scope) -> Scope:
    """Another principal's session is answered as one that never was, whichever it is."""
    name = MCP_SESSION_ID_HEADER.encode()
    headers = [(key, b"unknown" if key == name else value) for key, value in scope["headers"]]
    return {**scope, "headers": headers}


async def _read_id(receive: Receive) -> tuple[Any, Receive]:
    """The id of the request in a body, and the same body once more for whoever answers it."""
    heard, size = [], 0
    while True:
        part = await receive()
        heard.append(part)
        size += len(part.get("body", b""))
        if part["type"] != "http.request" or not part.get("more_body") or size > limits.MAX_HTTP_BODY:
            break
    try:
        message = await offload(size, catalog.decode, b"".join(part.get("body", b"") for part in heard))
    except catalog.NotJson:
        message = None
    number = message.get("id") if isinstance(message, dict) and "method" in message else None

    async def again() -> Any:
        return heard.pop(0) if heard else await receive()

    return number, again


def _health(runtime: Runtime, view: View, guard: http_guard.Guard) -> Callable[[HttpRequest], Any]:
    def status(principal: access.Principal) -> dict[str, Any]:
        seen = view.seen_by(principal)
        return runtime.status() if seen is view else {"servers": seen.scope.status()}

    async def health(http: HttpRequest) -> JSONResponse:
        """Whether the gateway is alive, for anyone; how the servers are, for those with a key."""
        principal = http.scope["state"][http_guard.PRINCIPAL]
        known = {} if principal is None else status(principal)
        return JSONResponse({"status": "draining" if guard.draining else "ok", **known})

    return health


async def _not_here(_http: HttpRequest, _error: Exception) -> JSONResponse:
    served = ", ".join(f"/mcp/{name}" for name in SURFACE_NAMES)
    ours = ", ".join((http_api.TOOLS, http_api.SEARCH, http_api.CALL))
    return http_guard.refused(404, f"nothing is served at this path; /mcp, {served}, {ours} and /health are")


class _Server(uvicorn.Server):
    """A server that leaves signals, connections and the decision to end to us."""

    def __init__(self, config: uvicorn.Config, admission: http_connections.ConnectionAdmission) -> None:
        super().__init__(config)
        self._admission = admission
        self._accepting: list[asyncio.Task[None]] = []

    @contextmanager
    def capture_signals(self) -> Any:
        yield

    async def serve_shielded(self, sockets: Any) -> None:
        """Serve until `should_exit`: a cancelled gateway still has answers to send."""
        with anyio.CancelScope(shield=True):
            await self.serve(sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen with our own sockets."""
        self.servers = []
        self._accepting = [
            asyncio.create_task(http_connections.accept_all(each, self._protocol, self._admission))
            for each in sockets or ()
        ]
        self.started = True

    def _protocol(self) -> "_Protocol":
        return _Protocol(self._admission, self.config, self.server_state, {})

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept nobody any more, and let those who are here finish."""
        for task in self._accepting:
            task.cancel()
        await asyncio.wait(self._accepting)
        await super().shutdown(sockets)


class _Protocol(H11Protocol):
    """A connection that must finish its headers: uvicorn would keep it open for ever."""

    def __init__(
        self,
        admission: http_connections.ConnectionAdmission,
        config: uvicorn.Config,
        server_state: Any,
        app_state: dict[str, Any],
    ) -> None:
        super().__init__(config, server_state, {**app_state, http_guard.CONNECTION: self})
        self._admission = admission
        self.address = ""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.address = http_guard.network_of(self.client[0]) if self.client else ""
        self._admission.enter(self)
        self.timeout_keep_alive_task = self.loop.call_later(
            limits.HTTP_HELLO, self.timeout_keep_alive_handler
        )

    def connection_lost(self, exc: Exception | None) -> None:
        self._admission.leave(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """The timer runs until a request is complete: a byte of a header is not one."""
        self.conn.receive_data(data)
        self.handle_events()

    def admit(self, *, standing: bool) -> bool:
        """The guard has accepted the key."""
        return self._admission.admit(self, standing=standing)

    def on_response_complete(self) -> None:
        """Between two requests it is idle."""
        self._admission.rest(self)
        super().on_response_complete()

    def drop(self) -> None:
        """The admission needs its slot."""
        self.transport.abort()


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
