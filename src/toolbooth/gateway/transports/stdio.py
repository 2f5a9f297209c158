"""The stdio transport: calls take the fast path, everything else goes through the SDK."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from functools import partial
from json.encoder import encode_basestring_ascii
from typing import TYPE_CHECKING, Any

import anyio
from mcp.server.runner import serve_dual_era_loop
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCError, JSONRPCResponse, jsonrpc_message_adapter

from toolbooth import access, catalog, errors, limits, safetext
from toolbooth.catalog.connect import TOOLBOOTH_IDENTITY, ClientIdentity, Frame, Oversized
from toolbooth.gateway.calls.context import CallContext
from toolbooth.gateway.calls.tool_result import ToolResult
from toolbooth.gateway.handlers import run_call, start_call
from toolbooth.gateway.session import (
    INTERNAL_ERROR,
    INVALID_REQUEST,
    ClientChannel,
    Refusal,
    Session,
    internal_error,
    refusal_of,
)
from toolbooth.gateway.surfaces.view import View
from toolbooth.gateway.transports import sdk_private, sdk_server, stdio_pipe, stdio_requests, stdio_writer

if TYPE_CHECKING:
    from toolbooth.gateway.daemon.journal import RequestJournal
__all__ = ["serve_stdio"]


_PARSE_ERROR = -32700
_TOO_MANY = "too many requests are open; send it again once some are answered"


async def serve_stdio(
    view: View,
    read_fd: int,
    write_fd: int,
    journal: "RequestJournal | None" = None,
    *,
    resumed: bool = False,
    principal: access.Principal = access.LOCAL_USER,
    session_id: str = "",
) -> None:
    """Serve one client until it closes its side and every answer is written; closes the descriptors.

    A `resumed` client was another daemon's, which noted in the journal what it had begun. The `principal` is another
    than the local user, and the `session_id` given, only where a program embeds the gateway.
    """
    transport = StdioTransport(view, journal, principal, session_id)
    left = journal if resumed else None
    if left is not None:
        transport.introduce(stdio_requests.handshake_again(left, transport.pipe))
    await transport.pipe.open(read_fd, write_fd)
    try:
        if left is not None:
            stdio_requests.answer_what_was_left(left, transport.writer, view.gateway)
        await transport.run()
    finally:
        transport.pipe.close()


class StdioTransport:
    """The listening side of one client. `session` is known once the client has identified itself."""

    def __init__(
        self,
        view: View,
        journal: "RequestJournal | None",
        principal: access.Principal = access.LOCAL_USER,
        session_id: str = "",
    ) -> None:
        self._view, self._journal, self._principal = view, journal, principal
        self._fresh_id = session_id or secrets.token_hex(16)
        self.pipe = stdio_pipe.Pipe(self._take, None if journal is None else journal.reading_head)
        self.writer = stdio_writer.StdioWriter(self.pipe, journal)
        self.session: Session | None = None
        self._calls: dict[stdio_writer.Id, Callable[[], object]] = {}
        self._left = self._last_words = False
        self._surface = ""
        self._queue = stdio_requests.RequestQueue(self.pipe, self.writer, self._start)
        self._to_sdk, self._for_sdk = anyio.create_memory_object_stream[SessionMessage | Exception](
            limits.MAX_UNSENT
        )
        self._sdk = sdk_server.SdkServer(
            view, self._new_session, self._open_channel, self._choose, lambda: principal
        )

    async def run(self) -> None:
        """Run until the client is gone."""
        with self._to_sdk, self._for_sdk:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(self._run_sdk)
                try:
                    await self.pipe.closed.wait()
                    await self._finish()
                finally:
                    self._leave()
                    with anyio.CancelScope(shield=True):
                        await self.writer.drain(limits.LAST_WORDS if self._last_words else 0)
                    tasks.cancel_scope.cancel()

    async def _run_sdk(self) -> None:
        outbox = _Outbox(self)
        await serve_dual_era_loop(self._sdk.server, self._for_sdk, outbox, lifespan_state={}, session_id=None)

    async def _finish(self) -> None:
        """A client that closes its stdin may still wait for answers: `echo … | toolbooth serve` does."""
        with anyio.move_on_after(limits.SHUTDOWN_GRACE):
            while self._queue.busy and not self.pipe.gone:  # noqa: ASYNC110
                await anyio.sleep(0.01)
        self._to_sdk.close()  # not before: the SDK drops what it is answering when its stream ends
        await self.writer.drain(limits.SHUTDOWN_GRACE)

    def _leave(self) -> None:
        """Open requests stay noted, and the next daemon answers them; if none takes over, they are refused."""
        # Another daemon takes over
        goes_on = self._journal is not None and self._journal.outlives and not self.pipe.closed.is_set()
        self._queue.close()
        self._left = True
        for abandon in tuple(self._calls.values()):
            abandon()
        self.writer.end()
        waiting = [] if goes_on or self.pipe.gone else self._queue.waiting()
        self._last_words = bool(waiting)
        stdio_requests.refuse_what_is_open(waiting, self.writer)
        if self.session is not None:
            self._view.gateway.leave(self.session, for_good=not goes_on)

    # -- from the client -----------------------------------------------------------------------------------
    def _take(self, event: Frame | Oversized) -> None:
        if isinstance(event, Oversized):
            self.writer.refuse(
                None, INVALID_REQUEST, f"a message may have {limits.MAX_FRAME // limits.MIB} MiB at most"
            )
            return
        try:
            message = catalog.decode(event.data)
        except catalog.NotJson as error:
            if event.data.strip():
                self.writer.refuse(None, _PARSE_ERROR, f"this is not JSON: {error}")
            return
        several = message if isinstance(message, list) and message else (message,)
        for each in several:
            self._sort(each, len(event.data) // len(several))

    def _sort(self, message: Any, size: int) -> None:
        if not isinstance(message, dict):
            self.writer.refuse(None, INVALID_REQUEST, "a message must be an object")
            return
        method, number = message.get("method"), message.get("id", 0)
        if method is not None and (not isinstance(number, (int, str)) or isinstance(number, bool)):
            self.writer.refuse(None, INVALID_REQUEST, "an id must be text or a number")
            return
        if method is not None and "id" in message:
            self._admit(number, message, size)
        elif method == "notifications/cancelled" and self._cancel(message.get("params")):
            return
        elif method is not None or not self.writer.hear(message):
            self._pass_to_sdk(message)

    def _admit(self, number: stdio_writer.Id, message: dict[str, Any], size: int) -> None:
        if number in self._queue:
            shown = safetext.for_terminal(str(number), 40)
            self.writer.refuse_duplicate(number, f"duplicate id {shown}: a request with it is still open")
            return
        if _length(number) > limits.MAX_REQUEST_ID:
            self.writer.refuse(
                number, INVALID_REQUEST, f"an id may have {limits.MAX_REQUEST_ID} bytes of JSON at most"
            )
        elif self._queue.full(size) or not self._note(number, message):
            self.writer.refuse(number, INTERNAL_ERROR, _TOO_MANY)
        else:
            self._queue.take(number, message, size)

    def _note(self, number: stdio_writer.Id, message: dict[str, Any]) -> bool:
        return self._journal is None or self._journal.begin(number, stdio_requests.noted(message))

    def _start(self, message: dict[str, Any]) -> None:
        """Start a request; never raises, because the event loop would close the client's stdin."""
        try:
            if message["method"] != "tools/call" or not self._call(message):
                self._pass_to_sdk(message)
        except Exception as error:
            self._finish_call(message["id"], internal_error(error))

    def _pass_to_sdk(self, message: dict[str, Any]) -> None:
        number = message.get("id")
        request = "method" in message and isinstance(number, (int, str))
        try:
            model = jsonrpc_message_adapter.validate_python(message)
        except ValueError:
            known = number if isinstance(number, (int, str)) else None
            self.writer.refuse(known, INVALID_REQUEST, "this is not a JSON-RPC 2.0 message")
            self._done_in_sdk(known if request else None)
            return
        if request and self._journal is not None and message["method"] == "initialize":
            self._journal.remember("initialize", message.get("params") or {})
        try:
            self._to_sdk.send_nowait(SessionMessage(model))
        except (anyio.WouldBlock, anyio.ClosedResourceError, anyio.BrokenResourceError):
            if request:
                self.writer.refuse(number, INTERNAL_ERROR, _TOO_MANY)
                self._done_in_sdk(number)

    def introduce(self, messages: list[dict[str, Any]]) -> None:
        """Send what the SDK has to receive first."""
        for message in messages:
            self._to_sdk.send_nowait(SessionMessage(jsonrpc_message_adapter.validate_python(message)))

    def from_sdk(self, item: SessionMessage) -> None:
        """A message that the SDK has made."""
        message = item.message
        if self._left:  # open requests have been answered with an error
            return
        if not isinstance(message, JSONRPCResponse | JSONRPCError):
            self.writer.send(message.model_dump(by_alias=True, exclude_unset=True, mode="json"))
        elif message.id != stdio_requests.RESUMED:
            dumped = message.model_dump(by_alias=True, exclude_unset=True, mode="json")
            self.writer.send(dumped, message.id)
            self._done_in_sdk(message.id)

    def _done_in_sdk(self, number: stdio_writer.Id | None) -> None:
        if number is not None:
            self._queue.leave(number)

    # -- calls ---------------------------------------------------------------------------------------------
    def _call(self, message: dict[str, Any]) -> bool:
        """Take a call on the fast path; False leaves it to the SDK, which knows how to refuse it."""
        number = message.get("id")
        if self.session is None or not isinstance(number, (int, str)):
            return False
        caller = sdk_server.fast_caller(self.session, message, self.writer)
        if caller is None:
            return False
        view = self._view.shown_to(self.session)
        call = CallContext.of_request(view, caller, message["params"])
        finish, slowly = partial(self._finish_call, number), partial(self._start_task, number)
        abandon = start_call(call, finish, slowly) or slowly(partial(run_call, call))
        self._calls[number] = abandon
        return True

    def _start_task(
        self, number: stdio_writer.Id, work: Callable[[], Coroutine[Any, Any, ToolResult]]
    ) -> Callable[[], object]:
        task = asyncio.get_running_loop().create_task(self._carry_out(number, work))
        self._calls[number] = task.cancel
        return task.cancel

    async def _carry_out(
        self, number: stdio_writer.Id, work: Callable[[], Coroutine[Any, Any, ToolResult]]
    ) -> None:
        outcome: ToolResult | Refusal
        try:
            outcome = await work()
        except Refusal as refusal:
            outcome = refusal
        except errors.BackendFault as fault:
            outcome = refusal_of(fault)
        except Exception as error:
            outcome = internal_error(error)
        self._finish_call(number, outcome)

    def _finish_call(self, number: stdio_writer.Id, outcome: ToolResult | Refusal) -> None:
        try:
            self._say_outcome(number, outcome)
        finally:
            self._end_call(number)

    def _say_outcome(self, number: stdio_writer.Id, outcome: ToolResult | Refusal) -> None:
        if isinstance(outcome, Refusal):
            self.writer.error(number, outcome)
            return
        try:
            self.writer.result(number, outcome.sent)
        except (ValueError, TypeError, RecursionError, MemoryError) as error:  # it cannot be written as JSON
            self.writer.error(number, internal_error(error))

    def _end_call(self, number: stdio_writer.Id) -> None:
        self._calls.pop(number, None)
        self._queue.leave(number)

    def _cancel(self, params: Any) -> bool:
        """Neither we nor the SDK answer a request that was cancelled."""
        number = params.get("requestId") if isinstance(params, dict) else None
        if not isinstance(number, (int, str)):
            return False
        abandon = self._calls.get(number)
        if abandon is not None:
            abandon()
        if self._journal is not None and number in self._queue:
            self._journal.end(number)
        self._end_call(number)
        return abandon is not None

    # -- the session ---------------------------------------------------------------------------------------
    def _new_session(self, context: sdk_private.Context, client_identity: ClientIdentity) -> Session:
        if self.session is None:
            modern = context.method != "initialize"
            version, channel = (context.protocol_version, None) if modern else ("", self.writer)
            surface = self._choose(client_identity)
            self._keep(surface)
            fixed = not self._view.on(surface).changes
            self.session = Session(
                self._session_id(), version, modern, client_identity, channel, fixed_menu=fixed
            )
            self.session.backpressure, self.session.principal = self.pipe, self._principal
            self.session.surface = surface
            self._view.gateway.enter(self.session)
        return self.session

    def _choose(self, client_identity: ClientIdentity) -> str:
        """Once for each client. After another daemon has taken over it is the same, whatever the tools weigh now.

        A greeting without a session that does not say who it is for decides nothing: a handshake may follow.
        """
        if self._surface:
            return self._surface
        surface = self._view.surface_for(client_identity, self._principal, self._surface_before())
        if client_identity.info is not TOOLBOOTH_IDENTITY.info:
            self._keep(surface)
        return surface

    def _keep(self, surface: str) -> None:
        self._surface = surface
        if self._journal is not None and surface != self._surface_before():
            self._journal.remember("surface", {"name": surface})

    def _surface_before(self) -> str:
        known = (self._journal.recall("surface") or {}) if self._journal is not None else {}
        return str(known.get("name", ""))

    def _session_id(self) -> str:
        """The session's id, kept after another daemon has taken over: its client's refs stay valid."""
        known = self._journal.recall("session") if self._journal is not None else None
        if known is not None:
            return str(known["id"])
        if self._journal is not None:
            self._journal.remember("session", {"id": self._fresh_id})
        return self._fresh_id

    @asynccontextmanager
    async def _open_channel(
        self,
        context: sdk_private.Context,  # noqa: ARG002
        session: Session,  # noqa: ARG002
    ) -> AsyncIterator[ClientChannel]:
        yield self.writer


def _length(number: stdio_writer.Id) -> int:
    return len(encode_basestring_ascii(number)) if isinstance(number, str) else len(str(number))


class _Outbox:
    """The stream that the SDK writes to: directly to the pipe."""

    def __init__(self, transport: StdioTransport) -> None:
        self._transport = transport

    async def send(self, item: SessionMessage, /) -> None:
        self._transport.from_sdk(item)

    async def aclose(self) -> None:
        return None

    async def __aenter__(self) -> "_Outbox":
        return self

    async def __aexit__(self, *_exc: object) -> None:
        return None
