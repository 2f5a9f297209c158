"""A server spec → one live, negotiated connection: raw requests out, raw results back, faults typed."""

from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import anyio
import httpx2
from mcp.shared.dispatcher import CallOptions, DispatchContext
from mcp.shared.exceptions import MCPError
from mcp.shared.jsonrpc_dispatcher import JSONRPCDispatcher
from mcp.shared.transport_context import TransportContext
from mcp_types import CONNECTION_CLOSED, METHOD_NOT_FOUND, REQUEST_TIMEOUT

from toolbooth.catalog.connect.channel import CLOSED, Channel
from toolbooth.catalog.connect.era import Era, unsettled
from toolbooth.catalog.connect.http import open_http, open_sse, refused_by_status
from toolbooth.catalog.connect.messages import FAULT_CODE
from toolbooth.catalog.connect.stdio import open_stdio
from toolbooth.catalog.server_spec import ServerSpec
from toolbooth.errors import (
    BackendCrashed,
    BackendFault,
    BackendNotFound,
    BackendProtocolError,
    BackendRefused,
    BackendTimeout,
)
from toolbooth.safetext import for_terminal

_OPENERS = {"stdio": open_stdio, "http": open_http, "sse": open_sse}


class Link:
    """One connection. `era` says which protocol was agreed and what the server said of itself."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._dispatcher: JSONRPCDispatcher[TransportContext] = JSONRPCDispatcher(channel.read, channel.write)
        self.era: Era = unsettled()

    async def run(self, *, task_status: anyio.abc.TaskStatus[None] = anyio.TASK_STATUS_IGNORED) -> None:
        """Drive the receive loop until the channel closes."""
        await self._dispatcher.run(_answer_server, _ignore_notification, task_status=task_status)

    async def request(
        self, method: str, params: Mapping[str, Any] | None, timeout: float, *, era: Era | None = None
    ) -> dict[str, Any]:
        """Send one request and give back its raw result; raises a BackendFault of the fitting kind."""
        params, headers = (era or self.era).stamp(method, params)
        options: CallOptions = {
            "timeout": timeout,
            "headers": headers,
            "cancel_on_abandon": method not in ("initialize", "server/discover"),
        }
        try:
            return await self._dispatcher.send_raw_request(method, params, options)
        except MCPError as error:
            raise self._fault(error, method, timeout) from None

    async def notify(self, method: str) -> None:
        """Send one notification without parameters."""
        _, headers = self.era.stamp(method, None)
        await self._dispatcher.notify(method, None, {"headers": headers})

    def _fault(self, error: MCPError, method: str, timeout: float) -> BackendFault:
        known = error.error.data
        if error.error.code == FAULT_CODE and isinstance(known, BackendFault):
            return known
        if error.error.code == REQUEST_TIMEOUT and "timed out" in error.error.message:
            return BackendTimeout(f"did not answer {method} within {timeout:g} s")
        explained = self._channel.explain(error.error.message)
        if explained is not None:
            return explained
        if error.error.code == CONNECTION_CLOSED and error.error.message == CLOSED:
            return BackendCrashed("closed the connection")
        said = for_terminal(error.error.message)
        return ServerError(
            f"answered {method} with error {error.error.code}: {said}", error.error.code, error.error.data
        )


class ServerError(BackendRefused):
    """A JSON-RPC error answer, with its code."""

    def __init__(self, message: str, code: int, data: Any = None) -> None:
        super().__init__(message)
        self.code, self.data = code, data


@asynccontextmanager
async def open_link(spec: ServerSpec) -> AsyncIterator[Link]:
    """Open the transport that the spec names and run the connection; the caller negotiates.

    Whatever fails, in the SDK's task groups or in ours, comes out as one BackendFault with the server's name.
    """
    try:
        async with _open_channel(spec) as channel, anyio.create_task_group() as tasks:
            link = Link(channel)
            await tasks.start(link.run)
            try:
                yield link
            finally:
                tasks.cancel_scope.cancel()
    except Exception as error:
        raise _single_fault(error, spec) from None


def _open_channel(spec: ServerSpec) -> AbstractAsyncContextManager[Channel]:
    return _OPENERS["http" if spec.transport == "auto" else spec.transport](spec)


def _single_fault(error: BaseException, spec: ServerSpec) -> Exception:
    """The first real cause in a group, typed. A bug of ours stays what it is."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    fault = _typed(error)
    if isinstance(fault, BackendFault):
        fault.server = fault.server or spec.name
    return fault


def _typed(error: BaseException) -> Exception:
    if isinstance(error, httpx2.HTTPStatusError):
        return refused_by_status(error.response.status_code)
    if isinstance(error, httpx2.ConnectError | httpx2.InvalidURL | httpx2.UnsupportedProtocol):
        return BackendNotFound(f"could not be reached: {for_terminal(str(error)) or 'connection failed'}")
    if isinstance(error, httpx2.TimeoutException):
        return BackendTimeout("did not answer in time")
    if isinstance(error, httpx2.HTTPError | httpx2.StreamError):
        return BackendProtocolError(f"broke off its answer ({type(error).__name__})")
    return error if isinstance(error, Exception) else RuntimeError(repr(error))


async def _answer_server(
    _context: DispatchContext[TransportContext], method: str, _params: Mapping[str, Any] | None
) -> dict[str, Any]:
    """A server may ask whether we live; we offer it nothing else."""
    if method == "ping":
        return {}
    raise MCPError(code=METHOD_NOT_FOUND, message=f"{method} is not offered by this client")


async def _ignore_notification(
    _context: DispatchContext[TransportContext], _method: str, _params: Mapping[str, Any] | None
) -> None:
    return None
