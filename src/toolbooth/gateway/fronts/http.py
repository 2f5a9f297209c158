"""A house → Streamable HTTP on a port: every surface under its own path, guarded, with a health check."""

from collections.abc import Callable
from contextlib import AsyncExitStack, contextmanager
from typing import Any

import anyio
import uvicorn
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.applications import Starlette
from starlette.requests import Request as HttpRequest
from starlette.responses import JSONResponse
from starlette.routing import Route

from toolbooth.errors import UserMistake
from toolbooth.gateway.fronts.event_store import EventStore
from toolbooth.gateway.fronts.guard import Guard
from toolbooth.gateway.fronts.http_session import HttpSessions
from toolbooth.gateway.fronts.sdk import SdkServer
from toolbooth.gateway.house import House, Request
from toolbooth.gateway.view import OFFERED
from toolbooth.limits import HTTP_SESSION_IDLE, MAX_HTTP_SESSIONS, SHUTDOWN_GRACE, SSE_RETRY_MS

__all__ = ["serve_http"]


async def serve_http(
    house: House, request: Request, host: str, port: int, key: str | None, *, ready: Callable[[str], None]
) -> None:
    """Serve until cancelled; then calls in flight may finish, and nothing new is taken."""
    guard = Guard(host, key)
    async with AsyncExitStack() as stack:
        app = await _app(stack, house, request, guard)
        config = uvicorn.Config(
            guard.around(app), host=host, port=port, log_level="warning", lifespan="off", access_log=False,
            server_header=False, timeout_graceful_shutdown=1,
        )  # fmt: skip
        server = _Server(config)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_serve, server, host, port)
            try:
                guard.port = await server.bound()
                ready(f"http://{_bracketed(host)}:{guard.port}/mcp")
                await anyio.sleep_forever()
            finally:
                with anyio.CancelScope(shield=True):
                    await guard.drain(SHUTDOWN_GRACE)
                    server.should_exit = True
                    await server.ended.wait()


async def _app(stack: AsyncExitStack, house: House, request: Request, guard: Guard) -> Starlette:
    first = await house.enter(request)
    routes: list[Any] = [Route("/health", _health(house, guard))]
    for name in (first.name, *OFFERED):
        view = house.view(first.gateway, name)
        sessions = HttpSessions(view)
        manager = StreamableHTTPSessionManager(
            SdkServer(view, sessions.make, sessions.open_reach).server,
            event_store=EventStore(),
            retry_interval=SSE_RETRY_MS,
            session_idle_timeout=HTTP_SESSION_IDLE,
            max_sessions=MAX_HTTP_SESSIONS,
        )
        await stack.enter_async_context(manager.run())
        path = "/mcp" if len(routes) == 1 else f"/mcp/{name}"
        routes.insert(1, _exactly(path, manager))
    return Starlette(routes=routes)


def _exactly(path: str, manager: StreamableHTTPSessionManager) -> Route:
    class Endpoint:
        async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
            await manager.handle_request(scope, receive, send)

    return Route(path, Endpoint())


def _health(house: House, guard: Guard) -> Callable[[HttpRequest], Any]:
    async def health(http: HttpRequest) -> JSONResponse:
        """Whether we live, for anyone; how the servers are, for those with the key."""
        known = house.status() if guard.admits(http.headers.get("authorization")) else {}
        return JSONResponse({"status": "draining" if guard.draining else "ok", **known})

    return health


class _Server(uvicorn.Server):
    """Signals are ours to handle, and the port is told once it is bound."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._bound, self.ended = anyio.Event(), anyio.Event()

    @contextmanager
    def capture_signals(self) -> Any:
        yield

    async def startup(self, sockets: Any = None) -> None:
        await super().startup(sockets)
        self._bound.set()

    async def bound(self) -> int:
        await self._bound.wait()
        return int(self.servers[0].sockets[0].getsockname()[1])


async def _serve(server: _Server, host: str, port: int) -> None:
    try:
        await server.serve()
    except SystemExit:
        raise UserMistake(f"cannot listen on {host}:{port}; choose another with --port") from None
    finally:
        server.ended.set()


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
