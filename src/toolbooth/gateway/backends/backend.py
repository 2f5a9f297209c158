"""One server of the config → a connection that is there when it is needed."""

import asyncio
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, Literal, Protocol

import anyio

from toolbooth.catalog import ServerSpec, ServerTools
from toolbooth.catalog.connect import (
    STREAM_CLOSED,
    Era,
    Face,
    Link,
    Notice,
    RawResult,
    connected,
    list_tools,
    without_secrets,
)
from toolbooth.errors import BackendBusy, BackendCrashed, BackendFault, BackendRefused, BackendTimeout
from toolbooth.gateway.backends.breaker import Breaker
from toolbooth.gateway.backends.line import DIRECTLY, Ask, Call, Line, key_of, prefers_old
from toolbooth.gateway.backends.listening import listen_for_changes
from toolbooth.gateway.backends.room import Room
from toolbooth.gateway.caller import Caller, Session
from toolbooth.limits import LIST_TIMEOUT, MAX_QUEUED_CALLS, REFETCH_EVERY

State = Literal["idle", "starting", "up", "resting"]
Done = Callable[["dict[str, Any] | RawResult | BackendFault"], None]
_TOOLS_CHANGED = "notifications/tools/list_changed"


class News(Protocol):
    """What a backend tells those who use it."""

    def offers(self, backend: "Backend", tools: ServerTools, era: Era) -> None:
        """Its tools, after a connect or a change."""
        ...

    def noticed(self, backend: "Backend", notice: Notice) -> None:
        """Something changed: lists of prompts or resources, or one resource."""
        ...


