"""Everything that a connected server lists: tools, prompts, resources and resource templates.

Imports the MCP SDK through `catalog.connect`, so `gather` imports this module only when a live server is asked.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from toolbooth.catalog import Json, ServerSpec, ServerTools
from toolbooth.catalog.connect import (
    METHOD_NOT_FOUND,
    Peer,
    ServerError,
    list_entries,
    list_timeout,
    list_tools,
)
from toolbooth.errors import BackendProtocolError
from toolbooth.limits import MAX_TOOLS


@dataclass(frozen=True)
class ServerListing:
    """As the server sent it; `notes` say which list is left out, and why."""

    tools: ServerTools
    prompts: tuple[Json, ...] = ()
    resources: tuple[Json, ...] = ()
    templates: tuple[Json, ...] = ()
    notes: tuple[str, ...] = ()


class _List(NamedTuple):
    field: str
    capability: str
    method: str
    key: str


_LISTS: Final = (
    _List("prompts", "prompts", "prompts/list", "prompts"),
    _List("resources", "resources", "resources/list", "resources"),
    _List("templates", "resources", "resources/templates/list", "resourceTemplates"),
)


async def list_server(peer: Peer, spec: ServerSpec) -> ServerListing:
    """Every list that the server declares. A list of tools that is not whole is a fault: less is not "removed"."""
    tools = await list_tools(peer, spec.name, list_timeout(spec))
    cut = next((entry.reason for entry in tools.set_aside if entry.kind == "cut"), "")
    if cut:
        raise BackendProtocolError(f"its tools cannot be locked: {cut}")
    found: dict[str, Any] = {}
    notes: list[str] = []
    for each in _LISTS:
        if each.capability in (peer.protocol.capabilities or {}):
            found[each.field] = await _ask_list(peer, spec, each, notes)
    return ServerListing(tools, **found, notes=tuple(notes))


async def _ask_list(peer: Peer, spec: ServerSpec, asked: _List, notes: list[str]) -> tuple[Json, ...]:
    try:
        entries, cut = await list_entries(peer, asked.method, asked.key, list_timeout(spec))
    except ServerError as refusal:
        if refusal.code != METHOD_NOT_FOUND:  # many declare resources and know no templates
            raise
        return ()
    if len(entries) > MAX_TOOLS:
        cut = f"there are more than {MAX_TOOLS}"
    if cut:  # half a list would show up as removals at the next look
        notes.append(f"its {asked.field} are left out: {cut}")
        return ()
    return tuple(entry for entry in entries if isinstance(entry, Mapping))
