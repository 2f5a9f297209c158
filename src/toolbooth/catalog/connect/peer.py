"""The server at the other end of a transport: requests to it, its results, its own requests and notifications.

This is small on purpose: a call is one dictionary entry and a callback. The SDK's dispatcher takes ten times as long.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import Any, ClassVar, Protocol

import anyio

from toolbooth import errors, limits, safetext
from toolbooth.catalog.connect import messages
from toolbooth.catalog.connect.protocol import (
    TOOLBOOTH_IDENTITY,
    ClientIdentity,
    NegotiatedProtocol,
    not_negotiated,
)
from toolbooth.catalog.connect.transport import Transport

METHOD_NOT_FOUND = -32601
_NEVER = float("inf")
_TICK = 0.001  # the event loop's timers are exact to a millisecond
_HANDSHAKE = frozenset({"initialize", "server/discover"})  # the protocol forbids cancelling these

OnProgress = Callable[[Mapping[str, Any]], None]
OnNotice = Callable[[messages.Notice, "int | str | None"], None]
Done = Callable[[dict[str, Any] | messages.RawResult | errors.BackendFault], None]
"""Receives the outcome of a request at once, in the same turn of the event loop in which it arrived."""
OnQuestion = Callable[[messages.ServerRequest, "int | str | None"], Awaitable[dict[str, Any]]]


class ServerError(errors.BackendRefused):
    """A JSON-RPC error answer: `message` is cleaned for display, `said` and `data` are as they were sent."""

    def __init__(self, message: str, code: int, data: Any = None, said: str = "") -> None:
        super().__init__(message)
        self.code, self.data, self.said = code, data, said


class QuestionRefused(Exception):
    """A request of a server to its client is answered with an error."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        self.code, self.message, self.data = code, message, data
        super().__init__(message)

    @property
    def error_object(self) -> dict[str, Any]:
        """The JSON-RPC error object."""
        error = {"code": self.code, "message": self.message}
        return error if self.data is None else {**error, "data": self.data}


@dataclass(slots=True)
class _Waiting:
    """One request of ours in flight."""

    done: "Done"
    method: str
    timeout: float
    deadline: float
    latest: float
    on_progress: OnProgress | None = None


class Timer(Protocol):
    """A scheduled call that can be cancelled."""

    def cancel(self) -> object: ...


class RequestClock:
    """The clock that measures the deadlines of requests. Tests replace it with one that they move themselves."""

    now = staticmethod(time.monotonic)

    def call_at(self, at: float, ring: Callable[[], None]) -> Timer:
        return asyncio.get_running_loop().call_later(max(0.0, at - self.now()), ring)


