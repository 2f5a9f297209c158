"""One server of the config → a connection that is there when it is needed."""

import asyncio
import json
import logging
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any, Literal

import anyio

from toolbooth.catalog import ServerSpec, given_secrets, without_secrets
from toolbooth.catalog.connect import (
    STREAM_CLOSED,
    Face,
    Notice,
    RawResult,
    ServerError,
    settle,
)
from toolbooth.errors import BackendBusy, BackendCrashed, BackendFault, BackendRefused, BackendTimeout
from toolbooth.gateway.backends.breaker import Breaker
from toolbooth.gateway.backends.keeper import Keeper
from toolbooth.gateway.backends.line import DIRECTLY, Ask, Call, Line
from toolbooth.gateway.backends.room import Room
from toolbooth.gateway.backends.tool_list import TOOLS_CHANGED, News, ToolList
from toolbooth.gateway.caller import Caller, Session
from toolbooth.limits import LIST_TIMEOUT, MAX_QUEUED_CALLS, SHARED_PLACES
from toolbooth.safetext import fault_for_terminal, for_log

_logger = logging.getLogger(__name__)
State = Literal["idle", "starting", "up", "resting"]
_OURS = {  # between the server and us: progress of calls that are over, under numbers that are not the client's
    "notifications/progress",
    "notifications/subscriptions/acknowledged",
}
Done = Callable[["dict[str, Any] | RawResult | BackendFault"], None]


