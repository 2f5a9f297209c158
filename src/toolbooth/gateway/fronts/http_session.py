"""Requests over HTTP → sessions, and a way back to the client on the request's own stream."""

import secrets
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import Any

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream
from mcp.shared.dispatcher import DispatchContext, Outbound
from mcp.shared.exceptions import MCPError, NoBackChannelError

from toolbooth.catalog.connect import Face, QuestionRefused
from toolbooth.gateway.caller import Reach, Session
from toolbooth.gateway.fronts.sdk import Context
from toolbooth.gateway.view import View
from toolbooth.limits import MAX_UNSENT

_LISTEN = "subscriptions/listen"
_Said = tuple[str, Mapping[str, Any] | None]


class HttpSessions:
    """The sessions of one path.

    Stateless clients hold the same key, and nothing tells one from another: they read each other's results, but each
    request is a session to the servers, so that a question never reaches a client whose call it does not belong to.
    """

    def __init__(self, view: View) -> None:
        self._view = view
        self._stateless: Session | None = None
        self._parting: set[Session] = set()

    def make(self, context: Context, face: Face) -> Session:
        """At the handshake, or for one stateless request."""
        if context.method == "initialize":
            return self._after_handshake(context, face)
        lasting = self._lasting(context.protocol_version, face)
        return lasting if context.method == _LISTEN else replace(lasting, face=face, subscribed=set())

    def _after_handshake(self, context: Context, face: Face) -> Session:
        connection = context.session._connection
        reach = _Standalone(self._view, connection.outbound)
        fixed = not self._view.changes
        session = Session(secrets.token_hex(16), "", False, face, reach, fixed_menu=fixed)
        self._view.gateway.enter(session)
        connection.exit_stack.callback(self._view.gateway.leave, session)
        return session

    def _lasting(self, version: str, face: Face) -> Session:
        if self._stateless is None:
            fixed = not self._view.changes
            self._stateless = Session(secrets.token_hex(16), version, True, face, fixed_menu=fixed)
            self._view.gateway.enter(self._stateless)
        return self._stateless

    def _part(self, session: Session) -> None:
        """A stateless request is over. What asked it something is its own until the parked call is over, too."""
        self._parting.add(session)
        backends = self._view.gateway.backends.values()
        asked = {line.owner for backend in backends for line in backend.lines if line.busy}
        for each in self._parting - asked:
            for backend in backends:
                backend.release(each)
        self._parting &= asked

    @asynccontextmanager
    async def open_reach(self, context: Context, session: Session) -> AsyncIterator[Reach]:
        """On leaving, everything said in the course of the request stands on its stream."""
        channel = context.session._request_outbound
        send, receive = anyio.create_memory_object_stream[_Said](MAX_UNSENT)
        sent = anyio.Event()
        # Not a task group around the caller: it would wrap each of the caller's refusals into a group.
        self._view.gateway.spawn(_pump, receive, channel, sent)
        try:
            yield _Request(self._view, context, send.send_nowait)
        finally:
            send.close()
            if session.modern and session is not self._stateless:
                self._part(session)
            await sent.wait()


async def _pump(
    receive: MemoryObjectReceiveStream[_Said], channel: "DispatchContext[Any]", sent: anyio.Event
) -> None:
    try:
        with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):  # the client closed its stream
            async with receive:
                async for method, params in receive:
                    await channel.notify(method, params)
    finally:
        sent.set()


class _Request:
    """The stream of one request."""

    def __init__(self, view: View, context: Context, say: Callable[[_Said], None]) -> None:
        self._view, self._context, self._say = view, context, say

    def notify(self, method: str, params: Mapping[str, Any] | None) -> None:
        """In order; a flood beyond the queue is dropped, as notifications may be."""
        try:
            self._say((method, params))
        except (anyio.WouldBlock, anyio.ClosedResourceError, anyio.BrokenResourceError):
            return

    async def ask(self, method: str, params: Mapping[str, Any] | None) -> dict[str, Any]:
        """A question on the same stream."""
        return await _ask(self._context.session._request_outbound, method, params)

    def let_go(self) -> None:
        """The client comes back with the id of the last event, and finds the answer kept for it."""
        close = self._context.close_sse_stream
        if close is not None:
            self._view.gateway.spawn(close)


class _Standalone:
    """The stream that a client of the handshake era keeps open for what nobody asked for."""

    def __init__(self, view: View, outbound: Outbound) -> None:
        self._view, self._outbound = view, outbound

    def notify(self, method: str, params: Mapping[str, Any] | None) -> None:
        """Sent when the client listens; lost when it does not, as the protocol has it."""
        self._view.gateway.spawn(self._send, method, params)

    async def _send(self, method: str, params: Mapping[str, Any] | None) -> None:
        try:
            await self._outbound.notify(method, params)
        except (anyio.BrokenResourceError, anyio.ClosedResourceError):
            return

    async def ask(self, method: str, params: Mapping[str, Any] | None) -> dict[str, Any]:
        """A question between calls."""
        return await _ask(self._outbound, method, params)

    def let_go(self) -> None:
        """This stream belongs to no request."""


async def _ask(channel: Outbound, method: str, params: Mapping[str, Any] | None) -> dict[str, Any]:
    try:
        return await channel.send_raw_request(method, params)
    except NoBackChannelError:
        raise QuestionRefused(-32601, f"{method} cannot reach this client") from None
    except MCPError as error:
        raise QuestionRefused(error.error.code, error.error.message, error.error.data) from None