class Peer:
    """One connection. `protocol` is the version that was agreed and what the server said about itself."""

    clock: ClassVar[RequestClock] = RequestClock()

    def __init__(self, transport: Transport, client_identity: ClientIdentity = TOOLBOOTH_IDENTITY) -> None:
        self._transport = transport
        self._ids = count(1)
        self._waiting: dict[int | str, _Waiting] = {}
        self._alarm: Timer | None = None
        self._alarm_at = _NEVER
        self._answering: dict[int | str, anyio.CancelScope] = {}
        self._tasks: anyio.abc.TaskGroup | None = None
        self.client_identity = client_identity
        self.protocol: NegotiatedProtocol = not_negotiated()
        self.fault: errors.BackendFault | None = None
        self.ended = asyncio.Event()
        self.strays = 0
        self.on_notice: OnNotice = _ignore
        self.on_question: OnQuestion = _offer_nothing

    @property
    def in_flight(self) -> int:
        """The number of requests that wait for their answer."""
        return len(self._waiting)

    async def run(self, *, task_status: anyio.abc.TaskStatus[None] = anyio.TASK_STATUS_IGNORED) -> None:
        """Receive until the transport ends; every request that still waits then fails with the reason."""
        async with anyio.create_task_group() as tasks:
            self._tasks = tasks
            try:
                task_status.started()
                self.end(await self._transport.run(self._receive))
            finally:
                self._tasks = None  # a request of the server that arrives from now on is not answered
                tasks.cancel_scope.cancel()

    def end(self, fault: errors.BackendFault) -> None:
        """Fail every request in flight, and every later one."""
        if self.fault is None:
            self.fault = fault
            self.ended.set()
        if self._alarm is not None:
            self._alarm.cancel()
        for number in tuple(self._waiting):
            self._finish(number, _again(self.fault))

    async def request(
        self,
        method: str,
        params: Mapping[str, Any] | None,
        timeout: float,
        *,
        protocol: NegotiatedProtocol | None = None,
        on_progress: OnProgress | None = None,
    ) -> dict[str, Any]:
        """Send one request and return its parsed result; raises a BackendFault of the matching kind."""
        future: asyncio.Future[dict[str, Any] | messages.RawResult] = (
            asyncio.get_running_loop().create_future()
        )
        done = partial(settle, future)
        number = self.send(method, params, timeout, done, protocol=protocol, on_progress=on_progress)
        try:
            result = await future
        except asyncio.CancelledError:
            self.abandon(number)
            raise
        return result.value if isinstance(result, messages.RawResult) else result

    def send(
        self,
        method: str,
        params: Mapping[str, Any] | None,
        timeout: float,
        done: Done,
        *,
        protocol: NegotiatedProtocol | None = None,
        client_identity: ClientIdentity | None = None,
        on_progress: OnProgress | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> int:
        """Send one request without waiting; `done` receives its outcome. Raises the fault of an ended transport."""
        if self.fault is not None:
            raise _again(self.fault)
        number = next(self._ids)
        if on_progress is not None:
            params = {
                **(params or {}),
                "_meta": {**((params or {}).get("_meta") or {}), "progressToken": number},
            }
        stamped, stamps = (protocol or self.protocol).stamp(
            method, params, client_identity or self.client_identity
        )
        message: dict[str, Any] = {"jsonrpc": "2.0", "id": number, "method": method}
        if stamped is not None:
            message["params"] = stamped
        now = self.clock.now()
        deadline = now + timeout
        self._waiting[number] = _Waiting(
            done, method, timeout, deadline, now + limits.MAX_CALL_TIME, on_progress
        )
        if deadline < self._alarm_at:
            self._set_alarm(deadline)
        self._transport.send(message, {**stamps, **headers} if headers else stamps)
        return number

    def abandon(self, number: int, reason: str = "the caller went away") -> None:
        """Stop waiting for an answer, and notify the server."""
        waiting = self._waiting.pop(number, None)
        if waiting is not None and waiting.method not in _HANDSHAKE:
            self.notify("notifications/cancelled", {"requestId": number, "reason": reason})

    def _finish(
        self, number: int | str, outcome: "dict[str, Any] | messages.RawResult | errors.BackendFault"
    ) -> None:
        waiting = self._waiting.pop(number, None)
        if waiting is None:
            self.strays += 1
            return
        waiting.done(outcome)

    def notify(self, method: str, params: Mapping[str, Any] | None = None) -> None:
        """Send one notification."""
        message: dict[str, Any] = {"jsonrpc": "2.0", "method": method}
        stamped, headers = (params, {}) if self.protocol.modern else self.protocol.stamp(method, params)
        if stamped is not None:
            message["params"] = stamped
        self._transport.send(message, headers)

    def _set_alarm(self, at: float) -> None:
        """Use one alarm for all requests: a timer for each would cost more than the rest of a call."""
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm_at = at
        self._alarm = self.clock.call_at(at, self._ring)

    def _ring(self) -> None:
        self._alarm, self._alarm_at = None, _NEVER
        now = self.clock.now() + _TICK
        for number, waiting in tuple(self._waiting.items()):
            if self._answering:
                # A person may be answering the server's request; it is not the server's delay
                self._prolong(waiting)
            if waiting.deadline <= now and isinstance(number, int):
                self.abandon(number, "no answer in time")
                waiting.done(
                    errors.BackendTimeout(f"did not answer {waiting.method} within {waiting.timeout:g} s")
                )
        if self._waiting and self.fault is None:
            self._set_alarm(min(waiting.deadline for waiting in self._waiting.values()))

    def _receive(self, message: messages.Message, related: int | str | None) -> None:
        if isinstance(message, messages.Response):
            self._finish(message.id, message.result)
        elif isinstance(message, messages.Notice):
            self._hear(message, related)
        elif isinstance(message, messages.ErrorResponse):
            self._refuse(message)
        elif isinstance(message, messages.ServerRequest):
            if self._tasks is not None:
                self._tasks.start_soon(self._reply, message, related)
        else:
            self._break(message)

    def _hear(self, notice: messages.Notice, related: int | str | None) -> None:
        if notice.method == "notifications/cancelled":
            number = (notice.params or {}).get("requestId")
            scope = self._answering.get(number) if isinstance(number, (int, str)) else None
            if scope is not None:
                scope.cancel()
            return
        token = (
            (notice.params or {}).get("progressToken") if notice.method == "notifications/progress" else None
        )
        waiting = self._waiting.get(token) if isinstance(token, int | str) else None
        if waiting is None:
            self.on_notice(notice, related)
        elif waiting.on_progress is not None:
            self._prolong(waiting)
            waiting.on_progress(notice.params or {})

    def _prolong(self, waiting: _Waiting) -> None:
        waiting.deadline = min(self.clock.now() + waiting.timeout, waiting.latest)

    def _refuse(self, refusal: messages.ErrorResponse) -> None:
        waiting = None if refusal.id is None else self._waiting.get(refusal.id)
        if waiting is None or refusal.id is None:
            self.strays += 1
            return
        said = safetext.for_terminal(refusal.message)
        own = ServerError(
            f"answered {waiting.method} with error {refusal.code}: {said}",
            refusal.code,
            refusal.data,
            refusal.message,
        )
        self._finish(refusal.id, self._transport.explain(refusal.message, refusal.id) or own)

    def _break(self, broken: messages.BrokenMessage) -> None:
        """Fail the request that a broken frame answers; if that is unknown, fail all that wait."""
        known = broken.request_id is not None and broken.request_id in self._waiting
        for number in (broken.request_id or 0,) if known else tuple(self._waiting):
            self._finish(number, _again(broken.fault))

    async def _reply(self, question: messages.ServerRequest, related: int | str | None) -> None:
        """Answer a request of the server, unless the server cancels it."""
        with anyio.CancelScope() as self._answering[question.id]:
            try:
                result = await self.on_question(question, related)
                self._transport.send({"jsonrpc": "2.0", "id": question.id, "result": result})
            except QuestionRefused as refused:
                self._transport.send({"jsonrpc": "2.0", "id": question.id, "error": refused.error_object})
        self._answering.pop(question.id, None)


def settle(
    future: "asyncio.Future[dict[str, Any] | messages.RawResult]",
    outcome: "dict[str, Any] | messages.RawResult | errors.BackendFault",
) -> None:
    """Set the outcome of a request on a future, unless it is done already."""
    if future.done():
        return
    if isinstance(outcome, errors.BackendFault):
        future.set_exception(outcome)
    else:
        future.set_result(outcome)


def _again(fault: errors.BackendFault) -> errors.BackendFault:
    """A separate copy for each waiting request: an exception holds the traceback of where it was raised."""
    return (
        errors.BackendCrashed(fault.message, fault.server)
        if type(fault) is errors.BackendCrashed
        else copy_fault(fault)
    )


def copy_fault(fault: errors.BackendFault) -> errors.BackendFault:
    """A copy of a fault, so that one of several receivers can change it."""
    copied = type(fault).__new__(type(fault))
    copied.__dict__.update(fault.__dict__)
    copied.args = fault.args
    return copied


async def _offer_nothing(question: messages.ServerRequest, _related: int | str | None) -> dict[str, Any]:
    """The default for requests of a server: `ping` is answered, everything else is refused."""
    if question.method == "ping":
        return {}
    raise QuestionRefused(METHOD_NOT_FOUND, f"{question.method} is not offered by this client")


def _ignore(_notice: messages.Notice, _related: int | str | None) -> None:
    return None
