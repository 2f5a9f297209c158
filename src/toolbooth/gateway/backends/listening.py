"""A link of the stateless era → the changes that its server tells only to those who ask."""

from typing import Any

from toolbooth.catalog.connect import Link
from toolbooth.errors import BackendFault

_FOREVER = 10 * 365 * 86_400.0
_KINDS = {"tools": "toolsListChanged", "prompts": "promptsListChanged", "resources": "resourcesListChanged"}


async def listen_for_changes(link: Link) -> None:
    """Keep one stream of changes open as long as the link lives, where the server offers any."""
    declared = link.era.capabilities or {}
    wanted: dict[str, Any] = {
        flag: True for kind, flag in _KINDS.items() if (declared.get(kind) or {}).get("listChanged")
    }
    if link.era.modern and wanted:
        await _listen(link, wanted)


async def listen_for_resource(link: Link, uri: str) -> None:
    """The same for the updates of one resource."""
    await _listen(link, {"resourceSubscriptions": [uri]})


async def _listen(link: Link, wanted: dict[str, Any]) -> None:
    try:
        await link.request("subscriptions/listen", {"notifications": wanted}, _FOREVER)
    except BackendFault:
        return  # a server that declares changes and streams none loses only these
