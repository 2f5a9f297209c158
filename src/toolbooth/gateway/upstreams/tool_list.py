"""The tools that an upstream lists: fetched again when they change, one view for each set of capabilities.

Some servers offer tools only to clients that can be asked something. A capability view is what such clients
may see; all views together are what may be found.
"""

from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

import anyio

from toolbooth import access, catalog, errors, limits
from toolbooth.catalog.connect import ClientIdentity, NegotiatedProtocol, Notice, list_tools
from toolbooth.gateway.arguments import judged
from toolbooth.gateway.normalized_tool import slim_ahead
from toolbooth.gateway.upstreams.connection import UpstreamConnection, key_of

if TYPE_CHECKING:
    from toolbooth.gateway.upstreams.upstream import Upstream


TOOLS_CHANGED = "notifications/tools/list_changed"


class UpstreamListener(Protocol):
    """What an upstream reports to those who use it."""

    def tools_listed(
        self,
        upstream: "Upstream",
        tools: catalog.ServerTools,
        protocol: NegotiatedProtocol,
        client_identity: ClientIdentity,
    ) -> None:
        """The server listed its tools, after a connect or a change, to a client of this identity."""
        ...

    def failed(self, upstream: "Upstream", *, changed: bool = False) -> None:
        """The server cannot list its tools for now; `changed` if it had reported that they have changed."""
        ...

    def noticed(self, upstream: "Upstream", notice: Notice, principal: access.Principal) -> None:
        """Lists of prompts or resources changed, or one resource did, on a connection of this principal."""
        ...


class ToolList:
    """One fetch at a time and one a second on each connection, however often a change is reported."""

    def __init__(self, upstream: "Upstream", tasks: anyio.abc.TaskGroup) -> None:
        self._upstream, self._tasks = upstream, tasks
        self._refetching: set[UpstreamConnection] = set()
        self._stale: set[UpstreamConnection] = set()

    async def fetch(self, connection: UpstreamConnection) -> None:
        """Fetch the list; raises a BackendFault if there is none."""
        upstream = self._upstream
        try:
            async with connection.listing:
                changes = connection.changes
                listed = await list_tools(
                    connection.peer, upstream.name, max(limits.LIST_TIMEOUT, upstream.spec.timeout)
                )
                tools = catalog.redact_server_tools(listed, upstream.secrets())
        except errors.BackendFault:
            for each in upstream.listeners:
                each.failed(upstream)
            raise
        for each in upstream.listeners:
            each.tools_listed(upstream, tools, connection.peer.protocol, connection.peer.client_identity)
        # Else the list is older than the last notice, and another fetch follows
        if connection.changes == changes:
            connection.settle()

    def changed(self, connection: UpstreamConnection) -> None:
        """The server reports a change: nothing is known of its tools until they are listed again."""
        connection.mark_stale()
        self.look_again(connection)

    def look_again(self, connection: UpstreamConnection) -> None:
        """Fetch the list at once, or a second after the last time."""
        self._stale.add(connection)
        if connection not in self._refetching:
            self._refetching.add(connection)
            self._tasks.start_soon(self._refetch, connection)

    async def _refetch(self, connection: UpstreamConnection) -> None:
        """Until it succeeds: a server that was only slow is not held back for good."""
        pause = limits.REFETCH_EVERY
        try:
            while connection.live and (connection in self._stale or connection.list_fault is not None):
                self._stale.discard(connection)
                await self._fetch_again(connection)
                pause = (
                    limits.REFETCH_EVERY
                    if connection.list_fault is None
                    else min(2 * pause, limits.RELIST_EVERY)
                )
                await anyio.sleep(pause)
        finally:
            self._refetching.discard(connection)
            self._stale.discard(connection)

    async def _fetch_again(self, connection: UpstreamConnection) -> None:
        upstream = self._upstream
        try:
            await self.fetch(connection)
            for each in upstream.listeners:
                each.noticed(upstream, Notice(TOOLS_CHANGED, None), connection.principal)
        except errors.BackendFault as fault:
            self._not_listed(connection, fault)
        except (
            Exception
        ) as error:  # whatever an unexpected list does to its readers must not affect the others
            self._not_listed(
                connection, errors.BackendFault(f"sent a list that cannot be used ({type(error).__name__})")
            )

    def _not_listed(self, connection: UpstreamConnection, fault: errors.BackendFault) -> None:
        """Report a failed listing. Only a notice of a change makes what was listed before invalid."""
        self._upstream.blame(fault)
        if not connection.settled.is_set():
            connection.settle(fault)
            for each in self._upstream.listeners:
                each.failed(self._upstream, changed=True)


class CapabilityViews:
    """The lists of one server, one for each set of capabilities that it was asked with.

    Some servers offer tools only to clients that can be asked something; one list must not hide the other's.
    """

    def __init__(self) -> None:
        self._lists: dict[str, catalog.ServerTools] = {}

    def take(self, tools: catalog.ServerTools, client_identity: ClientIdentity) -> catalog.ServerTools:
        """Take a new list; returns all tools that any client may call, the newest definitions first."""
        key = key_of(client_identity.capabilities)
        self._lists.pop(key, None)
        self._lists = {key: tools, **self._lists}
        everything = {tool.name: tool for each in reversed(self._lists.values()) for tool in each.tools}
        order = dict.fromkeys(tool.name for each in self._lists.values() for tool in each.tools)
        return replace(tools, tools=tuple(everything[name] for name in order))

    def shows(self, name: str, client_identity: ClientIdentity) -> bool:
        """Whether the server listed this tool to such clients; if it was never asked for them, it may have."""
        own = self._lists.get(key_of(client_identity.capabilities)) if len(self._lists) > 1 else None
        return own is None or any(tool.name == name for tool in own.tools)


def work_ahead(tools: catalog.ServerTools, slim: bool) -> None:
    """Do in a thread, while nobody waits, what a first list or call would otherwise wait for.

    Words to find tools by are left to the first list (`View.prepare`): only `direct` shows them.
    """
    for tool in tools.tools:
        judged(tool)
    if slim:
        slim_ahead(tools.tools)
