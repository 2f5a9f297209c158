"""The view of clients that get the surface that suits them: chosen when a client says who it is, and kept."""

from typing import Final

from toolbooth import access, catalog
from toolbooth.catalog.connect import ClientIdentity
from toolbooth.gateway.gateway import Gateway
from toolbooth.gateway.surfaces.choice import ENOUGH, CatalogWeight, choose_surface, weigh_catalog
from toolbooth.gateway.surfaces.view import View
from toolbooth.gateway.tool_registry import ToolRegistry

_CHOSEN: Final = ("search", "direct")


class AutoView(View):
    """Before a client is known, and for whatever is no client, it is a view of `search`."""

    def __init__(self, gateway: Gateway) -> None:
        super().__init__(gateway, "search")
        self._views = {name: View(gateway, name) for name in _CHOSEN}
        self._weighed: dict[str, tuple[ToolRegistry, int, CatalogWeight]] = {}

    @property
    def changes(self) -> bool:
        """Whether the menu of any of its clients can change."""
        return True

    def on(self, surface: str) -> View:
        """The view of the surface that was chosen."""
        return self._views.get(surface, self)

    def surface_for(self, identity: ClientIdentity, principal: access.Principal, before: str = "") -> str:
        """What was chosen `before`; else by who the client is, and by the tools that are known now."""
        if before in _CHOSEN:
            return before
        profile = catalog.profile_of_identity(identity.info.get("name"))
        return choose_surface(profile, self._weight(principal), identity.info.get("version")).surface

    def _weight(self, principal: access.Principal) -> CatalogWeight:
        """Counted once for as long as the tools stay the same; servers are not waited for."""
        registry = self.seen_by(principal).registry
        known = self._weighed.get(principal.id)
        if known is None or known[0] is not registry or known[1] != registry.version:
            weight = weigh_catalog(registry, ENOUGH)
            known = self._weighed[principal.id] = (registry, registry.version, weight)
        return known[2]
