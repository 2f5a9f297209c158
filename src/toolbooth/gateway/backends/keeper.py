"""A backend → its lines: started once for all who ask at the same time, and again after a crash; stopped when idle."""

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

import anyio

from toolbooth.catalog.connect import Face, Link, connected, own_copy
from toolbooth.errors import BackendCrashed, BackendFault
from toolbooth.gateway.backends.declared import sound_era
from toolbooth.gateway.backends.line import Line, key_of, prefers_old
from toolbooth.gateway.backends.listening import listen_for_changes
from toolbooth.gateway.caller import Session

if TYPE_CHECKING:
    from toolbooth.gateway.backends.backend import Backend


@dataclass(frozen=True)
class _Attempt:
    """A line in the making."""

    line: "asyncio.Future[Line]"
    scope: anyio.CancelScope = field(default_factory=anyio.CancelScope)


class Keeper:
    """Holds the lines of one backend open for as long as they are used."""

    def __init__(
        self, backend: "Backend", environ: Mapping[str, str], idle_stop: float, tasks: anyio.abc.TaskGroup
    ) -> None:
        self._backend, self._environ, self._tasks = backend, environ, tasks
        self._idle_stop = idle_stop or float("inf")
        self._connecting: dict[str, _Attempt] = {}
        self._kept = 0
        self.lines: list[Line] = []
        self.starts = 0

    @property
    def starting(self) -> bool:
        """Whether a line is in the making."""
        return bool(self._connecting)

    def at_hand(self, session: Session, face: Face) -> Line | None:
        """A line that is up and that this session may use."""
        for line in self.lines:
            if line.serves(session, face):
                return line
        return None

    async def line_for(self, session: Session, face: Face) -> Line:
        """Those who ask for the same line while it starts wait for the same."""
        line = self.at_hand(session, face)
        if line is not None:
            return line
        owned = any(line.owner is not None for line in self.lines)
        era = "old" if prefers_old(session, face) else ""
        key = f"{era}{session.id if owned else ''}{key_of(face.capabilities)}"
        attempt = self._connecting.get(key)
        if attempt is None:
            attempt = self._connecting[key] = _Attempt(asyncio.get_running_loop().create_future())
            attempt.line.add_done_callback(_seen)
            self._tasks.start_soon(self._keep, key, session, face, attempt)
        try:
            return await asyncio.shield(attempt.line)
        except BackendFault as fault:
            raise own_copy(fault) from None

    async def _keep(self, key: str, session: Session, face: Face, attempt: "_Attempt") -> None:
        """Hold one link open until it ends, is closed, or nobody has used it for a while."""
        made: list[Line] = []
        line: Line | None = None
        self._kept += 1
        try:
            with attempt.scope:
                await anyio.sleep(self._backend.breaker.delay())
                self.starts += 1
                old_first = prefers_old(session, face)
                prepare = partial(self._prepare, session, old_first, made)
                async with connected(self._backend.spec, face, self._environ, prepare, old_first=old_first):
                    line = made[-1]
                    self._settle(key, line, attempt)
                    await self._serve(line, session)
        except BackendFault as fault:
            self._failed(fault, line, attempt)
        except Exception as error:  # whatever a library makes of a strange server: the others go on
            self._failed(BackendFault(f"cannot be used ({type(error).__name__})"), line, attempt)
        finally:
            self._kept -= 1
            if self._connecting.get(key) is attempt:  # and not that of a successor: processes may end slowly
                del self._connecting[key]
            if line is not None:
                self.lines.remove(line)
                self._no_more_news(line)
            if not attempt.line.done():
                attempt.line.set_exception(BackendCrashed("was stopped", self._backend.name))

    async def _serve(self, line: Line, session: Session) -> None:
        self._tasks.start_soon(listen_for_changes, line.link)
        if session.log_level is not None:
            line.set_level(session.log_level)
        try:
            await self._backend.tool_list.fetch(line)
        except BackendFault as fault:
            self._backend.blame(fault)
            line.tell(fault)
            while line.live and line.busy:  # noqa: ASYNC110 - calls of tools that the cache knows may still finish
                await anyio.sleep(0.05)
            raise
        await self._until_over(line)

    def _no_more_news(self, line: Line) -> None:
        """Whoever waits for its tools hears that it has ended."""
        if not line.told.is_set():
            line.tell(BackendCrashed("was stopped", self._backend.name))

    def _prepare(self, session: Session | None, old_first: bool, made: list[Line], link: Link) -> None:
        line = Line(link, session, old_first, self._backend.name)
        link.on_question = line.answer
        link.on_notice = partial(self._backend.hear, line)
        made.append(line)

    def _settle(self, key: str, line: Line, attempt: "_Attempt") -> None:
        self._connecting.pop(key, None)
        line.link.era = sound_era(line.link.era)
        self.lines.append(line)
        self._backend.fault = None
        if not attempt.line.done():
            attempt.line.set_result(line)

    def _failed(self, fault: BackendFault, line: Line | None, attempt: "_Attempt") -> None:
        self._backend.blame(fault)
        if line is None:
            self._backend.breaker.crashed()
        else:
            self._backend.count_crash(line)
        if not attempt.line.done():
            attempt.line.set_exception(fault)

    async def _until_over(self, line: Line) -> None:
        idle = self._idle_stop
        while line.link.fault is None and not line.closing.is_set():
            left = idle if line.busy or line.watched else line.last_used + idle - time.monotonic()
            if left <= 0:
                line.closing.set()
                return
            with anyio.move_on_after(left):
                await line.link.ended.wait()
        if line.link.fault is not None and not line.closing.is_set():
            raise line.link.fault

    def stop(self) -> None:
        """Close every line, also those in the making."""
        for line in tuple(self.lines):
            self.close(line)
        for attempt in self._connecting.values():
            attempt.scope.cancel()

    async def stopped(self) -> None:
        """Wait until every process is gone; one that is started meanwhile ends with its task."""
        while self._kept and not self._connecting:  # noqa: ASYNC110 - the keepers end, and need no event else
            await anyio.sleep(0.01)

    def close(self, line: Line) -> None:
        """Whoever waits on it hears that it was stopped."""
        line.closing.set()
        line.link.end(BackendCrashed("was stopped"))


def _seen(future: "asyncio.Future[Line]") -> None:
    """Nobody may be waiting any more; asyncio would complain of an exception that nobody took."""
    if not future.cancelled():
        future.exception()
