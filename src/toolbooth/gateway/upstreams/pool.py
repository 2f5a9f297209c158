"""The connections of one upstream: started once for all sessions of a principal, again after a crash, stopped when
idle.
"""

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import anyio

from toolbooth import errors
from toolbooth.catalog.connect import ClientIdentity, Peer, connected, copy_fault
from toolbooth.gateway.session import Session
from toolbooth.gateway.upstreams.connection import (
    UpstreamConnection,
    key_of,
    listen_for_changes,
    prefers_handshake,
    sound_protocol,
)

if TYPE_CHECKING:
    from toolbooth.gateway.upstreams.upstream import Upstream


class _AttemptKey(NamedTuple):
    """Sessions of one principal that need the same kind of connection wait for the same attempt."""

    principal: str
    session: str  # once a server has asked some session a question, each gets a connection of its own
    old_first: bool
    capabilities: str


@dataclass(frozen=True)
class _Attempt:
    """A connection that is being made."""

    connection: "asyncio.Future[UpstreamConnection]"
    scope: anyio.CancelScope = field(default_factory=anyio.CancelScope)


class ConnectionPool:
    """Keeps the connections of one upstream open for as long as they are used."""

    def __init__(
        self, upstream: "Upstream", environ: Mapping[str, str], idle_stop: float, tasks: anyio.abc.TaskGroup
    ) -> None:
        self._upstream, self._environ, self._tasks = upstream, environ, tasks
        self._idle_stop = idle_stop or float("inf")
        self._connecting: dict[_AttemptKey, _Attempt] = {}
        self._kept = 0
        self.connections: list[UpstreamConnection] = []
        self.starts = 0

    @property
    def starting(self) -> bool:
        """Whether a connection is being made."""
        return bool(self._connecting)

    def at_hand(self, session: Session, client_identity: ClientIdentity) -> UpstreamConnection | None:
        """A live connection that this session may use."""
        for connection in self.connections:
            if connection.serves(session, client_identity):
                return connection
        return None

    async def connection_for(self, session: Session, client_identity: ClientIdentity) -> UpstreamConnection:
        """Sessions that ask for the same connection while it starts wait for the same attempt."""
        connection = self.at_hand(session, client_identity)
        if connection is not None:
            return connection
        owned = any(connection.owner is not None for connection in self.connections)
        key = _AttemptKey(
            session.principal.id,
            session.id if owned else "",
            prefers_handshake(session, client_identity),
            key_of(client_identity.capabilities),
        )
        attempt = self._connecting.get(key)
        if attempt is None:
            attempt = self._connecting[key] = _Attempt(asyncio.get_running_loop().create_future())
            attempt.connection.add_done_callback(_seen)
            self._tasks.start_soon(self._keep, key, session, client_identity, attempt)
        try:
            return await asyncio.shield(attempt.connection)
        except errors.BackendFault as fault:
            raise copy_fault(fault) from None

    async def _keep(
        self, key: _AttemptKey, session: Session, client_identity: ClientIdentity, attempt: _Attempt
    ) -> None:
        """Hold one connection open until it ends, is closed, or nobody has used it for a while."""
        made: list[UpstreamConnection] = []
        connection: UpstreamConnection | None = None
        self._kept += 1
        try:
            with attempt.scope:
                await anyio.sleep(self._upstream.breaker.delay())
                self.starts += 1
                old_first = prefers_handshake(session, client_identity)
                prepare = partial(self._prepare, session, old_first, made)
                async with connected(
                    self._upstream.spec, client_identity, self._environ, prepare, old_first=old_first
                ):
                    connection = made[-1]
                    self._settle(key, connection, attempt)
                    await self._serve(connection, session)
        except errors.BackendFault as fault:
            self._failed(fault, connection, attempt)
        except (
            Exception
        ) as error:  # whatever a library does with an unexpected server must not affect the others
            self._failed(errors.BackendFault(f"cannot be used ({type(error).__name__})"), connection, attempt)
        finally:
            self._kept -= 1
            if self._connecting.get(key) is attempt:  # not that of a successor: processes may end slowly
                del self._connecting[key]
            if connection is not None:
                self.connections.remove(connection)
                self._no_more_tools(connection)
            if not attempt.connection.done():
                attempt.connection.set_exception(errors.BackendCrashed("was stopped", self._upstream.name))

    async def _serve(self, connection: UpstreamConnection, session: Session) -> None:
        self._tasks.start_soon(listen_for_changes, connection.peer)
        if session.log_level is not None:
            connection.set_level(session.log_level)
        try:
            await self._upstream.tool_list.fetch(connection)
        except errors.BackendFault as fault:
            self._upstream.blame(fault)
            connection.settle(fault)
            while connection.live and connection.busy:  # noqa: ASYNC110 - calls of tools that the cache knows may still finish
                await anyio.sleep(0.05)
            raise
        await self._until_over(connection)

    def _no_more_tools(self, connection: UpstreamConnection) -> None:
        """Release whoever waits for its tools: the connection has ended."""
        if not connection.settled.is_set():
            connection.settle(errors.BackendCrashed("was stopped", self._upstream.name))

    def _prepare(self, session: Session, old_first: bool, made: list[UpstreamConnection], peer: Peer) -> None:
        connection = UpstreamConnection(peer, session.principal, session, old_first, self._upstream.name)
        peer.on_question = connection.answer
        peer.on_notice = partial(self._upstream.hear, connection)
        made.append(connection)

    def _settle(self, key: _AttemptKey, connection: UpstreamConnection, attempt: _Attempt) -> None:
        self._connecting.pop(key, None)
        connection.peer.protocol = sound_protocol(connection.peer.protocol)
        self.connections.append(connection)
        self._upstream.fault = None
        if not attempt.connection.done():
            attempt.connection.set_result(connection)

    def _failed(
        self, fault: errors.BackendFault, connection: UpstreamConnection | None, attempt: _Attempt
    ) -> None:
        self._upstream.blame(fault)
        if connection is None:
            self._upstream.breaker.crashed()
        else:
            self._upstream.count_crash(connection)
        if not attempt.connection.done():
            attempt.connection.set_exception(fault)

    async def _until_over(self, connection: UpstreamConnection) -> None:
        idle = self._idle_stop
        while connection.peer.fault is None and not connection.closing.is_set():
            left = (
                idle
                if connection.busy or connection.watched
                else connection.last_used + idle - time.monotonic()
            )
            if left <= 0:
                connection.closing.set()
                return
            with anyio.move_on_after(left):
                await connection.peer.ended.wait()
        if connection.peer.fault is not None and not connection.closing.is_set():
            raise connection.peer.fault

    def stop(self) -> None:
        """Close every connection, also those that are being made."""
        for connection in tuple(self.connections):
            self.close(connection)
        for attempt in self._connecting.values():
            attempt.scope.cancel()

    async def stopped(self) -> None:
        """Wait until every process has ended; one that is started meanwhile ends with its task."""
        while self._kept and not self._connecting:  # noqa: ASYNC110 - the connections end, and need no event else
            await anyio.sleep(0.01)

    def close(self, connection: UpstreamConnection) -> None:
        """Close a connection; callers that wait on it are told that it was stopped."""
        connection.closing.set()
        connection.peer.end(errors.BackendCrashed("was stopped"))


def _seen(future: "asyncio.Future[UpstreamConnection]") -> None:
    """Mark an exception as retrieved: nobody may be waiting any more, and asyncio would log it."""
    if not future.cancelled():
        future.exception()