class Backend:
    """Starts lazily, once for all who ask at the same time; restarts after a crash, stops when idle."""

    def __init__(
        self, spec: ServerSpec, environ: Mapping[str, str], idle_stop: float, tasks: anyio.abc.TaskGroup
    ) -> None:
        self.spec, self.name = spec, spec.name
        self._environ, self._tasks = environ, tasks
        self._idle_stop = idle_stop if spec.idle_stop is None else spec.idle_stop
        self.breaker = Breaker(time.monotonic)
        self.news: list[News] = []
        self.lines: list[Line] = []
        self.fault: BackendFault | None = None
        self.starts = 0
        self._connecting: dict[str, asyncio.Future[Line]] = {}
        self._room = Room(spec.concurrency)
        self._kept = 0
        self._refetching = self._stale = False

    @property
    def state(self) -> State:
        """In one word, for a person."""
        if self.lines:
            return "up"
        if self._connecting:
            return "starting"
        return "resting" if self.breaker.resting else "idle"

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
        self.breaker.admit()
        if self._room.queued >= MAX_QUEUED_CALLS:
            raise BackendBusy(f"has {self._room.queued} calls waiting already; try again later")
        await self._room.enter()
        try:
            line = self._line_at_hand(caller.session, caller.face) or await self.line_for(
                caller.session, caller.face
            )
            future: asyncio.Future[dict[str, Any] | RawResult] = asyncio.get_running_loop().create_future()

            def finished(outcome: dict[str, Any] | RawResult | BackendFault) -> None:
                self._account(line, number, outcome)
                _settle(future, outcome)

            number = self._send(line, Call(caller, ask), method, params, headers, finished)
            try:
                return await future
            except asyncio.CancelledError:
                self._abandon(line, number)
                raise
        finally:
            self._room.leave()

    def request_now(
        self, caller: Caller, method: str, params: Mapping[str, Any], done: Done
    ) -> Callable[[], None] | None:
        """The same without a task, where the server is up and has room: `done` hears the outcome at once.

        Gives back how to abandon it, or None where it has to be done the other way.
        """
        line = self._line_at_hand(caller.session, caller.face)
        if line is None or self.breaker.resting or not self._room.take():
            return None

        def finished(outcome: dict[str, Any] | RawResult | BackendFault) -> None:
            self._account(line, number, outcome)
            self._room.leave()
            done(self._told(outcome) if isinstance(outcome, BackendFault) else outcome)

        number = self._send(line, Call(caller, DIRECTLY), method, params, None, finished)

        def abandon() -> None:
            self._abandon(line, number)
            self._room.leave()

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
        if isinstance(outcome, BackendTimeout):
            self.breaker.timed_out()
        elif not isinstance(outcome, BackendFault) or isinstance(outcome, BackendRefused):
            self.breaker.answered()

    def _abandon(self, line: Line, number: int) -> None:
        line.last_used = time.monotonic()
        line.calls.pop(number, None)
        line.link.abandon(number)

    def _line_at_hand(self, session: Session, face: Face) -> Line | None:
        for line in self.lines:
            if line.serves(session, face):
                return line
        return None

    async def line_for(self, session: Session | None, face: Face) -> Line:
        """A line that this session may use; those who ask for the same while it starts wait for the same."""
        line = None if session is None else self._line_at_hand(session, face)
        if line is not None:
            return line
        self.breaker.admit()
        owned = any(line.owner is not None for line in self.lines)
        era = "old" if prefers_old(session, face) else ""
        key = f"{era}{session.id if owned and session is not None else ''}{key_of(face.capabilities)}"
        waiting = self._connecting.get(key)
        if waiting is None:
            waiting = self._connecting[key] = asyncio.get_running_loop().create_future()
            waiting.add_done_callback(_seen)
            self._tasks.start_soon(self._keep, key, session, face, waiting)
        return await asyncio.shield(waiting)

    async def _keep(
        self, key: str, session: Session | None, face: Face, waiting: "asyncio.Future[Line]"
    ) -> None:
        """Hold one link open until it ends, is closed, or nobody has used it for a while."""
        line: Line | None = None
        made: list[Line] = []
        self._kept += 1
        try:
            await anyio.sleep(self.breaker.delay())
            self.starts += 1
            old_first = prefers_old(session, face)
            prepare = partial(self._prepare, session, old_first, made)
            async with connected(self.spec, face, self._environ, prepare, old_first=old_first):
                line = made[-1]
                self._settle(key, line, waiting)
                self._tasks.start_soon(listen_for_changes, line.link)
                if session is not None and session.log_level is not None:
                    await _set_level(line.link, session.log_level)
                await self._fetch(line)
                await self._until_over(line)
        except BackendFault as fault:
            self._failed(self._told(fault), line, waiting)
        except Exception as error:  # whatever a library makes of a strange server: the others go on
            self._failed(BackendFault(f"cannot be used ({type(error).__name__})"), line, waiting)
        finally:
            self._kept -= 1
            self._connecting.pop(key, None)
            if line is not None and line in self.lines:
                self.lines.remove(line)
            if not waiting.done():
                waiting.set_exception(BackendCrashed("was stopped", self.name))

    def _prepare(self, session: Session | None, old_first: bool, made: list[Line], link: Link) -> None:
        line = Line(link, session, old_first)
        link.on_question = line.answer
        link.on_notice = partial(self._hear, line)
        made.append(line)

    def _settle(self, key: str, line: Line, waiting: "asyncio.Future[Line]") -> None:
        self._connecting.pop(key, None)
        self.lines.append(line)
        self.fault = None
        if not waiting.done():
            waiting.set_result(line)

    def _failed(self, fault: BackendFault, line: Line | None, waiting: "asyncio.Future[Line]") -> None:
        self.fault = fault
        if line is None or not line.closing.is_set():
            self.breaker.crashed()
        if not waiting.done():
            waiting.set_exception(fault)

    async def _until_over(self, line: Line) -> None:
        idle = self._idle_stop or float("inf")
        while line.link.fault is None and not line.closing.is_set():
            left = idle if line.busy else line.last_used + idle - time.monotonic()
            if left <= 0:
                line.closing.set()
                return
            with anyio.move_on_after(left):
                await line.link.ended.wait()
        if line.link.fault is not None and not line.closing.is_set():
            raise line.link.fault

    async def _fetch(self, line: Line) -> None:
        """The tools of the server, to all who want to know."""
        tools = await list_tools(line.link, self.name, max(LIST_TIMEOUT, self.spec.timeout))
        for each in self.news:
            each.offers(self, tools, line.link.era)

    def _hear(self, line: Line, notice: Notice, related: int | str | None) -> None:
        if notice.method == _TOOLS_CHANGED:
            self._stale = True
            if not self._refetching:
                self._refetching = True
                self._tasks.start_soon(self._refetch, line)
        elif notice.method == STREAM_CLOSED:
            line.let_go(related)
        elif notice.method.endswith("/list_changed") or notice.method == "notifications/resources/updated":
            for each in self.news:
                each.noticed(self, notice)
        else:
            line.pass_on(notice, related)

    async def _refetch(self, line: Line) -> None:
        """At once, then one fetch at a time and one a second, however often the list is said to change."""
        try:
            while self._stale:
                self._stale = False
                await self._fetch(line)
                for each in self.news:
                    each.noticed(self, Notice(_TOOLS_CHANGED, None))
                await anyio.sleep(REFETCH_EVERY)
        except BackendFault as fault:
            self.fault = self._told(fault)
        finally:
            self._refetching = False

    async def set_log_level(self, session: Session, level: str) -> None:
        """Pass a client's wish on to the running servers that it uses; later ones hear it at their start."""
        for line in tuple(self.lines):
            if line.serves(session, session.face):
                line.sessions.add(session)
                await _set_level(line.link, line.least_level(level))

    def release(self, session: Session) -> None:
        """A session ended: its own lines end with it."""
        for line in tuple(self.lines):
            line.sessions.discard(session)
            if line.owner is session:
                self._close(line)

    def stop(self) -> None:
        """Close every line; the next call starts anew."""
        for line in tuple(self.lines):
            self._close(line)

    async def stopped(self) -> None:
        """Wait until every process is gone; each stop is bounded."""
        while self._kept and not self._connecting:  # noqa: ASYNC110 - ends with the keepers, which need no event else
            await anyio.sleep(0.01)

    def _close(self, line: Line) -> None:
        line.closing.set()
        line.link.end(BackendCrashed("was stopped"))

    def _told(self, fault: BackendFault) -> BackendFault:
        fault.server, fault.message = self.name, without_secrets(fault.message, self.spec)
        return fault

    def status(self) -> dict[str, Any]:
        """For `daemon status` and health."""
        told = {} if self.fault is None else {"fault": self.fault.message}
        era = self.lines[0].link.era.version if self.lines else None
        calls = sum(len(line.calls) for line in self.lines)
        return {
            "server": self.name,
            "state": self.state,
            "connections": len(self.lines),
            "calls": calls,
            "starts": self.starts,
            "protocol": era,
            **told,
        }


def _settle(
    future: "asyncio.Future[dict[str, Any] | RawResult]", outcome: dict[str, Any] | RawResult | BackendFault
) -> None:
    if future.done():
        return
    if isinstance(outcome, BackendFault):
        future.set_exception(outcome)
    else:
        future.set_result(outcome)


def _progress(call: Call, params: Mapping[str, Any]) -> None:
    """Under the token that the client chose; a retry of a parked call may have brought another caller."""
    caller = call.caller
    if caller.progress_token is not None:
        caller.reach.notify("notifications/progress", {**params, "progressToken": caller.progress_token})


async def _set_level(link: Link, level: str) -> None:
    if not link.era.modern and "logging" in (link.era.capabilities or {}):
        with suppress(BackendFault):
            await link.request("logging/setLevel", {"level": level}, LIST_TIMEOUT)


def _seen(future: "asyncio.Future[Line]") -> None:
    """Nobody may be waiting any more; asyncio would complain of an exception that nobody took."""
    if not future.cancelled():
        future.exception()
