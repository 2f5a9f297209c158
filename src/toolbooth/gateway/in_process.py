"""A client of a gateway in this process, over its stdio transport, with the few MCP requests that an agent sends."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, closing, suppress
from functools import partial
from itertools import count as numbers
from typing import TYPE_CHECKING, Any, NamedTuple

import anyio

from toolbooth import access, catalog, errors, limits, safetext

if TYPE_CHECKING:
    from toolbooth.gateway.calls.record import Reported
    from toolbooth.gateway.runtime import GatewayRequest, Runtime
    from toolbooth.gateway.surfaces.view import View
__all__ = ["GatewayRefused", "InProcessClient", "ToolAnswer", "in_process_client"]


VERSION = "2025-11-25"  # the version that most clients speak today


class GatewayRefused(errors.NothingToWeigh):
    """The gateway answered with a JSON-RPC error; `said` is its message as it came.

    For callers with a fixed series of calls this is a bug in Toolbooth.
    """

    def __init__(self, method: str, code: int, said: str) -> None:
        self.code, self.said = code, said
        words = safetext.for_terminal(said)
        super().__init__(f"the gateway refused {method}: {words}; this is a bug in Toolbooth")


class ToolAnswer(NamedTuple):
    """What a tool returned: its text blocks, its structured content if there is any, and whether it failed."""

    texts: tuple[str, ...]
    is_error: bool
    structured: Mapping[str, Any] | None = None

    @property
    def text(self) -> str:
        """All text blocks, joined."""
        return "\n".join(self.texts)


@asynccontextmanager
async def in_process_client(
    runtime: "Runtime", request: "GatewayRequest", principal: access.Principal = access.LOCAL_USER
) -> AsyncIterator["InProcessClient"]:
    """A client over a socket that takes the place of its stdin and stdout."""
    from toolbooth.gateway.transports.stdio import serve_stdio

    view = await runtime.enter(request)
    async with anyio.create_task_group() as tasks:
        ours, theirs = socket.socketpair()
        descriptor = theirs.detach()
        tasks.start_soon(partial(serve_stdio, view, descriptor, descriptor, principal=principal))
        # An answer may be as large as the frame limit allows, plus its envelope and perhaps our call report.
        reader, writer = await asyncio.open_connection(sock=ours, limit=2 * limits.MAX_FRAME)
        with closing(writer):
            client = InProcessClient(view, writer)
            tasks.start_soon(client.listen, reader)
            await client.introduce()
            yield client


class _Waiting(NamedTuple):
    method: str
    answer: "asyncio.Future[dict[str, Any]]"


class InProcessClient:
    """Any number of requests may be in progress at once. `view` is what it is a client of."""

    def __init__(self, view: "View", writer: asyncio.StreamWriter) -> None:
        self.view, self._writer = view, writer
        self._ids = numbers(1)
        self._waiting: dict[int, _Waiting] = {}
        self._over = False
        self.hello: Mapping[str, Any] = {}

    @property
    def calls_through(self) -> str:
        """The tool of its menu that calls every server's tool; empty on a surface without one."""
        from toolbooth.gateway.builtin_tools import call_name

        return call_name(self.view.surface.builtin_tools)

    async def introduce(self) -> None:
        """Complete the handshake."""
        who = {"name": "toolbooth", "version": "1"}
        params = {"protocolVersion": VERSION, "capabilities": {}, "clientInfo": who}
        self.hello = await self.ask("initialize", params)
        self._send({"method": "notifications/initialized"})

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> ToolAnswer:
        """Call one tool of the menu."""
        result = await self.ask("tools/call", {"name": tool, "arguments": arguments})
        texts = tuple(catalog.texts_in(result))
        return ToolAnswer(texts, bool(result.get("isError")), result.get("structuredContent"))

    async def call_reported(
        self, tool: str, arguments: Mapping[str, Any]
    ) -> "tuple[dict[str, Any], Reported]":
        """The whole result, and the report on the call."""
        from toolbooth.gateway.calls.record import CALLS, read_report  # imports the protocol SDK

        params = {"name": tool, "arguments": arguments, "_meta": {CALLS: True}}
        result = await self.ask("tools/call", params)
        return result, read_report(result)

    async def ask(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        """The result of one request. If the caller is cancelled while it waits, the gateway is notified."""
        if self._over:
            raise _ended(method)
        number = next(self._ids)
        waiting = _Waiting(method, asyncio.get_running_loop().create_future())
        self._send({"id": number, "method": method, "params": params})
        self._waiting[number] = waiting
        try:
            return await waiting.answer
        except asyncio.CancelledError:
            if self._waiting.pop(number, None) is not None and not self._over:
                self._send({"method": "notifications/cancelled", "params": {"requestId": number}})
            raise

    async def listen(self, reader: asyncio.StreamReader) -> None:
        """Hand every answer to the request that waits for it, until the gateway ends; notifications are ignored."""
        try:
            with suppress(ConnectionError):
                while line := await reader.readline():
                    self._take(json.loads(line))
        finally:
            self._over = True
            while self._waiting:
                _, (method, answer) = self._waiting.popitem()
                _settle(answer, _ended(method))

    def _take(self, message: Mapping[str, Any]) -> None:
        if "method" in message:
            return
        number = message.get("id")
        known = self._waiting.pop(number, None) if isinstance(number, int) else None
        if known is not None:
            _settle(known.answer, _outcome(known.method, message))
        elif number is None:  # the answer to a line that it could not read: it cannot say which
            while self._waiting:
                _, (method, answer) = self._waiting.popitem()
                _settle(answer, _outcome(method, message))

    def _send(self, message: Mapping[str, Any]) -> None:
        self._writer.write(catalog.encode_line({"jsonrpc": "2.0", **message}))


def _outcome(method: str, message: Mapping[str, Any]) -> dict[str, Any] | errors.NothingToWeigh:
    if "error" in message:
        error = message["error"]
        return GatewayRefused(method, int(error.get("code", 0)), str(error.get("message")))
    result: dict[str, Any] = message["result"]
    return result


def _settle(
    answer: "asyncio.Future[dict[str, Any]]", outcome: dict[str, Any] | errors.NothingToWeigh
) -> None:
    if answer.done():
        return
    if isinstance(outcome, errors.NothingToWeigh):
        answer.set_exception(outcome)
    else:
        answer.set_result(outcome)


def _ended(method: str) -> errors.NothingToWeigh:
    return errors.NothingToWeigh(f"the gateway ended before it answered {method}; is the installation whole?")
