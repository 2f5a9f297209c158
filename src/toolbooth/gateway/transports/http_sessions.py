"""Sessions over HTTP: a channel to each client, events to replay, and which session is closed at the limit.

A client may open sessions and never come back; each would stay for an hour. At the limit, the oldest idle
session of the principal with the most is closed, and of its addresses the one with the most. Its client gets 404
if it comes back, and opens another, as the protocol says.
"""

import math
import secrets
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from contextvars import ContextVar
from dataclasses import replace
from typing import Any, NamedTuple

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream
from mcp.server.streamable_http import (
    EventCallback,
    EventId,
    EventMessage,
    EventStore,
    StreamableHTTPServerTransport,
    StreamId,
)
from mcp.shared.dispatcher import DispatchContext, Outbound
from mcp.shared.exceptions import MCPError, NoBackChannelError
from mcp_types import JSONRPCMessage

from toolbooth import access, catalog, limits
from toolbooth.catalog.connect import ClientIdentity, QuestionRefused
from toolbooth.gateway.session import ClientChannel, Session
from toolbooth.gateway.surfaces.view import View
from toolbooth.gateway.transports.sdk_private import Context, connection_of, only_listens, request_channel


class _Event(NamedTuple):
    session: "SessionEvents"
    stream: StreamId
    message: JSONRPCMessage | None
    size: int


class ReplayBuffer:
    """The last events of all sessions; the oldest are dropped first."""

    def __init__(
        self, most: int = limits.MAX_REPLAYED_EVENTS, most_bytes: int = limits.MAX_REPLAYED_BYTES
    ) -> None:
        self._events: OrderedDict[int, _Event] = OrderedDict()
        self._most, self._bytes_left = most, most_bytes
        self._last = 0

    def session(self) -> "SessionEvents":
        """The events of one session: stream ids are its client's request ids, so other sessions use the same."""
        return SessionEvents(self)

    def put(self, session: "SessionEvents", stream: StreamId, message: JSONRPCMessage | None) -> int:
        """Keep one event; its id is its number."""
        self._last += 1
        size = 0 if message is None else len(message.model_dump_json())
        self._events[self._last] = _Event(session, stream, message, size)
        self._bytes_left -= size
        while len(self._events) > self._most or self._bytes_left < 0:
            self._bytes_left += self._events.popitem(last=False)[1].size
        return self._last

    def after(self, session: "SessionEvents", number: int) -> tuple[StreamId, list[EventMessage]] | None:
        """The stream of an event of this session and what came on it later; None if it is not known."""
        event = self._events.get(number)
        if event is None or event.session is not session:
            return None
        later = [
            EventMessage(each.message, str(at))
            for at, each in self._events.items()
            if at > number and each[:2] == event[:2] and each.message is not None
        ]
        return event.stream, later


class SessionEvents(EventStore):
    """The part of the replay buffer that one session may see."""

    def __init__(self, buffer: ReplayBuffer) -> None:
        self._buffer = buffer

    async def store_event(self, stream_id: StreamId, message: JSONRPCMessage | None) -> EventId:
        """Keep one event."""
        return str(self._buffer.put(self, stream_id, message))

    async def replay_events_after(
        self, last_event_id: EventId, send_callback: EventCallback
    ) -> StreamId | None:
        """What came on the same stream since; None if it was dropped, or was never this session's."""
        known = self._buffer.after(self, int(last_event_id)) if _is_number(last_event_id) else None
        if known is None:
            return None
        stream, later = known
        for each in later:
            await send_callback(each)
        return stream


def _is_number(text: str) -> bool:
    """Whether it is an id of ours; `isdigit` also accepts `²`, and Python refuses to parse thousands of digits."""
    return text.isascii() and text.isdigit() and len(text) < 20


class HttpClient(NamedTuple):
    """Who sends a request: the principal of the key, and the network that it comes from."""

    principal: access.Principal
    network: str = ""


# Whoever sent the request that is being answered. Without a default: nobody is taken for somebody else.
CLIENT: "ContextVar[HttpClient]" = ContextVar("client")


