"""One surface of one running gateway: its menu and instructions, rebuilt only when tools or settings change.

What a handler says of tools and servers it takes from `View.scope`: all of the gateway, or what exists for the
principal that asks.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread

from toolbooth import access, limits
from toolbooth.catalog import Catalog, Tool
from toolbooth.catalog.config import AnswerCaps, GatewaySettings
from toolbooth.catalog.connect import ClientIdentity
from toolbooth.gateway import server_states, tool_registry
from toolbooth.gateway.gateway import Gateway
from toolbooth.gateway.ledger.ledger import Menu
from toolbooth.gateway.scope import GatewayScope
from toolbooth.gateway.session import Session
from toolbooth.gateway.surfaces import Surface, build, surface_instructions

if TYPE_CHECKING:
    from toolbooth.gateway.upstreams.upstream import Upstream


class View:
    """One surface of one gateway; rebuilt when the registry changes, the same bytes otherwise."""

    def __init__(self, gateway: Gateway, surface: str, scope: GatewayScope | None = None) -> None:
        """Raises UserMistake if there is no such surface."""
        self.gateway, self.name = gateway, surface
        self.scope: GatewayScope = gateway if scope is None else scope
        self._seen_by: dict[str, View] = {}
        self._built: tuple[int, GatewaySettings, AnswerCaps, Surface] | None = None
        self._menus: dict[bool, list[dict[str, Any]]] = {}
        self._sent: Menu | None = None
        self._replaced: tuple[Catalog, Menu] | None = None
        _ = self.surface

    def seen_by(self, principal: access.Principal) -> "View":
        """The same surface with what exists for this principal; this very view if that is everything."""
        if self.gateway.authorizer is access.OPEN:
            return self
        if principal.id not in self._seen_by:
            self._seen_by[principal.id] = View(self.gateway, self.name, self.gateway.scopes.of(principal))
        return self._seen_by[principal.id]

    def surface_for(self, identity: ClientIdentity, principal: access.Principal, before: str = "") -> str:  # noqa: ARG002
        """The name of the surface that a client sees, from when it says who it is until it leaves."""
        return self.name

    def on(self, surface: str) -> "View":  # noqa: ARG002
        """The view of the surface that `surface_for` named."""
        return self

    def shown_to(self, session: Session) -> "View":
        """What exists for a session, on the surface that it has."""
        return self.on(session.surface).seen_by(session.principal)

    @property
    def registry(self) -> tool_registry.ToolRegistry:
        """The tools that exist here."""
        return self.scope.registry

    @property
    def upstreams(self) -> "Mapping[str, Upstream]":
        """The servers that exist here."""
        return self.scope.upstreams

    @property
    def empty(self) -> bool:
        """Whether no server is configured at all, for anybody."""
        return not self.gateway.upstreams

    @property
    def surface(self) -> Surface:
        """The surface for what the registry holds now."""
        registry, settings, caps = self.registry, self.gateway.settings, self.gateway.caps
        version, built = registry.version, self._built
        if built is None or built[0] != version or built[1] is not settings or built[2] is not caps:
            built = self._built = (version, settings, caps, build(self.name, registry, settings, caps))
            self._menus = {}
        return built[3]

    @property
    def changes(self) -> bool:
        """Whether the menu can change while a client is connected."""
        return self.name == "direct" or bool(self.gateway.settings.always_visible)

    async def prepare(self) -> None:
        """Have the first menu of many tools prepared in a thread, unless that was done ahead of it."""
        surface = self.surface
        if not self._menus and len(surface.tools) > limits.LISTED_AT_ONCE:
            await anyio.to_thread.run_sync(surface.prepare)

    def tools(self, *, legacy: bool) -> list[dict[str, Any]]:
        """The menu as clients of this protocol version accept it."""
        surface = self.surface
        if legacy not in self._menus:
            self._menus[legacy] = list(surface.menu(legacy=legacy))
        return self._menus[legacy]

    def sent(self, tools: Sequence[Mapping[str, Any]]) -> Menu:
        """What a client's model reads first; weighed once as long as it stays the same."""
        said = self.instructions()
        if self._sent is None or self._sent.tools is not tools or self._sent.instructions != said:
            self._sent = Menu(tools, said)
        return self._sent

    def replaced(self, session: Session) -> Menu | None:
        """What a client of the servers themselves would read instead; None while nothing is known of any.

        Tools that are held back are left out, so that they do not count as savings.
        """
        catalog, upstreams = self.registry.catalog, self.upstreams
        servers = [each for each in catalog.servers if each.server in upstreams]
        tools = [tool for each in servers for tool in each.tools if self.gateway.shows(tool, session)]
        known = self._replaced
        if known is None or known[0] is not catalog or len(known[1].tools) != len(tools):
            said = "\n".join(filter(None, (each.instructions for each in servers)))
            known = self._replaced = (catalog, Menu(tools, said))
        return known[1] if servers else None

    def pinned(self, name: str) -> Tool | None:
        """An upstream's tool that is itself in the menu, by its public name or by any other that is its alone."""
        surface = self.surface
        listed = surface.tools.get(name)
        if listed is not None or not surface.tools or name in surface.builtin_tools:
            return listed
        found = self.registry.look_up(name)
        if not isinstance(found, Tool):
            return None
        return surface.tools.get(self.registry.names.public(found))

    def instructions(self) -> str:
        """What a client's model reads first; without any server, what the user can do."""
        return (
            server_states.no_servers(self.scope)
            if self.empty
            else surface_instructions(self.registry, self.name, split=self.gateway.settings.split)
        )
