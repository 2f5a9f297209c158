"""A client's stdin and stdout → answers: calls by the lean path, all else by the SDK."""

import asyncio
import re
import secrets
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import anyio
import orjson
from mcp.server.runner import serve_dual_era_loop
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCError, JSONRPCResponse, jsonrpc_message_adapter

from toolbooth.catalog import NotJson, decode
from toolbooth.catalog.connect import Face, Frame, Oversized, QuestionRefused, RawResult
from toolbooth.errors import BackendFault
from toolbooth.gateway.caller import Caller, Reach, Session
from toolbooth.gateway.desk import answer, swift_call
from toolbooth.gateway.fronts.lean import lean_caller
from toolbooth.gateway.fronts.pipe import Pipe
from toolbooth.gateway.fronts.sdk import Context, SdkServer
from toolbooth.gateway.fronts.to_json import to_json
from toolbooth.gateway.refusal import INTERNAL_ERROR, Refusal, refusal_of
from toolbooth.gateway.view import View
from toolbooth.limits import MAX_FRAME, MIB, SHUTDOWN_GRACE

if TYPE_CHECKING:
    from toolbooth.gateway.daemon.notebook import Notebook

__all__ = ["serve_stdio"]

Id = int | str
_PARSE_ERROR, _INVALID_REQUEST, _LOST = -32700, -32600, -32000
_RESUMED = "toolbooth-resumed"
_JOINED = 1 << 16  # smaller results are copied into one write, larger ones are not copied


async def serve_stdio(
    view: View, read_fd: int, write_fd: int, notebook: "Notebook | None" = None, *, resumed: bool = False
) -> None:
    """Serve one client until it closes its side and every answer is written; owns the descriptors."""
    front = StdioFront(view, notebook)
    if resumed:
        front.introduce_again()
    await front.pipe.open(read_fd, write_fd)
    try:
        await front.run(resumed=resumed)
    finally:
        front.pipe.close()


