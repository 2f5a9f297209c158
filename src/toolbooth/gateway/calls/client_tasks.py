"""Tasks of clients: calls that go on after their request is answered, and whose results wait until they are fetched.

The gateway itself is the receiver of these tasks (docs/design/tasks.md): ids are its own, and whether the server runs
a task, too, is a detail of the call. A client of 2025-11-25 asks for a task. One of a later version says that it knows
tasks, and gets one where the server makes one.
"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

import anyio

from toolbooth import access, errors, limits
from toolbooth.catalog.connect import QuestionRefused
from toolbooth.gateway.calls.tool_result import ToolResult
from toolbooth.gateway.session import (
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    Caller,
    ClientChannel,
    Refusal,
    internal_error,
    refusal_of,
)
from toolbooth.gateway.upstreams.task_messages import ENDED, knows_tasks, may_become_task, task_support
from toolbooth.gateway.upstreams.tasks_in_flight import PROGRESS, RELATED_TASK

if TYPE_CHECKING:
    from toolbooth.gateway.calls.context import CallContext

CarryOut = Callable[["CallContext"], Awaitable[ToolResult]]
_CANCELLED: Final = -32000


async def wanted(call: "CallContext") -> bool:
    """Whether the call is to run as a task, if it turns out to take time; raises Refusal if its tool runs none."""
    name = call.params.get("name")
    tool = call.view.pinned(name) if isinstance(name, str) else None
    if call.modern:
        upstream = None if tool is None else call.view.upstreams.get(tool.server)
        if tool is None or upstream is None or not knows_tasks(call.caller.client_identity.capabilities):
            return False
        running = (each.peer.protocol for each in upstream.connections)
        return task_support(tool) == "required" or any(may_become_task(each, {}) for each in running)
    if not isinstance(call.params.get("task"), Mapping) or not call.view.changes:
        return False
    if tool is None and isinstance(name, str):
        await call.gateway.ready(call.caller.session)
        tool = call.view.pinned(name)
    if tool is not None:
        call.record.named(tool.server, tool.name)
    if tool is None or task_support(tool) == "forbidden":
        raise Refusal(METHOD_NOT_FOUND, "this tool does not run as a task; call it without `task`")
    return True


@dataclass(eq=False)
class _Question:
    method: str
    params: Mapping[str, Any] | None
    answer: "asyncio.Future[dict[str, Any]]"
    shown: bool = False


@dataclass(eq=False)
class ClientTask:
    """One task, which is the channel to the client for its call: the client itself is not waiting for an answer."""

    caller: Caller
    ttl: float
    id: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    status: str = "working"
    message: str = ""
    outcome: ToolResult | Refusal | None = None
    asked: dict[str, Any] | None = None
    answers: dict[str, Any] = field(default_factory=dict)
    known: bool = False
    scope: anyio.CancelScope = field(default_factory=anyio.CancelScope)
    decided: asyncio.Event = field(default_factory=asyncio.Event)
    _questions: list[_Question] = field(default_factory=list)
    _changed: asyncio.Event = field(default_factory=asyncio.Event)
    _made: datetime = field(default_factory=lambda: datetime.now(UTC))
    _updated: datetime = field(default_factory=lambda: datetime.now(UTC))

    @property
    def principal(self) -> access.Principal:
        """Whose task this is."""
        return self.caller.session.principal

    @property
    def ended(self) -> bool:
        """Whether its status is final."""
        return self.status in ENDED

    def begun(self) -> None:
        """The server has made a task of the call."""
        self.known = True
        self.decided.set()

    def turn(self, status: str, message: str | None = None) -> None:
        """A new status; whoever waits for one looks, and a client that can be told is told."""
        if self.ended:
            return
        self.status, self._updated = status, datetime.now(UTC)
        self.message = self.message if message is None else message
        self._changed.set()
        self._changed = asyncio.Event()
        channel = self.caller.session.channel
        if self.known and channel is not None and not self.caller.modern:
            channel.notify("notifications/tasks/status", self.described(modern=False))

    def end(self, outcome: ToolResult | Refusal) -> None:
        """The call is over. A tool's error is a failure in 2025-11-25; later only an error of the protocol is."""
        self.decided.set()
        if self.ended:
            return
        self.outcome = outcome
        failed = isinstance(outcome, Refusal) or (outcome.is_error and not self.caller.modern)
        message = outcome.message if isinstance(outcome, Refusal) else None
        self.turn("failed" if failed else "completed", message)

    def described(self, *, modern: bool) -> dict[str, Any]:
        """The task in the form of a protocol version."""
        names = ("ttlMs", "pollIntervalMs") if modern else ("ttl", "pollInterval")
        times = (round(self.ttl * 1000), round(limits.TASK_POLL * 1000))
        return {
            "taskId": self.id,
            "status": self.status,
            **({"statusMessage": self.message} if self.message else {}),
            "createdAt": self._made.isoformat(),
            "lastUpdatedAt": self._updated.isoformat(),
            **dict(zip(names, times, strict=True)),
        }

    # -- the channel of its call ---------------------------------------------------------------------------
    def notify(self, method: str, params: Mapping[str, Any] | None) -> None:
        """Progress is a status, too; it and log messages pass outside of any request."""
        channel = self.caller.session.channel if self.known else self.caller.channel
        if method == PROGRESS:
            said = (params or {}).get("message")
            if isinstance(said, str) and not self.ended and not self._questions:
                self.turn(self.status, said)
            if self.caller.progress_token is None:
                return
            params = {**(params or {}), "progressToken": self.caller.progress_token}
        if channel is not None and not (self.known and self.caller.modern):
            channel.notify(method, params)

    async def ask(self, method: str, params: Mapping[str, Any] | None) -> dict[str, Any]:
        """Keep a question until the client waits for the result: it is asked there."""
        question = _Question(method, params, asyncio.get_running_loop().create_future())
        self._questions.append(question)
        self.turn("input_required")
        try:
            return await question.answer
        finally:
            self._questions.remove(question)
            if not self._questions:
                self.turn("working")

    def let_go(self) -> None:
        """No request of the client is open for this call."""

    # -- for its client ------------------------------------------------------------------------------------
    async def result_for(self, caller: Caller) -> ToolResult:
        """The result as soon as it is there; questions of the task are asked meanwhile."""
        while not self.ended:
            waiting = [each for each in self._questions if not each.shown]
            changed = self._changed
            for question in waiting:
                await self._put(question, caller)
            if not waiting:
                await changed.wait()
        if isinstance(self.outcome, Refusal):
            raise self.outcome
        if self.outcome is None:
            raise Refusal(_CANCELLED, "the task was cancelled")
        return self.outcome

    async def _put(self, question: _Question, caller: Caller) -> None:
        given = question.params or {}
        meta = {**(given.get("_meta") or {}), RELATED_TASK: {"taskId": self.id}}
        question.shown = True
        try:
            answer = await caller.channel.ask(question.method, {**given, "_meta": meta})
        except QuestionRefused as refused:
            if not question.answer.done():
                question.answer.set_exception(refused)
        except asyncio.CancelledError:
            question.shown = False  # it is asked again when the client waits again
            raise
        else:
            if not question.answer.done():
                question.answer.set_result(answer)

    def update(self, answers: Mapping[str, Any]) -> None:
        """Answers of a stateless client; those to other questions are ignored."""
        asked = (self.asked or {}).get("inputRequests") or {}
        self.answers.update({key: value for key, value in answers.items() if key in asked})
        self._changed.set()

    async def all_answers(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Wait for the answer to every question of a stateless client."""
        self.asked, self.answers = asked, {}
        self.turn("input_required")
        while not (asked.get("inputRequests") or {}).keys() <= self.answers.keys():
            changed = self._changed
            await changed.wait()
            changed.clear()
        self.asked = None
        self.turn("working")
        return self.answers


def is_task(channel: ClientChannel) -> bool:
    """Whether the call that reaches its client like this has become a task of the client."""
    return isinstance(channel, ClientTask) and channel.known


class ClientTasks:
    """The tasks of all clients of a gateway. Each principal finds only its own."""

    def __init__(self, tasks: anyio.abc.TaskGroup) -> None:
        self._tasks = tasks
        self._known: dict[str, ClientTask] = {}

    async def run(self, call: "CallContext", carry_out: CarryOut) -> ToolResult:
        """Start the call; its task, or its result where a stateless client's call becomes none.

        A stateless client has not asked for a task: it gets the result, too, while too many are running.
        """
        if self._full(call.principal):
            if call.modern:
                return await carry_out(call)
            raise Refusal(_CANCELLED, "too many tasks are running; wait until one has ended")
        client = call.caller
        task = ClientTask(client, _ttl(call.params.get("task")))
        call.caller = replace(client, channel=task, progress_token=task.id, on_task=task.begun)
        self._tasks.start_soon(self._carry_out, task, call, carry_out)
        if call.modern:
            await self._decided(task)
        if call.modern and not task.known:
            return await task.result_for(client)
        task.known = True
        self._make_room(call.principal)
        self._known[task.id] = task
        asyncio.get_running_loop().call_later(task.ttl, self._forget, task.id)
        described = task.described(modern=call.modern)
        return ToolResult({"resultType": "task", **described} if call.modern else {"task": described})

    async def _decided(self, task: ClientTask) -> None:
        try:
            await task.decided.wait()
        except asyncio.CancelledError:
            task.scope.cancel()
            raise

    async def _carry_out(self, task: ClientTask, call: "CallContext", carry_out: CarryOut) -> None:
        state = ""
        with task.scope:
            try:
                result = await carry_out(call)
                while task.known and result.asked is not None:
                    state = str(result.asked.get("requestState"))
                    answers = await task.all_answers(result.asked)
                    more = {**call.params, "inputResponses": answers, "requestState": state}
                    result = await carry_out(call.of_request(call.view, call.caller, more))
                task.end(result)
            except Refusal as refusal:
                task.end(refusal)
            except errors.BackendFault as fault:
                task.end(refusal_of(fault))
            except Exception as error:
                task.end(internal_error(error))
        if task.outcome is None:
            call.gateway.suspended_calls.forget(state)
            task.turn("cancelled")
        task.decided.set()

    def find(self, caller: Caller, task_id: object) -> ClientTask:
        """A task of this principal; that of another one is as unknown as one that never was."""
        task = self._known.get(task_id) if isinstance(task_id, str) else None
        if task is None or task.principal != caller.session.principal:
            raise Refusal(INVALID_PARAMS, "there is no such task; it may have expired")
        return task

    def of(self, principal: access.Principal) -> list[ClientTask]:
        """All tasks of a principal, the oldest first."""
        return [each for each in self._known.values() if each.principal == principal]

    def forget(self, principal: access.Principal) -> None:
        """End all tasks of a principal, those that are running, too."""
        for task in self.of(principal):
            self._forget(task.id)

    def cancel(self, task: ClientTask) -> None:
        """End the call. What it has led to may have happened all the same."""
        task.turn("cancelled")
        task.scope.cancel()

    def _full(self, principal: access.Principal) -> bool:
        running = [each for each in self.of(principal) if not each.ended]
        return len(running) >= limits.MAX_CLIENT_TASKS

    def _make_room(self, principal: access.Principal) -> None:
        """Drop the oldest results of a principal that keeps too many, or too much."""
        own = self.of(principal)
        kept = sum(each.outcome.size for each in own if isinstance(each.outcome, ToolResult))
        for task in own:
            if len(self.of(principal)) < limits.MAX_CLIENT_TASKS and kept <= limits.MAX_CLIENT_TASK_BYTES:
                return
            if task.ended:
                kept -= task.outcome.size if isinstance(task.outcome, ToolResult) else 0
                del self._known[task.id]

    def _forget(self, task_id: str) -> None:
        task = self._known.pop(task_id, None)
        if task is not None:
            task.scope.cancel()


def _ttl(asked: object) -> float:
    """How long the client wants to have its result, within bounds."""
    given = asked.get("ttl") if isinstance(asked, Mapping) else None
    if isinstance(given, bool) or not isinstance(given, int | float):
        return limits.CLIENT_TASK_TTL
    return min(max(given, 1000), 1000 * limits.MAX_CLIENT_TASK_TTL) / 1000
