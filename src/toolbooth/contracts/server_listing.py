"""The lists of a connected server: tools, prompts, resources and resource templates.

This module imports the MCP SDK through `catalog.connect`, so `gather` imports it only to ask a live server.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from toolbooth import catalog, errors, limits
from toolbooth.catalog.connect import (
    METHOD_NOT_FOUND,
    Peer,
    ServerError,
    list_entries,
    list_timeout,
    list_tools,
)


@dataclass(frozen=True)
class ServerListing:
    """The lists as the server sent them. `notes` name each list that is left out, and why."""

    tools: catalog.ServerTools
    prompts: tuple[catalog.Json, ...] = ()
    resources: tuple[catalog.Json, ...] = ()
    templates: tuple[catalog.Json, ...] = ()
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


async def list_server(peer: Peer, spec: catalog.ServerSpec) -> ServerListing:
    """Read every list that the server declares. An incomplete list of tools is a fault, or tools would seem removed."""
    tools = await list_tools(peer, spec.name, list_timeout(spec))
    cut = next((entry.reason for entry in tools.set_aside if entry.kind == "cut"), "")
    if cut:
        raise errors.BackendProtocolError(f"its tools cannot be locked: {cut}")
    found: dict[str, Any] = {}
    notes: list[str] = []
    for each in _LISTS:
        if each.capability in (peer.protocol.capabilities or {}):
            found[each.field] = await _ask_list(peer, spec, each, notes)
    return ServerListing(tools, **found, notes=tuple(notes))


async def _ask_list(
    peer: Peer, spec: catalog.ServerSpec, asked: _List, notes: list[str]
) -> tuple[catalog.Json, ...]:
    try:
        entries, cut = await list_entries(peer, asked.method, asked.key, list_timeout(spec))
    except ServerError as refusal:
        if refusal.code != METHOD_NOT_FOUND:  # many servers declare resources but have no templates
            raise
        return ()
    if len(entries) > limits.MAX_TOOLS:
        cut = f"there are more than {limits.MAX_TOOLS}"
    if cut:  # the rest of a list would look removed at the next check
        notes.append(f"its {asked.field} are left out: {cut}")
        return ()
    return tuple(entry for entry in entries if isinstance(entry, Mapping))
