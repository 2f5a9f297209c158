"""Suspended calls: calls that wait for their clients' answers.

A server of an old protocol version asks in the middle of a call; a stateless client can only be asked by an
answer. The client gets `input_required` with the questions, and the call is suspended here until the client's
retry brings the answers.
"""

import asyncio
import secrets
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import anyio

from toolbooth import limits
from toolbooth.catalog.connect import QuestionRefused, RawResult, ServerRequest
from toolbooth.gateway.session import INVALID_PARAMS, Caller, Refusal
from toolbooth.gateway.upstreams.connection import Ask
from toolbooth.gateway.upstreams.upstream import Upstream

Result = dict[str, Any] | RawResult
CarryOut = Callable[[Caller, Ask], Awaitable[Result]]


@dataclass(eq=False)
class _SuspendedCall(Ask):
    """One call that continues while its client is away; `running` holds all such calls."""

    caller: Caller
    upstream: Upstream
    running: "set[_SuspendedCall]"
    scope: anyio.CancelScope = field(default_factory=anyio.CancelScope)
    open: dict[str, tuple[ServerRequest, "asyncio.Future[dict[str, Any]]"]] = field(default_factory=dict)
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    outcome: "Result | Exception | None" = None
    asked: int = 0

    async def __call__(self, caller: Caller, question: ServerRequest) -> dict[str, Any]:  # noqa: ARG002
        """Keep a question for the client's next request."""
        if any(map(self._is_like, self.running)):
            raise QuestionRefused(_AMBIGUOUS, _WHOSE)
        self.asked += 1
        key = f"q{self.asked}"
        future: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self.open[key] = (question, future)
        self.changed.set()
        try:
            return await future
        finally:
            self.open.pop(key, None)

    def _is_like(self, other: "_SuspendedCall") -> bool:
        """Whether a question may also belong to the other call: on stdio nothing says which call it belongs to.

        Over HTTP it comes on the stream of its call, and the connection distinguishes other sessions.
        """
        return (
            other is not self
            and other.upstream is self.upstream
            and other.caller.session is self.caller.session
            and self.upstream.spec.transport == "stdio"
        )

    async def run(self, carry_out: CarryOut) -> None:
        """Run the call itself."""
        self.running.add(self)
        with self.scope:
            try:
                self.outcome = await carry_out(self.caller, self)
            except Exception as error:
                self.outcome = error
            finally:
                self.running.discard(self)
        self.changed.set()

    def visit(self, caller: Caller, responses: Mapping[str, Any]) -> None:
        """The client is back: notifications go to its new request, its answers to the server."""
        self.caller.channel, self.caller.progress_token = caller.channel, caller.progress_token
        self.caller.log_level = caller.log_level
        for key, response in responses.items():
            _, future = self.open.pop(key, (None, None))
            if future is not None and not future.done():
                _settle(future, response)

    def asks(self) -> dict[str, Any]:
        """The open questions in the format of protocol version 2026-07-28."""
        return {
            key: {"method": question.method, **({"params": question.params} if question.params else {})}
            for key, (question, _) in self.open.items()
        }


class _Waiting(NamedTuple):
    suspended: _SuspendedCall
    alarm: asyncio.TimerHandle


class SuspendedCalls:
    """The calls that wait for their clients, each under a secret that only its client knows."""

    def __init__(self, tasks: anyio.abc.TaskGroup) -> None:
        self._tasks = tasks
        self._suspended: dict[str, _Waiting] = {}
        self._running: set[_SuspendedCall] = set()

    async def call(self, caller: Caller, upstream: Upstream, carry_out: CarryOut) -> Result:
        """Carry out a call; returns its result, or the first questions."""
        if len(self._suspended) >= limits.MAX_SUSPENDED:
            self._evict_oldest(caller)
        suspended = _SuspendedCall(caller, upstream, self._running)
        self._tasks.start_soon(suspended.run, carry_out)
        return await self._next(suspended)

    def _evict_oldest(self, caller: Caller) -> None:
        """End the oldest call of the client with the most, so that others do not wait for a client that never
        returns.
        """
        held = Counter(waiting.suspended.caller.session.id for waiting in self._suspended.values())
        biggest, most = held.most_common(1)[0]
        if held[caller.session.id] >= most:
            raise Refusal(-32000, "too many calls are waiting for their clients to answer; try again later")
        oldest = (
            state for state, each in self._suspended.items() if each.suspended.caller.session.id == biggest
        )
        self.forget(next(oldest))

    def knows(self, state: object) -> bool:
        """Whether a request's state is one of ours, and not a server's."""
        return isinstance(state, str) and state.startswith(_MARK)

    def holds(self, state: object) -> bool:
        """Whether a call waits under this state; one that was made up is unknown."""
        return isinstance(state, str) and state in self._suspended

    async def resume(self, caller: Caller, state: str, responses: object) -> Result:
        """Continue a suspended call."""
        waiting = self._suspended.get(state)
        if waiting is None or waiting.suspended.caller.session.principal != caller.session.principal:
            raise Refusal(INVALID_PARAMS, "this requestState has expired; start the call again without it")
        del self._suspended[state]
        waiting.alarm.cancel()
        waiting.suspended.visit(caller, responses if isinstance(responses, Mapping) else {})
        return await self._next(waiting.suspended)

    async def _next(self, suspended: _SuspendedCall) -> Result:
        try:
            while suspended.outcome is None and not suspended.open:
                suspended.changed.clear()
                await suspended.changed.wait()
        except asyncio.CancelledError:
            suspended.scope.cancel()  # the client is gone, so the call is cancelled
            raise
        if isinstance(suspended.outcome, Exception):
            raise suspended.outcome
        if suspended.outcome is not None:
            return suspended.outcome
        state = _MARK + secrets.token_urlsafe(24)
        alarm = asyncio.get_running_loop().call_later(limits.SUSPENDED_CALL, self.forget, state)
        self._suspended[state] = _Waiting(suspended, alarm)
        return {"resultType": "input_required", "inputRequests": suspended.asks(), "requestState": state}

    def forget(self, state: str) -> None:
        """The client will not come back for this call."""
        waiting = self._suspended.pop(state, None)
        if waiting is not None:
            waiting.suspended.scope.cancel()


_MARK = "toolbooth-suspended-"
_AMBIGUOUS = -32600
_WHOSE = (
    "several calls of this server are in progress, and it does not say which of them its question belongs to; "
    "try again later"
)


def _settle(future: "asyncio.Future[dict[str, Any]]", response: Any) -> None:
    if isinstance(response, dict):
        future.set_result(response)
    else:
        future.set_exception(QuestionRefused(INVALID_PARAMS, "the client's answer is not an object"))