class Backend:
    """Starts lazily, once for all who ask at the same time; restarts after a crash, stops when idle."""

    def __init__(
        self, spec: ServerSpec, environ: Mapping[str, str], idle_stop: float, tasks: anyio.abc.TaskGroup
    ) -> None:
        self.spec, self.name = spec, spec.name
        self.breaker = Breaker(time.monotonic)
        self.news: list[News] = []
        self.fault: BackendFault | None = None
        self.tool_list = ToolList(self, tasks)
        self.keeper = Keeper(self, environ, idle_stop if spec.idle_stop is None else spec.idle_stop, tasks)
        self.lines = self.keeper.lines
        self._tasks = tasks
        self._environ = environ
        self._clean = partial(without_secrets, spec=spec, environ=environ)
        self._room = Room(spec.concurrency, most_of(spec.concurrency))

    @property
    def state(self) -> State:
        """In one word, for a person."""
        if self.breaker.resting:
            return "resting"
        if any(line.live for line in self.lines):
            return "up"
        return "starting" if self.keeper.starting else "idle"

    async def request(
        self,
        caller: Caller,
        method: str,
        params: Mapping[str, Any] | None,
        *,
        ask: Ask = DIRECTLY,
        headers: Mapping[str, str] | None = None,
        again: bool = False,
    ) -> dict[str, Any] | RawResult:
        """Carry out one request of a client; `again` allows a second try if the server ends in the middle."""
        try:
            return await self._request(caller, method, params, ask, headers)
        except BackendCrashed as crash:
            if not again or self.breaker.resting:
                raise self._told(crash) from None
            caller.retried = caller.retried or crash.sent
            return await self.request(caller, method, params, ask=ask, headers=headers)
        except BackendFault as fault:
            raise self._told(fault) from None

    async def request_dict(
        self, caller: Caller, method: str, params: Mapping[str, Any] | None
    ) -> dict[str, Any]:
        """The same for a result that we read ourselves."""
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
    ) -> dict[str, Any] | RawResult:
        self.breaker.check()
        client = caller.session.id
        await self._enter(client)
        while caller.session.reading is not None and caller.session.reading.full:
            self._room.leave(client)  # its answer would only add to what the client does not read
            await caller.session.reading.relief()
            await self._enter(client)
        try:
            line = await self._admitted(caller)
            future: asyncio.Future[dict[str, Any] | RawResult] = asyncio.get_running_loop().create_future()

            def finished(outcome: dict[str, Any] | RawResult | BackendFault) -> None:
                self._account(line, number, outcome)
                settle(future, outcome)

            with _not_sent(caller):
                number = self._send(line, Call(caller, ask), method, params, headers, finished)
            try:
                return await future
            except asyncio.CancelledError:
                self._abandon(line, number)
                raise
        finally:
            self._room.leave(client)

    async def _admitted(self, caller: Caller) -> Line:
        """The line that the call may be sent on; starts the server where it is down."""
        with _not_sent(caller):
            self.breaker.admit()  # it may have opened while this call waited for a place
            line = await self.keeper.line_for(caller.session, caller.face)
            if caller.admit is not None:
                await caller.admit(line)
            return line

    async def _enter(self, client: str) -> None:
        """Wait for a place among the calls at work, but not for ever and not behind a crowd."""
        if self._room.take(client):
            return
        if not self._room.has_line_for(client, MAX_QUEUED_CALLS):
            raise BackendBusy(f"has {self._room.queued} calls waiting already; try again later")
        with anyio.move_on_after(self.spec.call_timeout):
            await self._room.enter(client)
            return
        raise BackendBusy(f"had no place for this call within {self.spec.call_timeout:g} s; try again later")

    def request_now(
        self, caller: Caller, method: str, params: Mapping[str, Any], done: Done
    ) -> Callable[[], None] | None:
        """The same without a task, where the server is up and has room: `done` hears the outcome at once.

        Gives back how to abandon it, or None where it has to be done the other way.
        """
        line, client = self.keeper.at_hand(caller.session, caller.face), caller.session.id
        if line is None or not self.breaker.closed or not _admits_now(caller, line):
            return None
        if not self._room.take(client):
            return None
        at_work = True

        def finished(outcome: dict[str, Any] | RawResult | BackendFault) -> None:
            nonlocal at_work
            at_work = False
            self._account(line, number, outcome)
            self._room.leave(client)
            done(self._told(outcome) if isinstance(outcome, BackendFault) else outcome)

        number = self._send(line, Call(caller, DIRECTLY), method, params, None, finished)

        def abandon() -> None:
            nonlocal at_work
            if at_work:  # an answer may be there that is still being read
                at_work = False
                self._abandon(line, number)
                self._room.leave(client)

        return abandon

    def _send(
        self,
        line: Line,
        call: Call,
        method: str,
        params: Mapping[str, Any] | None,
        headers: Mapping[str, str] | None,
        done: Done,
    ) -> int:
        caller = call.caller
        line.sessions.add(caller.session)
        number = line.link.send(
            method,
            params,
            self.spec.call_timeout,
            done,
            face=caller.face,
            on_progress=None if caller.progress_token is None else partial(_progress, call),
            headers=headers,
        )
        line.calls[number] = call
        return number

    def _account(self, line: Line, number: int, outcome: object) -> None:
        line.last_used = time.monotonic()
        line.calls.pop(number, None)
        if isinstance(outcome, BackendFault):
            self._count(line, outcome)
        else:
            self.breaker.answered()

    def _count(self, line: Line, fault: BackendFault) -> None:
        """What a failed call says of its server; each but a plain refusal stands in the log."""
        if not isinstance(fault, BackendRefused):
            self._record(self._told(fault))
        if isinstance(fault, BackendTimeout):
            self.breaker.timed_out()
            if self.breaker.resting:
                self.fault = fault
                self._tasks.start_soon(self._stop_if_dead, line)
        elif line.link.fault is not None:
            self.count_crash(line)
        elif not isinstance(fault, BackendCrashed):
            self.breaker.answered()  # with an error, or with nonsense

    def count_crash(self, line: Line) -> None:
        """Once for each line, before those who waited hear of it and try again."""
        if not line.crashed and not line.closing.is_set():
            line.crashed = True
            self.breaker.crashed()

    async def _stop_if_dead(self, line: Line) -> None:
        """A server that is only slow answers a ping, be it with an error; one that hangs is started anew."""
        try:
            await line.link.request("ping", None, LIST_TIMEOUT)
        except BackendTimeout:
            if not line.busy:
                self.keeper.close(line)
        except BackendFault:
            return

    def _abandon(self, line: Line, number: int) -> None:
        line.last_used = time.monotonic()
        line.calls.pop(number, None)
        line.link.abandon(number)

    async def line_for(self, session: Session, face: Face) -> Line:
        """A line that this session may use, where the server is not left alone for now."""
        if self.keeper.at_hand(session, face) is None:
            self.breaker.check()
        return await self.keeper.line_for(session, face)

    def hear(self, line: Line, notice: Notice, related: int | str | None) -> None:
        """A word of the server that belongs to no request: to whom it concerns."""
        if notice.method == TOOLS_CHANGED:
            self.tool_list.changed(line)
        elif notice.method == STREAM_CLOSED:
            line.let_go(related)
        elif notice.method.endswith("/list_changed") or notice.method == "notifications/resources/updated":
            for each in self.news:
                each.noticed(self, notice)
        elif notice.method not in _OURS:
            line.pass_on(notice, related)

    async def set_log_level(self, session: Session, level: str) -> None:
        """Pass a client's wish on to the running servers that it uses; later ones hear it at their start."""
        for line in tuple(self.lines):
            if line.serves(session, session.face):
                line.sessions.add(session)
                line.set_level(line.least_level(level))

    def release(self, session: Session) -> None:
        """A session ended: its own lines end with it."""
        for line in tuple(self.lines):
            line.leave(session)
            if line.owner is session:
                self.keeper.close(line)

    def stop(self) -> None:
        """Close every line; the next call starts anew."""
        self.keeper.stop()

    async def stopped(self) -> None:
        """Wait until every process is gone; each stop is bounded."""
        await self.keeper.stopped()

    def blame(self, fault: BackendFault) -> None:
        """Remember what went wrong for whoever asks how the server is."""
        self.fault = self._told(fault)
        self._record(self.fault)

    def _record(self, fault: BackendFault) -> None:
        _logger.warning(for_log(fault_for_terminal(str(fault))))

    def _told(self, fault: BackendFault) -> BackendFault:
        fault.server, fault.message = self.name, self._clean(fault.message)
        if isinstance(fault, ServerError):
            fault.said, fault.data = self._clean(fault.said), _scrubbed(fault.data, self._clean)
        return fault

    def secrets(self) -> tuple[str, ...]:
        """What it was given and no lock holds."""
        return given_secrets(self.spec, self._environ)

    def status(self) -> dict[str, Any]:
        """For `daemon status` and health."""
        told = {} if self.fault is None else {"fault": self.fault.message}
        live = [line for line in self.lines if line.live]
        era = live[0].link.era.version if live else None
        calls = sum(len(line.calls) for line in live)
        return {
            "server": self.name,
            "state": self.state,
            "connections": len(live),
            "calls": calls,
            "starts": self.keeper.starts,
            "protocol": era,
            **told,
        }


def most_of(places: int) -> int:
    """Places of one client: of many, one is left for the others."""
    return places - 1 if places >= SHARED_PLACES else places


@contextmanager
def _not_sent(caller: Caller) -> Iterator[None]:
    """A fault in here ends a call of which its server has received nothing, unless this is the second try."""
    try:
        yield
    except BackendFault as fault:
        fault.sent = caller.retried
        raise


def _admits_now(caller: Caller, line: Line) -> bool:
    """Whether what a call has to pass can be told without waiting."""
    return caller.admit is None or line.listed


def _progress(call: Call, params: Mapping[str, Any]) -> None:
    """Under the token that the client chose; a retry of a parked call may have brought another caller."""
    caller = call.caller
    if caller.progress_token is not None:
        caller.reach.notify("notifications/progress", {**params, "progressToken": caller.progress_token})


def _scrubbed(data: Any, clean: Callable[[str], str]) -> Any:
    """The details of a server's error; where they would not be JSON without its secrets, none."""
    if data is None:
        return None
    text = json.dumps(data, ensure_ascii=False)
    cleaned = clean(text)
    if cleaned == text:
        return data
    try:
        return json.loads(cleaned)
    except json.JSONDecodeError:
        return None
