"""Notifications of changed lists, resources and roots, passed on between servers and clients."""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any

from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    PromptsListChanged,
    ResourcesListChanged,
    ResourceUpdated,
    ServerEvent,
    ToolsListChanged,
)

from toolbooth.access import Principal
from toolbooth.catalog.connect import Notice
from toolbooth.gateway.public_names import ResourceUris
from toolbooth.gateway.session import Session
from toolbooth.gateway.upstreams.upstream import Upstream

TOOLS_CHANGED = "notifications/tools/list_changed"
_EVENTS: Mapping[str, ServerEvent] = {
    TOOLS_CHANGED: ToolsListChanged(),
    "notifications/prompts/list_changed": PromptsListChanged(),
    "notifications/resources/list_changed": ResourcesListChanged(),
}


class ChangeNotices:
    """Notifies clients of handshake protocol versions on their channel, and newer ones through their subscription.

    What comes on a connection concerns the principal that the connection belongs to, and nobody else.
    """

    def __init__(self, uris_of: Callable[[Principal], ResourceUris], spawn: Callable[..., None]) -> None:
        self._buses: defaultdict[str, InMemorySubscriptionBus] = defaultdict(InMemorySubscriptionBus)
        self._uris_of, self._spawn = uris_of, spawn

    def bus(self, principal: Principal) -> InMemorySubscriptionBus:
        """What the subscriptions of this principal's clients listen to."""
        return self._buses[principal.id]

    def pass_on(
        self, sessions: Iterable[Session], upstream: Upstream, notice: Notice, principal: Principal
    ) -> None:
        """Send a server's notice to the clients it concerns; `Gateway.tools_listed` announces changed tools."""
        if notice.method == TOOLS_CHANGED:
            return
        own = [session for session in sessions if session.principal == principal]
        if notice.method == "notifications/resources/updated":
            self._resource_updated(own, upstream, notice, principal)
            return
        _notify(own, notice.method)
        self._announce(notice.method, self.bus(principal))

    def _resource_updated(
        self, sessions: Iterable[Session], upstream: Upstream, notice: Notice, principal: Principal
    ) -> None:
        uri = self._uris_of(principal).shown(upstream.name, str((notice.params or {}).get("uri")))
        for session in sessions:
            if uri in session.subscribed and session.channel is not None:
                session.channel.notify(notice.method, {**(notice.params or {}), "uri": uri})
        self._publish(ResourceUpdated(uri), self.bus(principal))

    def list_changed(self, sessions: Iterable[Session], method: str) -> None:
        """Notify every client that reads the list."""
        _notify(sessions, method)
        for bus in self._buses.values():
            self._announce(method, bus)

    def _announce(self, method: str, bus: InMemorySubscriptionBus) -> None:
        event = _EVENTS.get(method)
        if event is not None:
            self._publish(event, bus)

    def _publish(self, event: ServerEvent, bus: InMemorySubscriptionBus) -> None:
        publish: Callable[[Any], Awaitable[None]] = bus.publish
        self._spawn(publish, event)


def _notify(sessions: Iterable[Session], method: str) -> None:
    for session in sessions:
        if session.channel is not None and not session.modern and session.lists_tools(method):
            session.channel.notify(method, None)


def roots_changed(upstreams: Iterable[Upstream], session: Session) -> None:
    """A client's folders changed: notify the servers that asked for them."""
    for upstream in upstreams:
        for connection in upstream.connections:
            if session in (connection.owner, connection.founder) and not connection.peer.protocol.modern:
                connection.peer.notify("notifications/roots/list_changed")