class StdioFront:
    """One client. `session` is known once it has introduced itself."""

    def __init__(self, view: View, notebook: "Notebook | None") -> None:
        self._view, self._notebook = view, notebook
        self.pipe = Pipe(self._take, None if notebook is None else notebook.reading_head)
        self.session: Session | None = None
        self._calls: dict[Id, Callable[[], object]] = {}
        self._questions: dict[Id, asyncio.Future[Any]] = {}
        self._asked = 0
        self._in_sdk = 0
        self._to_sdk, self._for_sdk = anyio.create_memory_object_stream[SessionMessage | Exception](10_000)
        self._sdk = SdkServer(view, self._new_session, self._open_reach)

    async def run(self, *, resumed: bool) -> None:
        """Until the client is gone. A daemon that takes over first tells what the one before left open."""
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._run_sdk)
            if resumed:
                self._answer_what_was_left()
            try:
                await self.pipe.closed.wait()
                await self._finish()
            finally:
                with anyio.CancelScope(shield=True):
                    await self._leave()
                tasks.cancel_scope.cancel()

    async def _run_sdk(self) -> None:
        await serve_dual_era_loop(
            self._sdk.server, self._for_sdk, _Outbox(self), lifespan_state={}, session_id=None
        )

    async def _finish(self) -> None:
        """A client that closes its stdin may still wait for answers: `echo … | toolbooth serve` does."""
        self._to_sdk.close()
        with anyio.move_on_after(SHUTDOWN_GRACE):
            while self._calls or self._in_sdk:  # noqa: ASYNC110 - both paths count down, neither has an event
                await anyio.sleep(0.01)
        await self.pipe.drain(SHUTDOWN_GRACE)

    async def _leave(self) -> None:
        for abandon in tuple(self._calls.values()):
            abandon()
        for question in self._questions.values():
            question.cancel()
        if self.session is not None:
            self._view.gateway.leave(self.session)

    # -- from the client -----------------------------------------------------------------------------------
    def _take(self, event: Frame | Oversized) -> None:
        if isinstance(event, Oversized):
            self._refuse(None, _INVALID_REQUEST, f"a message may have {MAX_FRAME // MIB} MiB at most")
            return
        if not event.data.strip():
            return
        try:
            message = decode(event.data)
        except NotJson as error:
            self._refuse(None, _PARSE_ERROR, f"this is no JSON: {error}")
            return
        for each in message if isinstance(message, list) else (message,):
            self._sort(each)

    def _sort(self, message: Any) -> None:
        if not isinstance(message, dict):
            self._refuse(None, _INVALID_REQUEST, "a message is an object")
            return
        method = message.get("method")
        if method == "tools/call":
            taken = self._call(message)
        elif method == "notifications/cancelled":
            taken = self._cancel(message.get("params"))
        else:
            taken = method is None and self._answered(message)
        if not taken:
            self._pass_to_sdk(message)

    def _call(self, message: dict[str, Any]) -> bool:
        """Take a call on the lean path; False leaves it to the SDK, which knows how to refuse it."""
        number = message.get("id")
        if self.session is None or not isinstance(number, (int, str)) or number in self._calls:
            return False
        caller = lean_caller(self.session, message, self)
        if caller is None:
            return False
        if self._notebook is not None:
            self._notebook.begin(number)
        params: Mapping[str, Any] = message.get("params") or {}
        finish, slowly = partial(self._finish_call, number), partial(self._start_call, number, caller, params)
        abandon = swift_call(self._view, caller, params, finish, slowly)
        if abandon is None:
            slowly()
        else:
            self._calls[number] = abandon
        return True

    def _start_call(self, number: Id, caller: Caller, params: Mapping[str, Any]) -> None:
        task = asyncio.get_running_loop().create_task(self._carry_out(number, caller, params))
        self._calls[number] = task.cancel

    def _finish_call(self, number: Id, outcome: "dict[str, Any] | RawResult | Refusal") -> None:
        if isinstance(outcome, Refusal):
            self._send({"jsonrpc": "2.0", "id": number, "error": outcome.wire})
        else:
            self._send_result(number, outcome)
        self._end_call(number)

    def _end_call(self, number: Id) -> None:
        self._calls.pop(number, None)
        if self._notebook is not None:
            self._notebook.end(number)

    async def _carry_out(self, number: Id, caller: Caller, params: Mapping[str, Any]) -> None:
        outcome: dict[str, Any] | RawResult | Refusal
        try:
            outcome = await answer(self._view, caller, "tools/call", params)
        except asyncio.CancelledError:
            self._end_call(number)
            raise
        except Refusal as refusal:
            outcome = refusal
        except BackendFault as fault:
            outcome = refusal_of(fault)
        except Exception as error:
            said = f"the gateway failed ({type(error).__name__}); this is a fault of Toolbooth"
            outcome = Refusal(INTERNAL_ERROR, said)
        self._finish_call(number, outcome)

    def _cancel(self, params: Any) -> bool:
        number = params.get("requestId") if isinstance(params, dict) else None
        abandon = self._calls.get(number) if isinstance(number, (int, str)) else None
        if abandon is None or not isinstance(number, (int, str)):
            return False
        abandon()
        self._end_call(number)
        return True

    def _answered(self, message: Mapping[str, Any]) -> bool:
        number = message.get("id")
        question = self._questions.pop(number, None) if isinstance(number, str) else None
        if question is None:
            return False
        error = message.get("error")
        if isinstance(error, dict):
            question.set_exception(
                QuestionRefused(error.get("code", -32603), str(error.get("message")), error.get("data"))
            )
        else:
            question.set_result(message.get("result") or {})
        return True

    def _pass_to_sdk(self, message: dict[str, Any]) -> None:
        try:
            model = jsonrpc_message_adapter.validate_python(message)
        except ValueError:
            number = message.get("id")
            known = number if isinstance(number, (int, str)) else None
            self._refuse(known, _INVALID_REQUEST, "this is no JSON-RPC 2.0 message")
            return
        if "method" in message and "id" in message:
            self._in_sdk += 1
            if self._notebook is not None:
                self._notebook.begin(message["id"])
                if message["method"] == "initialize":
                    self._notebook.remember("initialize", message.get("params") or {})
        try:
            self._to_sdk.send_nowait(SessionMessage(model))
        except (anyio.WouldBlock, anyio.ClosedResourceError, anyio.BrokenResourceError):
            self._refuse(message.get("id"), INTERNAL_ERROR, "too many requests at once")

    # -- to the client -------------------------------------------------------------------------------------
    def _send_result(self, number: Id, result: dict[str, Any] | RawResult) -> None:
        if isinstance(result, RawResult):
            head = b'{"jsonrpc":"2.0","id":%b,"result":' % orjson.dumps(number)
            if len(result.data) < _JOINED:
                self._write(b"%b%b}\n" % (head, result.data))
            else:
                self._write(head, result.data, b"}\n")
        else:
            self._send({"jsonrpc": "2.0", "id": number, "result": result})

    def _send(self, message: Mapping[str, Any]) -> None:
        self._write(to_json(message))

    def _write(self, *parts: bytes) -> None:
        if self._notebook is None:
            self.pipe.write(*parts)
            return
        self._notebook.writing(True)
        self.pipe.write(*parts)
        self._notebook.writing(bool(self.pipe.unsent))

    def _refuse(self, number: Id | None, code: int, message: str) -> None:
        self._send({"jsonrpc": "2.0", "id": number, "error": Refusal(code, message).wire})

    def from_sdk(self, item: SessionMessage) -> None:
        """A message that the SDK has made."""
        message = item.message
        if isinstance(message, JSONRPCResponse | JSONRPCError):
            if message.id == _RESUMED:
                return
            self._in_sdk -= 1
        self._send(message.model_dump(by_alias=True, exclude_unset=True, mode="json"))
        if self._notebook is not None and isinstance(message, JSONRPCResponse | JSONRPCError):
            self._notebook.end(message.id or 0)

    # -- reaching the client of a session ------------------------------------------------------------------
    def notify(self, method: str, params: Mapping[str, Any] | None) -> None:
        """In order with all else."""
        self._send({"jsonrpc": "2.0", "method": method} | ({} if params is None else {"params": params}))

    async def ask(self, method: str, params: Mapping[str, Any] | None) -> dict[str, Any]:
        """Ask the client; if whoever wanted to know goes away, the client is told."""
        self._asked += 1
        number = f"toolbooth-{self._asked}"
        future = self._questions[number] = asyncio.get_running_loop().create_future()
        self._send(
            {"jsonrpc": "2.0", "id": number, "method": method}
            | ({} if params is None else {"params": params})
        )
        try:
            result: dict[str, Any] = await future
            return result
        except asyncio.CancelledError:
            self.notify("notifications/cancelled", {"requestId": number})
            raise
        finally:
            self._questions.pop(number, None)

    def let_go(self) -> None:
        """A pipe is not closed between two messages."""

    def _new_session(self, context: Context, face: Face) -> Session:
        modern = context.method != "initialize"
        version = context.protocol_version if modern else ""
        self.session = self.session or Session(
            secrets.token_hex(16),
            version,
            modern,
            face,
            None if modern else self,
            fixed_menu=not self._view.changes,
        )
        self._view.gateway.enter(self.session)
        return self.session

    @asynccontextmanager
    async def _open_reach(self, context: Context, session: Session) -> AsyncIterator[Reach]:  # noqa: ARG002
        yield self

    # -- after another daemon ------------------------------------------------------------------------------
    def introduce_again(self) -> None:
        """Replay the client's handshake to the SDK, before anything that the client sent since."""
        params = None if self._notebook is None else self._notebook.recall("initialize")
        if params is not None:
            for message in (
                {"jsonrpc": "2.0", "id": _RESUMED, "method": "initialize", "params": params},
                {"jsonrpc": "2.0", "method": "notifications/initialized"},
            ):
                self._to_sdk.send_nowait(SessionMessage(jsonrpc_message_adapter.validate_python(message)))
        if self._notebook is not None and self._notebook.was_reading:
            self.pipe.skip_line()

    def _answer_what_was_left(self) -> None:
        """What the daemon before had begun, half written or half read is answered: it may have been carried out."""
        notebook = self._notebook
        if notebook is None:
            return
        if notebook.was_writing:
            self.pipe.write(b"\n")
        for number in notebook.interrupted():
            self._refuse(number, _LOST, _INTERRUPTED)
            notebook.end(number)
        if notebook.was_reading:
            self._refuse(_id_in(notebook.was_reading), _LOST, _CUT)


_INTERRUPTED = (
    "the gateway's daemon ended during this call, and a new one has taken over; the call may or may not have been "
    "carried out"
)
_CUT = "the gateway's daemon ended while it read this message; send it again"
_ID = re.compile(rb'"id"\s*:\s*(\d{1,18}\b|"[^"\\]{1,200}")')


def _id_in(head: bytes) -> Id | None:
    """The id in the beginning of a request, where it can be told."""
    match = _ID.search(head)
    number: Id | None = orjson.loads(match[1]) if match else None
    return number


class _Outbox:
    """The stream that the SDK writes to: straight to the pipe."""

    def __init__(self, front: StdioFront) -> None:
        self._front = front

    async def send(self, item: SessionMessage, /) -> None:
        self._front.from_sdk(item)

    async def aclose(self) -> None:
        return None

    async def __aenter__(self) -> "_Outbox":
        return self

    async def __aexit__(self, *_exc: object) -> None:
        return None
