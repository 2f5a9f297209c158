"""This process as its user's daemon, unless another one is running, and the gateways it serves."""

import os
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from toolbooth import errors, limits
from toolbooth.gateway.daemon import client, endpoint, server
from toolbooth.gateway.daemon.session import Hello, ServeClient, Service
from toolbooth.gateway.process import Log, error_summary, load, log_to_stderr, run

if TYPE_CHECKING:
    from toolbooth.gateway.runtime import GatewayRequest, Runtime, View

__all__ = ["Hello", "open_gateways", "run_daemon"]

IDLE_VARIABLE = "TOOLBOOTH_DAEMON_IDLE"
RequestReader = Callable[[Hello], "GatewayRequest"]
ServiceOpener = Callable[[], AbstractAsyncContextManager[Service]]


def run_daemon(open_service: ServiceOpener, ready_descriptor: int | None = None) -> None:
    """Serve until it is time to end. A byte on `ready_descriptor` tells the starter that it may connect."""
    paths = endpoint.find_paths()
    lock = server.DaemonLock(paths.lock)
    if not lock.take():
        _signal(ready_descriptor, client.TAKEN)
        raise errors.DaemonFault("a daemon is already running; `toolbooth daemon status` shows it")
    with suppress(OSError):  # they are of no use any more
        server.remove_left_files(paths.folder, paths.lock)
    log = Log()
    log_to_stderr(log)
    try:
        run(_serve, paths, lock, log, open_service, partial(_signal, ready_descriptor, client.READY))
    except errors.ToolboothError:
        raise
    except Exception as error:
        raise errors.DaemonFault(f"the daemon failed: {error_summary(error)}") from None


async def _serve(
    paths: endpoint.DaemonPaths,
    lock: server.DaemonLock,
    log: Log,
    open_service: ServiceOpener,
    ready: Callable[[], None],
) -> None:
    async with open_service() as service:
        await server.Daemon(paths, lock, service, log).run(ready)


def _signal(descriptor: int | None, word: bytes) -> None:
    if descriptor is not None:
        with suppress(OSError):  # a starter that was interrupted no longer listens
            os.write(descriptor, word)
            os.close(descriptor)


class GatewayService:
    """Gives each client of the daemon its gateway of the one runtime."""

    def __init__(self, runtime: "Runtime", read_request: RequestReader) -> None:
        self._runtime, self._read_request = runtime, read_request
        self._idle = limits.DAEMON_IDLE

    async def enter(self, hello: Hello) -> ServeClient:
        """Open the gateway that a client asks for."""
        view = await self._runtime.enter(self._read_request(hello))
        self._idle = view.gateway.settings.daemon_idle
        return partial(self._serve, view)

    async def _serve(self, view: "View", read_fd: int, write_fd: int, journal: Any, *, resumed: bool) -> None:
        from toolbooth.gateway.transports.stdio import serve_stdio

        try:
            await serve_stdio(view, read_fd, write_fd, journal, resumed=resumed)
        finally:
            self._runtime.leave(view)

    def forget(self) -> None:
        """Close the gateways that no client uses."""
        self._runtime.forget()

    def status(self) -> Mapping[str, Any]:
        """The gateways, their servers and their notes."""
        return self._runtime.status()

    def idle(self) -> float:
        """Seconds without a client after which the daemon ends; the environment overrides the last client's setting."""
        return float(os.environ.get(IDLE_VARIABLE) or self._idle)


@asynccontextmanager
async def open_gateways(read_request: RequestReader) -> AsyncIterator[GatewayService]:
    """The gateways of all clients, for as long as the daemon runs."""
    load("toolbooth.gateway.runtime", "toolbooth.gateway.transports.stdio")
    from toolbooth.gateway.runtime import open_runtime

    async with open_runtime(os.environ) as runtime:
        yield GatewayService(runtime, read_request)
