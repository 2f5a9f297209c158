"""A call that its server runs as a task: created, followed until it ends, and its result.

To the pipeline it is one call. All of it happens on one connection, because a task lives in the process that created
it. There are two forms (docs/design/tasks.md): in 2025-11-25 the client asks for a task and fetches its result; since
2026-07-28 the server decides, and the result and its questions are in the status.
"""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from mcp.shared.inbound import MCP_NAME_HEADER, encode_header_value

from toolbooth import errors, limits, safetext
from toolbooth.catalog.connect import (
    QuestionRefused,
    ServerError,
    ServerRequest,
    settle,
)
from toolbooth.gateway.offload import offload
from toolbooth.gateway.session import Refusal
from toolbooth.gateway.upstreams.admission import not_sent
from toolbooth.gateway.upstreams.connection import CallInFlight, Outcome, UpstreamConnection
from toolbooth.gateway.upstreams.task_messages import (
    ENDED,
    SAID,
    Result,
    Task,
    created,
    declaring,
    failed,
    mapping,
    read_task,
    value_of,
    without_task,
)

if TYPE_CHECKING:
    from toolbooth.gateway.upstreams.upstream import Upstream

_STEP: Final = 0.001  # of our progress for a status: a server's own numbers may follow, and have to grow


class TaskCall:
    """One call and its task. `result` makes it."""

    def __init__(
        self,
        upstream: "Upstream",
        connection: UpstreamConnection,
        call: CallInFlight,
        headers: Mapping[str, str] | None,
    ) -> None:
        self._upstream, self._connection, self._call = upstream, connection, call
        self._peer, self._headers = connection.peer, headers
        self._stateless = connection.peer.protocol.modern
        self._identity = declaring(call.caller.client_identity) if self._stateless else None
        self._latest = self._peer.clock.now() + limits.MAX_CALL_TIME
        self._deadline = 0.0
        self._woken = asyncio.Event()
        self._steps: int | None = 0
        self._answered: set[str] = set()
        self._fetched: asyncio.Task[Result] | None = None
        self._number, self._id, self._over = 0, "", False

    async def result(self, params: Mapping[str, Any], sent: bool) -> Result:
        """Make the call; raises a BackendFault if the task does not end with a result."""
        given = without_task(params) if self._stateless else params
        answer = await self._create(given, sent)
        task = created(answer, self._stateless)
        return answer if task is None else await self._follow(task)

    # -- creating ------------------------------------------------------------------------------------------
    async def _create(self, params: Mapping[str, Any], sent: bool) -> Result:
        """Send the call. If its client leaves meanwhile, a task is cancelled as soon as its id is known.

        Before it has become a task, a call of a stateless server is a request like any other, and cancelled like one.
        """
        future: asyncio.Future[Result] = asyncio.get_running_loop().create_future()

        def answered(outcome: Outcome) -> None:
            if not future.cancelled():
                self._upstream.note_outcome(self._connection, self._number, outcome)
                settle(future, outcome)
            elif not isinstance(outcome, errors.BackendFault):
                self._cancel_if_created(outcome)

        with not_sent(sent):
            self._number = self._connection.send(
                self._call,
                "tools/call",
                params,
                self._upstream.spec.call_timeout,
                answered,
                headers=self._headers,
                identity=self._identity,
            )
        try:
            return await future
        except asyncio.CancelledError:
            if self._stateless:
                self._connection.abandon(self._number)
            else:
                self._connection.calls.pop(self._number, None)
            raise

    def _cancel_if_created(self, answer: Result) -> None:
        with suppress(errors.BackendFault):
            task = created(answer, self._stateless)
            if task is not None and task.status not in ENDED:
                self._id = task.id
                self._cancel()

    # -- following -----------------------------------------------------------------------------------------
    async def _follow(self, task: Task) -> Result:
        self._id = task.id
        self._connection.calls[self._number] = self._call
        end = asyncio.ensure_future(self._peer.ended.wait())
        end.add_done_callback(self._wake)
        with self._connection.tasks.following(self._number, task.id, self):
            try:
                self._live()
                if self._call.caller.on_task is not None:
                    self._call.caller.on_task()
                return await self._outcome(await self._ended(task))
            except BaseException:
                if not self._over:
                    self._cancel()
                raise
            finally:
                end.cancel()
                if self._fetched is not None:
                    self._fetched.cancel()
                self._connection.calls.pop(self._number, None)

    async def _ended(self, task: Task) -> Task:
        """Poll until the task has ended, or its result is here."""
        self._report(task)
        while task.status not in ENDED:
            if task.status == "input_required":
                await self._ask(task)
            await self._pause(task.interval)
            if self._fetched is not None and self._fetched.done():
                break
            newer = await self._get()
            if newer.mark != task.mark:
                self._live()
                self._report(newer)
            self._check_deadline()
            task = newer
        self._over = True
        return task

    async def _get(self) -> Task:
        """The task as it is now. A poll that fails while the connection lives is repeated."""
        for attempt in range(limits.TASK_POLL_TRIES):
            try:
                answer = await self._request("tasks/get")
            except ServerError as error:
                self._over = True
                said = safetext.for_terminal(error.said, SAID)
                raise errors.BackendRefused(f"lost the task of this call: {said}") from None
            except errors.BackendFault:
                if attempt + 1 == limits.TASK_POLL_TRIES or not self._connection.live:
                    raise
                await self._pause(limits.TASK_POLL)
            else:
                return read_task(await offload(_size(answer), value_of, answer), self._stateless)
        raise AssertionError

    async def _outcome(self, task: Task) -> Result:
        said = f" ({task.message})" if task.message else ""
        if self._fetched is None and task.status == "cancelled":
            raise errors.BackendRefused(f"cancelled the task of this call{said}")
        if not self._stateless:
            return await self._fetch(said)
        if task.status == "failed":
            raise failed(mapping(task.whole.get("error")), task.message)
        result = task.whole.get("result")
        if not isinstance(result, dict):
            raise errors.BackendProtocolError("completed the task of this call without a result")
        return result

    async def _fetch(self, said: str) -> Result:
        try:
            if self._fetched is None:
                return await self._request("tasks/result")
            self._live()
            while not self._fetched.done():
                await self._pause(limits.TASK_POLL_MOST)
                self._check_deadline()
            return self._fetched.result()
        except ServerError as error:
            shown = f"{safetext.for_terminal(error.said, SAID)}{said}"
            message = f"ended the task of this call with error {error.code}: {shown}"
            raise ServerError(message, error.code, error.data, error.said) from None

    # -- questions -----------------------------------------------------------------------------------------
    async def _ask(self, task: Task) -> None:
        """Let the server ask. Its requests come while `tasks/result` waits; those of a stateless one are here."""
        if not self._stateless:
            if self._fetched is None:
                waiting = self._request("tasks/result", timeout=limits.MAX_CALL_TIME)
                self._fetched = asyncio.ensure_future(waiting)
                self._fetched.add_done_callback(self._wake)
            return
        asked = mapping(task.whole.get("inputRequests"))
        fresh = {key: question for key, question in asked.items() if key not in self._answered}
        if not fresh:
            return
        found = await asyncio.gather(*map(self._answer, fresh, fresh.values()), return_exceptions=True)
        answers = {}
        for key, answer in zip(fresh, found, strict=True):
            if isinstance(answer, QuestionRefused):
                raise Refusal(answer.code, answer.message, answer.data)
            if isinstance(answer, BaseException):
                raise answer
            answers[key] = answer
        self._answered |= answers.keys()
        await self._request("tasks/update", inputResponses=answers)
        self._live()

    async def _answer(self, key: str, question: object) -> dict[str, Any]:
        method, params = mapping(question).get("method"), mapping(question).get("params")
        if not isinstance(method, str) or not isinstance(params, dict | None):
            raise errors.BackendProtocolError("asked a question in its task that cannot be read")
        return await self._connection.answer(ServerRequest(key, method, params), self._number)

    # -- what the server says meanwhile --------------------------------------------------------------------
    def progress(self, params: Mapping[str, Any]) -> None:
        """The token of a call stays valid until its task ends."""
        self._steps = None
        self._live()
        self._call.pass_on_progress(params)

    def changed(self) -> None:
        """Only a reason to look: what the notification says is not relied on."""
        self._woken.set()

    def _wake(self, done: "asyncio.Future[Any]") -> None:
        if not done.cancelled():
            done.exception()
        self._woken.set()

    def _report(self, task: Task) -> None:
        """A status as progress, for a server that reports none itself."""
        if task.message and self._steps is not None:
            self._steps += 1
            self._call.pass_on_progress({"progress": self._steps * _STEP, "message": task.message})

    # -- time ----------------------------------------------------------------------------------------------
    def _live(self) -> None:
        now = self._peer.clock.now()
        self._deadline = min(now + self._upstream.spec.call_timeout, self._latest)

    def _check_deadline(self) -> None:
        if self._call.allowance.asking:
            self._live()  # a person may be answering
        if self._peer.clock.now() >= self._deadline:
            timeout = self._upstream.spec.call_timeout
            raise errors.BackendTimeout(f"reported nothing new of the task of this call for {timeout:g} s")

    async def _pause(self, seconds: float) -> None:
        """Wait; after the shortest interval, news of the task or the end of the connection ends the wait."""
        left = min(seconds, max(self._deadline - self._peer.clock.now(), 0.0)) - limits.TASK_POLL_LEAST
        await self._sleep(limits.TASK_POLL_LEAST, asyncio.Event())
        if left > 0:
            await self._sleep(left, self._woken)
        self._woken.clear()

    async def _sleep(self, seconds: float, woken: asyncio.Event) -> None:
        clock = self._peer.clock
        timer = clock.call_at(clock.now() + seconds, woken.set)
        try:
            await woken.wait()
        finally:
            timer.cancel()

    # -- requests ------------------------------------------------------------------------------------------
    async def _request(self, method: str, *, timeout: float | None = None, **more: Any) -> Result:
        return await self._upstream.exchange(
            self._connection,
            self._call,
            method,
            {"taskId": self._id, **more},
            self._routing,
            identity=self._identity,
            timeout=timeout,
        )

    @property
    def _routing(self) -> dict[str, str] | None:
        """Which instance of a stateless server holds the task; the extension wants it in a header."""
        return {MCP_NAME_HEADER: encode_header_value(self._id)} if self._stateless else None

    def _cancel(self) -> None:
        """The result is not wanted any more; nobody waits for the answer."""
        declared = mapping((self._peer.protocol.capabilities or {}).get("tasks"))
        if self._connection.live and (self._stateless or "cancel" in declared):
            with suppress(errors.BackendFault):
                self._peer.send(
                    "tasks/cancel",
                    {"taskId": self._id},
                    limits.LIST_TIMEOUT,
                    _ignore,
                    client_identity=self._identity,
                    headers=self._routing,
                )


def _ignore(_outcome: object) -> None:
    return None


def _size(result: Result) -> int:
    return 0 if isinstance(result, dict) else len(result.data)
