"""A client of a gateway in this process, over its stdio transport, with the few MCP requests that an agent sends."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, closing, suppress
from functools import partial
from itertools import count as numbers
from typing import TYPE_CHECKING, Any, NamedTuple

import anyio

from toolbooth import access, catalog, errors, limits, safetext
from toolbooth.catalog.connect import ClientIdentity

if TYPE_CHECKING:
    from toolbooth.gateway.calls.record import Reported
    from toolbooth.gateway.runtime import GatewayRequest, Runtime
    from toolbooth.gateway.surfaces.view import View
__all__ = ["GatewayRefused", "InProcessClient", "ToolAnswer", "in_process_client"]


VERSION = "2025-11-25"  # the version that most clients speak today
_IDENTITY = ClientIdentity({"name": "toolbooth", "version": "1"}, {})


class GatewayRefused(errors.NothingToWeigh):
    """The gateway answered with a JSON-RPC error; `said` is its message as it came.

    For callers with a fixed series of calls this is a bug in Toolbooth.
    """

    def __init__(self, method: str, code: int, said: str) -> None:
        self.code, self.said = code, said
        words = safetext.for_terminal(said)
        super().__init__(f"the gateway refused {method}: {words}; this is a bug in Toolbooth")


class NotSendable(errors.UserMistake):
    """A request that cannot be sent; the gateway was told nothing of it."""


class GatewayClosed(errors.NothingToWeigh):
    """The client was closed while this request was in progress."""


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
    runtime: "Runtime",
    request: "GatewayRequest",
    principal: access.Principal = access.LOCAL_USER,
    session_id: str = "",
) -> AsyncIterator["InProcessClient"]:
    """A client over a socket that takes the place of its stdin and stdout.

    Two clients of one program read each other's results if they have the same `session_id`.
    """
    from toolbooth.gateway.transports.stdio import serve_stdio

    view = await runtime.enter(request)
    view = view.on(view.surface_for(_IDENTITY, principal))
    async with anyio.create_task_group() as tasks:
        ours, theirs = socket.socketpair()
        descriptor = theirs.detach()
        serving = partial(serve_stdio, view, descriptor, descriptor)
        tasks.start_soon(partial(serving, principal=principal, session_id=session_id))
        # An answer may be as large as the frame limit allows, plus its envelope and perhaps our call report.
        reader, writer = await asyncio.open_connection(sock=ours, limit=2 * limits.MAX_FRAME)
        with closing(InProcessClient(view, writer)) as client:
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
        params = {"protocolVersion": VERSION, "capabilities": {}, "clientInfo": _IDENTITY.info}
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
            raise errors.NothingToWeigh(f"the gateway has ended; {method} was not sent")
        number = next(self._ids)
        line = _line({"id": number, "method": method, "params": params})
        if len(line) > limits.MAX_FRAME:  # refused there without its id, as if all that wait had failed
            raise NotSendable(f"{method} has {len(line):,} bytes; at most {limits.MAX_FRAME:,} can be sent")
        waiting = _Waiting(method, asyncio.get_running_loop().create_future())
        self._writer.write(line)
        self._waiting[number] = waiting
        try:
            return await waiting.answer
        except asyncio.CancelledError:
            if self._waiting.pop(number, None) is not None and not self._over:
                self._cancel(number)
            raise

    async def listen(self, reader: asyncio.StreamReader) -> None:
        """Hand every answer to the request that waits for it, until the gateway ends; notifications are ignored."""
        try:
            with suppress(ConnectionError):
                while line := await reader.readline():
                    self._take(json.loads(line))
        finally:
            self._over = True
            self._settle_all(_lost)

    def close(self) -> None:
        """Cancel what is in progress: nobody would read its answers, and the transport would wait for them."""
        self._over = True
        for number in self._waiting:
            self._cancel(number)
        self._settle_all(_closed)
        self._writer.close()

    def _take(self, message: Mapping[str, Any]) -> None:
        if "method" in message:
            return
        number = message.get("id")
        known = self._waiting.pop(number, None) if isinstance(number, int) else None
        if known is not None:
            _settle(known.answer, _outcome(known.method, message))
        elif number is None:  # the answer to a line that it could not read: it cannot say which
            self._settle_all(lambda method: _outcome(method, message))

    def _settle_all(self, outcome: Callable[[str], dict[str, Any] | errors.NothingToWeigh]) -> None:
        while self._waiting:
            _, (method, answer) = self._waiting.popitem()
            _settle(answer, outcome(method))

    def _cancel(self, number: int) -> None:
        self._send({"method": "notifications/cancelled", "params": {"requestId": number}})

    def _send(self, message: Mapping[str, Any]) -> None:
        self._writer.write(_line(message))


def _line(message: Mapping[str, Any]) -> bytes:
    try:
        return catalog.encode_line({"jsonrpc": "2.0", **message})
    except UnicodeEncodeError:
        raise NotSendable("a text holds half of a surrogate pair, which is no character; remove it") from None
    except (ValueError, TypeError, RecursionError) as error:
        raise NotSendable(f"this cannot be written as JSON ({error}); give plain JSON values") from None


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


def _lost(method: str) -> errors.NothingToWeigh:
    return errors.NothingToWeigh(f"the gateway ended before it answered {method}; is the installation whole?")


def _closed(method: str) -> errors.NothingToWeigh:
    return GatewayClosed(f"the gateway was closed before it answered {method}")
