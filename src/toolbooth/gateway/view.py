"""A gateway × the name of a surface → the menu that a client sees."""

from typing import Any

from toolbooth.catalog import Tool
from toolbooth.catalog.config import GatewaySettings
from toolbooth.gateway.gateway import Gateway
from toolbooth.gateway.surfaces import Surface, build, instructions


class View:
    """One surface of one gateway; rebuilt when the book changes, the same bytes otherwise."""

    def __init__(self, gateway: Gateway, surface: str) -> None:
        """Raises UserMistake where there is no such surface."""
        self.gateway, self.name = gateway, surface
        self._built: tuple[int, GatewaySettings, Surface] | None = None
        self._menus: dict[bool, list[dict[str, Any]]] = {}
        _ = self.surface

    @property
    def surface(self) -> Surface:
        """As the book stands now."""
        version, settings = self.gateway.book.version, self.gateway.settings
        if self._built is None or self._built[0] != version or self._built[1] is not settings:
            self._built = (version, settings, build(self.name, self.gateway.book, settings))
            self._menus = {}
        return self._built[2]

    @property
    def changes(self) -> bool:
        """Whether the menu can change while a client is connected."""
        return self.name == "direct" or bool(self.gateway.settings.always_visible)

    def tools(self, *, legacy: bool) -> list[dict[str, Any]]:
        """The menu as this era's clients accept it."""
        surface = self.surface
        if legacy not in self._menus:
            self._menus[legacy] = list(surface.menu(legacy=legacy))
        return self._menus[legacy]

    def pinned(self, name: str) -> Tool | None:
        """A backend's tool that stands in the menu itself."""
        return self.surface.tools.get(name)

    def instructions(self) -> str:
        """What a client's model reads first; without any server, what the user can do."""
        return instructions(self.gateway.book, self.name) if self.gateway.backends else NO_SERVERS


NO_SERVERS = (
    "No MCP server is configured behind this gateway, so there is no tool to find or call. The user can name servers "
    "in toolbooth.yaml, or in the file that `toolbooth serve --config FILE` reads; no restart is needed."
)
