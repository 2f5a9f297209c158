"""One surface of one running gateway: its menu and instructions, rebuilt only when tools or settings change."""

from collections.abc import Mapping, Sequence
from typing import Any

from toolbooth.catalog import Catalog, Tool
from toolbooth.catalog.config import GatewaySettings
from toolbooth.gateway import server_states
from toolbooth.gateway.gateway import Gateway
from toolbooth.gateway.ledger.ledger import Menu
from toolbooth.gateway.session import Session
from toolbooth.gateway.surfaces import Surface, build, surface_instructions


class View:
    """One surface of one gateway; rebuilt when the registry changes, the same bytes otherwise."""

    def __init__(self, gateway: Gateway, surface: str) -> None:
        """Raises UserMistake if there is no such surface."""
        self.gateway, self.name = gateway, surface
        self._built: tuple[int, GatewaySettings, Surface] | None = None
        self._menus: dict[bool, list[dict[str, Any]]] = {}
        self._sent: Menu | None = None
        self._replaced: tuple[Catalog, Menu] | None = None
        _ = self.surface

    @property
    def surface(self) -> Surface:
        """The surface for what the registry holds now."""
        version, settings = self.gateway.registry.version, self.gateway.settings
        if self._built is None or self._built[0] != version or self._built[1] is not settings:
            self._built = (version, settings, build(self.name, self.gateway.registry, settings))
            self._menus = {}
        return self._built[2]

    @property
    def changes(self) -> bool:
        """Whether the menu can change while a client is connected."""
        return self.name == "direct" or bool(self.gateway.settings.always_visible)

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
        catalog, gateway = self.gateway.registry.catalog, self.gateway
        servers = [each for each in catalog.servers if each.server in gateway.upstreams]
        tools = [tool for each in servers for tool in each.tools if gateway.shows(tool, session)]
        known = self._replaced
        if known is None or known[0] is not catalog or len(known[1].tools) != len(tools):
            said = "\n".join(filter(None, (each.instructions for each in servers)))
            known = self._replaced = (catalog, Menu(tools, said))
        return known[1] if servers else None

    def pinned(self, name: str) -> Tool | None:
        """An upstream's tool that is itself in the menu."""
        return self.surface.tools.get(name)

    def instructions(self) -> str:
        """What a client's model reads first; without any server, what the user can do."""
        return (
            surface_instructions(self.gateway.registry, self.name)
            if self.gateway.upstreams
            else server_states.no_servers(self.gateway)
        )
