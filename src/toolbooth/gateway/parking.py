"""A call in whose course an old server asks a stateless client something → answers with questions, until it is done.

The client gets `input_required` with the questions, and the call waits here for the client's retry.
"""

import asyncio
import secrets
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import anyio

from toolbooth.catalog.connect import Question, QuestionRefused, RawResult
from toolbooth.gateway.backends import Ask, Backend
from toolbooth.gateway.caller import Caller
from toolbooth.gateway.refusal import INVALID_PARAMS, Refusal
from toolbooth.limits import MAX_PARKED, PARKED_CALL

Result = dict[str, Any] | RawResult
CarryOut = Callable[[Caller, Ask], Awaitable[Result]]


@dataclass(eq=False)
class _Parked(Ask):
    """One call that runs on while its client is away; `running` are all such calls."""

    caller: Caller
    backend: Backend
    running: "set[_Parked]"
    scope: anyio.CancelScope = field(default_factory=anyio.CancelScope)
    open: dict[str, tuple[Question, "asyncio.Future[dict[str, Any]]"]] = field(default_factory=dict)
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    outcome: "Result | Exception | None" = None
    asked: int = 0

    async def __call__(self, caller: Caller, question: Question) -> dict[str, Any]:  # noqa: ARG002
        """Keep a question for the client's next visit."""
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

    def _is_like(self, other: "_Parked") -> bool:
        """Whether a question may as well be one of another call's: on stdio nothing says which it belongs to.

        Over HTTP it comes on the stream of its call, and other sessions are told apart by the line.
        """
        return (
            other is not self
            and other.backend is self.backend
            and other.caller.session is self.caller.session
            and self.backend.spec.transport == "stdio"
        )

    async def run(self, carry_out: CarryOut) -> None:
        """The call itself."""
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
        self.caller.reach, self.caller.progress_token = caller.reach, caller.progress_token
        self.caller.log_level = caller.log_level
        for key, response in responses.items():
            _, future = self.open.pop(key, (None, None))
            if future is not None and not future.done():
                _settle(future, response)

    def asks(self) -> dict[str, Any]:
        """The open questions, as the stateless era words them."""
        return {
            key: {"method": question.method, **({"params": question.params} if question.params else {})}
            for key, (question, _) in self.open.items()
        }


class _Waiting(NamedTuple):
    parked: _Parked
    alarm: asyncio.TimerHandle


class Parking:
    """The calls that wait for their clients, each under a secret that only its client knows."""

    def __init__(self, tasks: anyio.abc.TaskGroup) -> None:
        self._tasks = tasks
        self._parked: dict[str, _Waiting] = {}
        self._running: set[_Parked] = set()

    async def call(self, caller: Caller, backend: Backend, carry_out: CarryOut) -> Result:
        """Carry out a call; the answer is its result, or the first questions."""
        if len(self._parked) >= MAX_PARKED:
            self._make_room(caller)
        parked = _Parked(caller, backend, self._running)
        self._tasks.start_soon(parked.run, carry_out)
        return await self._next(parked)

    def _make_room(self, caller: Caller) -> None:
        """The oldest call of the client with the most goes: others do not wait for who never comes back."""
        held = Counter(waiting.parked.caller.session.id for waiting in self._parked.values())
        biggest, most = held.most_common(1)[0]
        if held[caller.session.id] >= most:
            raise Refusal(-32000, "too many calls wait for an answer of their clients; try again later")
        oldest = (state for state, each in self._parked.items() if each.parked.caller.session.id == biggest)
        self.forget(next(oldest))

    def knows(self, state: object) -> bool:
        """Whether a request's state is one of ours, and not a server's."""
        return isinstance(state, str) and state.startswith(_MARK)

    def holds(self, state: object) -> bool:
        """Whether a call waits under this state: a server that made it up knows none."""
        return isinstance(state, str) and state in self._parked

    async def resume(self, caller: Caller, state: str, responses: object) -> Result:
        """Go on with a parked call."""
        waiting = self._parked.pop(state, None)
        if waiting is None:
            raise Refusal(INVALID_PARAMS, "this requestState has expired; start the call again without it")
        waiting.alarm.cancel()
        waiting.parked.visit(caller, responses if isinstance(responses, Mapping) else {})
        return await self._next(waiting.parked)

    async def _next(self, parked: _Parked) -> Result:
        try:
            while parked.outcome is None and not parked.open:
                parked.changed.clear()
                await parked.changed.wait()
        except asyncio.CancelledError:
            parked.scope.cancel()  # the client went away: so does the call
            raise
        if isinstance(parked.outcome, Exception):
            raise parked.outcome
        if parked.outcome is not None:
            return parked.outcome
        state = _MARK + secrets.token_urlsafe(24)
        alarm = asyncio.get_running_loop().call_later(PARKED_CALL, self.forget, state)
        self._parked[state] = _Waiting(parked, alarm)
        return {"resultType": "input_required", "inputRequests": parked.asks(), "requestState": state}

    def forget(self, state: str) -> None:
        """The client will not come back for this call."""
        waiting = self._parked.pop(state, None)
        if waiting is not None:
            waiting.parked.scope.cancel()


_MARK = "toolbooth-parked-"
_AMBIGUOUS = -32600
_WHOSE = "several calls of this server are under way, and it does not say in which of them it asks; try again later"


def _settle(future: "asyncio.Future[dict[str, Any]]", response: Any) -> None:
    if isinstance(response, dict):
        future.set_result(response)
    else:
        future.set_exception(QuestionRefused(INVALID_PARAMS, "the client's answer is no object"))
