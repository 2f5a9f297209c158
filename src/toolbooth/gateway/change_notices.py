"""Notifications of changed lists, resources and roots, passed on between servers and clients."""

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
    """Notifies clients of handshake protocol versions on their channel, and newer ones through their subscription."""

    def __init__(self, uris: ResourceUris, spawn: Callable[..., None]) -> None:
        self.bus = InMemorySubscriptionBus()
        self._uris, self._spawn = uris, spawn

    def pass_on(self, sessions: Iterable[Session], upstream: Upstream, notice: Notice) -> None:
        """Send a server's notice to the clients it concerns; `Gateway.tools_listed` announces changed tools."""
        if notice.method == TOOLS_CHANGED:
            return
        if notice.method == "notifications/resources/updated":
            self._resource_updated(sessions, upstream, notice)
        else:
            self.list_changed(sessions, notice.method)

    def _resource_updated(self, sessions: Iterable[Session], upstream: Upstream, notice: Notice) -> None:
        uri = self._uris.shown(upstream.name, str((notice.params or {}).get("uri")))
        for session in sessions:
            if uri in session.subscribed and session.channel is not None:
                session.channel.notify(notice.method, {**(notice.params or {}), "uri": uri})
        self._publish(ResourceUpdated(uri))

    def list_changed(self, sessions: Iterable[Session], method: str) -> None:
        """Notify every client that reads the list."""
        for session in sessions:
            if session.channel is not None and not session.modern and session.lists_tools(method):
                session.channel.notify(method, None)
        event = _EVENTS.get(method)
        if event is not None:
            self._publish(event)

    def _publish(self, event: ServerEvent) -> None:
        publish: Callable[[Any], Awaitable[None]] = self.bus.publish
        self._spawn(publish, event)


def roots_changed(upstreams: Iterable[Upstream], session: Session) -> None:
    """A client's folders changed: notify the servers that asked for them."""
    for upstream in upstreams:
        for connection in upstream.connections:
            if session in (connection.owner, connection.founder) and not connection.peer.protocol.modern:
                connection.peer.notify("notifications/roots/list_changed")
