"""One server of the config, with a connection that is opened when it is needed."""

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, Literal

import anyio

from toolbooth import catalog, errors, limits, safetext
from toolbooth.catalog.connect import STREAM_CLOSED, ClientIdentity, Notice, RawResult, ServerError, settle
from toolbooth.gateway.session import Caller, Session
from toolbooth.gateway.upstreams import admission, pool, tool_list
from toolbooth.gateway.upstreams.connection import (
    DIRECTLY,
    Admit,
    Ask,
    CallInFlight,
    DirectCall,
    Done,
    Outcome,
    UpstreamConnection,
    scrubbed,
)
from toolbooth.gateway.upstreams.task_call import TaskCall
from toolbooth.gateway.upstreams.task_messages import may_become_task, without_task
from toolbooth.gateway.upstreams.tasks_in_flight import PROGRESS, STATUS

_logger = logging.getLogger(__name__)
State = Literal["idle", "starting", "up", "resting"]
_ACKNOWLEDGED = "notifications/subscriptions/acknowledged"  # between the server and us


class Upstream:
    """Starts when it is first needed, once for all callers; restarts after a crash, and stops when idle."""

    def __init__(
        self,
        spec: catalog.ServerSpec,
        environ: Mapping[str, str],
        idle_stop: float,
        tasks: anyio.abc.TaskGroup,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.spec, self.name = spec, spec.name
        self.breaker = admission.Breaker(clock)
        self.listeners: list[tool_list.UpstreamListener] = []
        self.fault: errors.BackendFault | None = None
        self.tool_list = tool_list.ToolList(self, tasks)
        self.pool = pool.ConnectionPool(
            self, environ, idle_stop if spec.idle_stop is None else spec.idle_stop, tasks
        )
        self.connections = self.pool.connections
        self._tasks = tasks
        self._environ = environ
        self._clean = partial(catalog.redact_secrets, spec=spec, environ=environ)
        self._limiter = admission.CallLimiter(spec.concurrency, admission.most_of(spec.concurrency))

    @property
    def state(self) -> State:
        """The state in one word, for a person."""
        if self.breaker.resting:
            return "resting"
        if any(connection.live for connection in self.connections):
            return "up"
        return "starting" if self.pool.starting else "idle"

    async def request(
        self,
        caller: Caller,
        method: str,
        params: Mapping[str, Any] | None,
        *,
        ask: Ask = DIRECTLY,
        headers: Mapping[str, str] | None = None,
        admit: Admit | None = None,
        again: bool = False,
        sent: bool = False,
    ) -> dict[str, Any] | RawResult:
        """Send one request of a client; `again` allows a second try if the server ends in the middle.

        `sent`: the server has received the same request before.
        """
        try:
            return await self._request(caller, method, params, ask, headers, admit, sent)
        except errors.BackendCrashed as crash:
            if not again or self.breaker.resting:
                raise self._redacted(crash) from None
            return await self.request(
                caller, method, params, ask=ask, headers=headers, admit=admit, sent=sent or crash.sent
            )
        except errors.BackendFault as fault:
            raise self._redacted(fault) from None

    async def request_dict(
        self, caller: Caller, method: str, params: Mapping[str, Any] | None
    ) -> dict[str, Any]:
        """Send a request and parse its result."""
        result = await self.request(caller, method, params)
        read: dict[str, Any] = result.value if isinstance(result, RawResult) else result
        return read

    async def _request(
        self,
        caller: Caller,
        method: str,
        params: Mapping[str, Any] | None,
        ask: Ask,
        headers: Mapping[str, str] | None,
        admit: Admit | None,
        sent: bool,
    ) -> dict[str, Any] | RawResult:
        self.breaker.check()
        client = caller.session.id
        await self._enter(client)
        while caller.session.backpressure is not None and caller.session.backpressure.full:
            self._limiter.leave(client)  # its answer would only add to what the client does not read
            await caller.session.backpressure.relief()
            await self._enter(client)
        try:
            connection = await self._admitted(caller, admit, sent)
            call = CallInFlight(caller, ask)
            if method == "tools/call" and params is not None:
                if may_become_task(connection.peer.protocol, params):
                    return await TaskCall(self, connection, call, headers).result(params, sent)
                params = without_task(params)
            return await self.exchange(connection, call, method, params, headers, sent=sent)
        finally:
            self._limiter.leave(client)

    async def exchange(
        self,
        connection: UpstreamConnection,
        call: CallInFlight,
        method: str,
        params: Mapping[str, Any] | None,
        headers: Mapping[str, str] | None,
        *,
        sent: bool = True,
        timeout: float | None = None,
        identity: ClientIdentity | None = None,
    ) -> dict[str, Any] | RawResult:
        """Send one request of a call and wait for its answer."""
        future: asyncio.Future[dict[str, Any] | RawResult] = asyncio.get_running_loop().create_future()
        timeout = timeout or self.spec.call_timeout

        def finished(outcome: Outcome) -> None:
            self.note_outcome(connection, number, outcome)
            settle(future, outcome)

        with admission.not_sent(sent):
            number = connection.send(
                call, method, params, timeout, finished, headers=headers, identity=identity
            )
        try:
            return await future
        except asyncio.CancelledError:
            connection.abandon(number)
            raise

    async def _admitted(self, caller: Caller, admit: Admit | None, sent: bool) -> UpstreamConnection:
        """The connection that the call may be sent on; starts the server if it is down."""
        with admission.not_sent(sent):
            self.breaker.admit()  # it may have opened while this call waited for a slot
            connection = await self.pool.connection_for(caller.session, caller.client_identity)
            if admit is not None:
                await admit(connection)
            return connection

    async def _enter(self, client: str) -> None:
        """Wait for a slot, but not for ever and not behind a crowd."""
        if self._limiter.take(client):
            return
        if not self._limiter.may_queue(client, limits.MAX_QUEUED_CALLS):
            raise errors.BackendBusy(f"already has {self._limiter.queued} calls waiting; try again later")
        with anyio.move_on_after(self.spec.call_timeout):
            await self._limiter.enter(client)
            return
        raise self._no_slot()

    def _no_slot(self) -> errors.BackendBusy:
        return errors.BackendBusy(
            f"had no free slot for this call within {self.spec.call_timeout:g} s; try again later"
        )

    def request_now(
        self,
        caller: Caller,
        method: str,
        params: Mapping[str, Any],
        done: Done,
        admit: Admit | None = None,
    ) -> Callable[[], None] | None:
        """Send a request without a task, if the server is up; `done` gets the outcome at once.

        Returns a function that abandons the call, or None if it needs the other way.
        """
        asked = DirectCall(caller, method, params, done, admit)
        connection, client = self._at_hand(asked), caller.session.id
        if connection is None:
            return None
        if self._limiter.take(client):
            return self._send_now(connection, asked)
        if not self._limiter.may_queue(client, limits.MAX_QUEUED_CALLS):
            return None
        waiting = admission.WaitingCall(self._limiter, client, partial(self._in_turn, asked))
        return waiting.queue(self.spec.call_timeout, lambda: done(self._no_slot()))

    def _at_hand(self, asked: DirectCall) -> UpstreamConnection | None:
        """The connection on which it can be sent without waiting for anything but a slot."""
        connection = self.pool.at_hand(asked.caller.session, asked.caller.client_identity)
        if connection is None or not self.breaker.closed:
            return None
        if may_become_task(connection.peer.protocol, asked.params):
            return None
        return connection if asked.admit is None or connection.listed else None

    def _in_turn(self, asked: DirectCall) -> Callable[[], None]:
        """The call has a slot now. If it has to wait for more than that, it goes on in a task."""
        with suppress(Exception):  # its server ends just now; the task says how, and other callers go on
            connection, backpressure = self._at_hand(asked), asked.caller.session.backpressure
            if connection is not None and (backpressure is None or not backpressure.full):
                return self._send_now(connection, asked)
        scope = anyio.CancelScope()
        self._tasks.start_soon(self._request_in_task, scope, asked)
        return scope.cancel

    async def _request_in_task(self, scope: anyio.CancelScope, asked: DirectCall) -> None:
        self._limiter.leave(asked.caller.session.id)
        with scope:
            outcome: Outcome
            try:
                outcome = await self.request(asked.caller, asked.method, asked.params, admit=asked.admit)
            except errors.BackendFault as fault:
                outcome = fault
            except Exception as error:  # it would end the servers of all callers
                outcome = self._redacted(errors.BackendFault(f"cannot be used ({type(error).__name__})"))
                self._record(outcome)
            asked.done(outcome)

    def _send_now(self, connection: UpstreamConnection, asked: DirectCall) -> Callable[[], None]:
        client, at_work = asked.caller.session.id, True

        def finished(outcome: Outcome) -> None:
            nonlocal at_work
            at_work = False
            try:
                self.note_outcome(connection, number, outcome)
            finally:
                try:
                    self._limiter.leave(client)
                finally:  # whatever goes wrong with the others
                    if isinstance(outcome, errors.BackendFault):
                        outcome = self._redacted(outcome)
                    asked.done(outcome)

        call = CallInFlight(asked.caller, DIRECTLY)
        params = without_task(asked.params)  # what becomes a task does not come here
        number = connection.send(call, asked.method, params, self.spec.call_timeout, finished)

        def abandon() -> None:
            nonlocal at_work
            if at_work:  # the answer may have come and still be being read
                at_work = False
                connection.abandon(number)
                self._limiter.leave(client)

        return abandon

    def note_outcome(self, connection: UpstreamConnection, number: int, outcome: object) -> None:
        connection.last_used = time.monotonic()
        connection.calls.pop(number, None)
        if isinstance(outcome, errors.BackendFault):
            self._count(connection, outcome)
        else:
            self.breaker.answered()

    def _count(self, connection: UpstreamConnection, fault: errors.BackendFault) -> None:
        """What a failed call says about its server; every failure but a plain refusal is logged."""
        if not isinstance(fault, errors.BackendRefused):
            self._record(self._redacted(fault))
        if isinstance(fault, errors.BackendTimeout):
            self.breaker.timed_out()
            if self.breaker.resting:
                self.fault = fault
                self._tasks.start_soon(self._stop_if_dead, connection)
        elif connection.peer.fault is not None:
            self.count_crash(connection)
        elif not isinstance(fault, errors.BackendCrashed):
            self.breaker.answered()  # with an error, or with nonsense

    def count_crash(self, connection: UpstreamConnection) -> None:
        """Count each crash once, before the callers that wait for it try again."""
        if not connection.crashed and not connection.closing.is_set():
            connection.crashed = True
            self.breaker.crashed()

    async def _stop_if_dead(self, connection: UpstreamConnection) -> None:
        """A slow server answers a ping, even if with an error; one that hangs is stopped and started again."""
        try:
            await connection.peer.request("ping", None, limits.LIST_TIMEOUT)
        except errors.BackendTimeout:
            if not connection.busy:
                self.pool.close(connection)
        except errors.BackendFault:
            return

    async def connection_for(self, session: Session, client_identity: ClientIdentity) -> UpstreamConnection:
        """A connection that this session may use, unless the breaker is open."""
        if self.pool.at_hand(session, client_identity) is None:
            self.breaker.check()
        return await self.pool.connection_for(session, client_identity)

    def hear(self, connection: UpstreamConnection, notice: Notice, related: int | str | None) -> None:
        """Pass on a message of the server that belongs to no request."""
        if notice.method == tool_list.TOOLS_CHANGED:
            self.tool_list.changed(connection)
        elif notice.method == STREAM_CLOSED:
            connection.let_go(related)
        elif notice.method.endswith("/list_changed") or notice.method == "notifications/resources/updated":
            for each in self.listeners:
                each.noticed(self, notice, connection.principal)
        elif notice.method == PROGRESS or notice.method in STATUS:
            connection.tasks.hear(notice)
        elif notice.method != _ACKNOWLEDGED:
            connection.pass_on(notice, related)

    async def set_log_level(self, session: Session, level: str) -> None:
        """Pass a client's log level on to the running servers that it uses; others get it when they start."""
        for connection in tuple(self.connections):
            if connection.serves(session, session.client_identity):
                connection.sessions.add(session)
                connection.set_level(connection.least_level(level))

    def release(self, session: Session) -> None:
        """A session ended: its own connections end with it."""
        for connection in tuple(self.connections):
            connection.leave(session)
            if connection.owner is session:
                self.pool.close(connection)

    def stop(self) -> None:
        """Close every connection; the next call starts a new one."""
        self.pool.stop()

    async def stopped(self) -> None:
        """Wait until every process has ended; each stop is bounded."""
        await self.pool.stopped()

    def blame(self, fault: errors.BackendFault) -> None:
        """Remember what went wrong, for whoever asks about the server's state."""
        self.fault = self._redacted(fault)
        self._record(self.fault)

    def signed_in(self) -> bool:
        """There is a token for this server now: if it lacked one, it may be started again at once."""
        if not isinstance(self.fault, errors.SignInNeeded):
            return False
        self.fault = None
        self.breaker.forget()
        return True

    def _record(self, fault: errors.BackendFault) -> None:
        _logger.warning(safetext.for_log(safetext.fault_for_terminal(str(fault))))

    def _redacted(self, fault: errors.BackendFault) -> errors.BackendFault:
        fault.server, fault.message = self.name, self._clean(fault.message)
        if isinstance(fault, ServerError):
            fault.said, fault.data = self._clean(fault.said), scrubbed(fault.data, self._clean)
        return fault

    def secrets(self) -> tuple[str, ...]:
        """What it was given and no lock contains."""
        return catalog.given_secrets(self.spec, self._environ)

    def status(self) -> dict[str, Any]:
        """For `daemon status` and health."""
        live = [connection for connection in self.connections if connection.live]
        return {
            "server": self.name,
            "state": self.state,
            "connections": len(live),
            "calls": sum(len(connection.calls) for connection in live),
            "starts": self.pool.starts,
            "protocol": live[0].peer.protocol.version if live else None,
            **({} if self.fault is None else {"fault": self.fault.message}),
        }