class SessionTable:
    """Who opened which session, and how often it was used since."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._clients: dict[str, HttpClient] = {}
        self._requests: Counter[str] = Counter()

    def opened(self, session: str, client: HttpClient) -> None:
        """Called for each new session."""
        self._clients[session] = client

    def belongs_to(self, session: str, principal: access.Principal) -> bool:
        """Whether this principal opened the session."""
        client = self._clients.get(session)
        return client is not None and client.principal == principal

    def used(self, session: str) -> None:
        """A request came for it."""
        self._requests[session] += 1

    def evict_idle(self, sessions: Mapping[str, StreamableHTTPServerTransport]) -> str | None:
        """The session to close so that another fits; None below the limit, or if all are in use."""
        if len(self._clients) > len(sessions):  # some have ended
            self._clients = {name: each for name, each in self._clients.items() if name in sessions}
            self._requests = Counter({session: self._requests[session] for session in sessions})
        if len(sessions) < self.most:
            return None
        held = Counter(self._clients.values())
        of_one = Counter(client.principal for client in self._clients.values())
        idle = {session: until for session, each in sessions.items() if (until := _idle_until(each))}
        idle = idle or {session: 0.0 for session, each in sessions.items() if only_listens(each)}

        def order(session: str) -> tuple[int, int, int, float]:
            client = self._clients[session]
            return -of_one[client.principal], -held[client], self._requests[session], idle[session]

        return min(idle, key=order, default=None)


def _idle_until(transport: StreamableHTTPServerTransport) -> float | None:
    """When it would end for lack of requests: the sooner, the longer it is idle; None while one is being answered."""
    scope = transport.idle_scope
    if scope is None or scope.cancel_called or math.isinf(scope.deadline):
        return None
    return scope.deadline


_LISTEN = "subscriptions/listen"
_Sent = tuple[str, Mapping[str, Any] | None]


class HttpSessions:
    """The sessions of one path.

    Nothing distinguishes the stateless clients of one key: they read each other's results, and no other's. Each
    request is a session to the servers, so that a question never reaches a client whose call it does not
    belong to.
    """

    def __init__(self, view: View) -> None:
        self._view = view
        self._stateless: dict[access.Principal, Session] = {}
        self._chosen: dict[tuple[access.Principal, bool], str] = {}
        self._parting: set[Session] = set()

    def make(self, context: Context, client_identity: ClientIdentity) -> Session:
        """A session for a handshake, or for one stateless request."""
        if context.method == "initialize":
            return self._after_handshake(context, client_identity)
        lasting = self._lasting(context.protocol_version, client_identity)
        return (
            lasting
            if context.method == _LISTEN
            else replace(
                lasting,
                client_identity=client_identity,
                subscribed=set(),
                surface=self.choose(client_identity),
            )
        )

    def choose(self, client_identity: ClientIdentity) -> str:
        """The surface of a stateless client: the same for all of its kind, for as long as the gateway lives.

        A name in the menu that it has read must stay callable, and nothing says when it has gone.
        """
        info, principal = client_identity.info, CLIENT.get().principal
        kind = (principal, catalog.profile_of_identity(info.get("name")).defers(info.get("version")))
        before = self._chosen.get(kind, "")
        self._chosen[kind] = self._view.surface_for(client_identity, principal, before)
        return self._chosen[kind]

    def _after_handshake(self, context: Context, client_identity: ClientIdentity) -> Session:
        connection = connection_of(context)
        channel, principal = _Standalone(self._view, connection.outbound), CLIENT.get().principal
        surface = self._view.surface_for(client_identity, principal)
        fixed = not self._view.on(surface).changes
        session = Session(secrets.token_hex(16), "", False, client_identity, channel, fixed_menu=fixed)
        session.principal, session.surface = principal, surface
        self._view.gateway.enter(session)
        connection.exit_stack.callback(self._view.gateway.leave, session)
        return session

    def _lasting(self, version: str, client_identity: ClientIdentity) -> Session:
        principal = CLIENT.get().principal
        known = self._stateless.get(principal)
        if known is None:
            fixed = not self._view.changes
            known = Session(secrets.token_hex(16), version, True, client_identity, fixed_menu=fixed)
            known.principal = principal
            self._stateless[principal] = known
            self._view.gateway.enter(known)
        return known

    def _part(self, session: Session) -> None:
        """A stateless request is over. What asked it something stays its own until the suspended call is over, too."""
        self._parting.add(session)
        upstreams = self._view.gateway.upstreams.values()
        asked = {
            connection.owner
            for upstream in upstreams
            for connection in upstream.connections
            if connection.busy
        }
        for each in self._parting - asked:
            for upstream in upstreams:
                upstream.release(each)
        self._parting &= asked

    @asynccontextmanager
    async def open_channel(self, context: Context, session: Session) -> AsyncIterator[ClientChannel]:
        """On leaving, everything sent during the request is on its stream."""
        channel = request_channel(context)
        send, receive = anyio.create_memory_object_stream[_Sent](limits.MAX_UNSENT)
        sent = anyio.Event()
        # Not a task group around the caller: it would wrap each of the caller's refusals in a group.
        self._view.gateway.spawn(_pump, receive, channel, sent)
        try:
            yield _Request(self._view, context, send.send_nowait)
        finally:
            send.close()
            if session.modern and session is not self._stateless.get(session.principal):
                self._part(session)
            await sent.wait()


async def _pump(
    receive: MemoryObjectReceiveStream[_Sent], channel: "DispatchContext[Any]", sent: anyio.Event
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

    def __init__(self, view: View, context: Context, say: Callable[[_Sent], None]) -> None:
        self._view, self._context, self._say = view, context, say

    def notify(self, method: str, params: Mapping[str, Any] | None) -> None:
        """In order; a flood beyond the queue is dropped, as notifications may be."""
        try:
            self._say((method, params))
        except (anyio.WouldBlock, anyio.ClosedResourceError, anyio.BrokenResourceError):
            return

    async def ask(self, method: str, params: Mapping[str, Any] | None) -> dict[str, Any]:
        """A question on the same stream."""
        return await _ask(request_channel(self._context), method, params)

    def let_go(self) -> None:
        """The client comes back with the id of the last event, and finds the answer kept for it."""
        close = self._context.close_sse_stream
        if close is not None:
            self._view.gateway.spawn(close)


class _Standalone:
    """The stream that a client of a handshake version keeps open for messages outside its requests."""

    def __init__(self, view: View, outbound: Outbound) -> None:
        self._view, self._outbound = view, outbound

    def notify(self, method: str, params: Mapping[str, Any] | None) -> None:
        """Sent if the client listens; lost if it does not, as the protocol says."""
        self._view.gateway.spawn(self._send, method, params)

    async def _send(self, method: str, params: Mapping[str, Any] | None) -> None:
        try:
            await self._outbound.notify(method, params)
        except (anyio.BrokenResourceError, anyio.ClosedResourceError):
            return

    async def ask(self, method: str, params: Mapping[str, Any] | None) -> dict[str, Any]:
        """Ask a question outside any call."""
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
