"""A gateway without servers: what it would show and answer for a catalog, and what it knows at a warm start.

It is built from the parts of the running gateway, so a measurement here is true of the real gateway.
"""

import keyword
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from toolbooth import errors, files, safetext
from toolbooth.catalog import Catalog, ServerSpec, ServerTools, Tool, started_in
from toolbooth.catalog.config import GatewaySettings
from toolbooth.gateway import agent_texts, offer_cache, server_states
from toolbooth.gateway.builtin_tools import CALL_TOOL_CHAIN, SEARCH_TOOLS, call_name
from toolbooth.gateway.builtin_tools.find_tools import run_search
from toolbooth.gateway.builtin_tools.split_calls import effect_of
from toolbooth.gateway.surfaces import (
    CatalogWeight,
    Surface,
    build,
    pin_problems,
    surface_instructions,
    weigh_catalog,
)
from toolbooth.gateway.tool_registry import ToolRegistry

if TYPE_CHECKING:
    from toolbooth.search import SearchResult
__all__ = [
    "OfflineGateway",
    "SearchAnswer",
    "ToolRegistry",
    "keep_catalog",
    "pin_problems",
    "recalled_registry",
    "remembered",
]


class SearchAnswer(NamedTuple):
    """The answer of `search_tools`, and the ids of the tools in it, in their order."""

    text: str
    ids: tuple[str, ...] = ()


class _FrozenRegistry(ToolRegistry):
    """A registry that never changes, so one search answers the same query on every surface."""

    _last: "tuple[tuple[object, ...], SearchResult] | None" = None

    def search(self, query: str, limit: int = 8, server: str | None = None) -> "SearchResult":
        asked = (query, limit, server)
        if self._last is None or self._last[0] != asked:
            self._last = (asked, super().search(*asked))
        return self._last[1]


class OfflineGateway:
    """Every surface in front of these servers, as if all were up and no tool had been called before.

    The last search is remembered: to measure the time of a search, ask the engine.
    """

    def __init__(self, catalog: Catalog, settings: GatewaySettings | None = None) -> None:
        self._settings = settings or GatewaySettings()
        self._registry = _FrozenRegistry(each.server for each in catalog.servers)
        for each in catalog.servers:
            self._registry.put(each)
        self._surfaces: dict[str, Surface] = {}

    def menu(self, surface: str, *, legacy: bool = False) -> list[dict[str, Any]]:
        """The entries of `tools/list`; raises UserMistake where there is no such surface."""
        return list(self._surface(surface).menu(legacy=legacy))

    def weight(self) -> CatalogWeight:
        """What `auto` decides by: it is `choose_surface` that does."""
        return weigh_catalog(self._registry)

    def instructions(self, surface: str) -> str:
        """What a client's model reads first."""
        return (
            surface_instructions(self._registry, surface, split=self._settings.split)
            if self._registry.configured
            else server_states.NO_SERVERS
        )

    def search(self, surface: str, query: str) -> SearchAnswer:
        """One call of `search_tools`; on a surface without it the answer is empty."""
        builtin = self._surface(surface).builtin_tools.get(SEARCH_TOOLS.name)
        if builtin is None or builtin.answer is None:
            return SearchAnswer("")
        if not self._registry.configured:
            return SearchAnswer(server_states.NO_SERVERS)
        given = {"query": query}
        try:
            return SearchAnswer(
                builtin.answer(self._registry, given),
                tuple(tool.id for tool in run_search(self._registry, given).tools),
            )
        except errors.WrongArguments as mistake:
            return SearchAnswer(str(mistake))

    def definition(self, tool_id: str) -> str:
        """What `search_tools` answers to the tool's own name; raises KeyError if there is none."""
        return agent_texts.definition_text(self._tool(tool_id))

    def search_call(self, query: str) -> dict[str, Any]:
        """The call that a model writes to search, or to read a definition."""
        return _call(SEARCH_TOOLS.name, {"query": query})

    def tool_call(self, surface: str, tool_id: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The call of one tool as a model writes it on this surface."""
        name, builtin_tools = self.shown_name(surface, tool_id), self._surface(surface).builtin_tools
        if through := call_name(builtin_tools, effect_of(self._registry, self._tool(tool_id))):
            return _call(through, {"name": name, "arguments": dict(arguments)})
        if CALL_TOOL_CHAIN.name in builtin_tools:
            return _call(CALL_TOOL_CHAIN.name, {"code": f"await {name}({_in_python(arguments)})"})
        return _call(name, dict(arguments))

    def shown_name(self, surface: str, tool_id: str) -> str:
        """The name of the tool in the menu or in the hits of this surface."""
        tool, builtin_tools = self._tool(tool_id), self._surface(surface).builtin_tools
        if call_name(builtin_tools):
            return safetext.for_terminal(tool.id)
        return (
            agent_texts.name_in_code(tool)
            if CALL_TOOL_CHAIN.name in builtin_tools
            else self._registry.names.public(tool)
        )

    def _surface(self, name: str) -> Surface:
        if name not in self._surfaces:
            self._surfaces[name] = build(name, self._registry, self._settings)
        return self._surfaces[name]

    def _tool(self, tool_id: str) -> Tool:
        tool = self._registry.look_up(tool_id)
        if not isinstance(tool, Tool):
            raise KeyError(tool_id)
        return tool


def _call(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "arguments": arguments}


def _in_python(arguments: Mapping[str, Any]) -> str:
    """Keyword arguments; names that are not Python identifiers go into a dictionary."""
    odd = {
        name: value for name, value in arguments.items() if not name.isidentifier() or keyword.iskeyword(name)
    }
    plain = [f"{name}={value!r}" for name, value in arguments.items() if name not in odd]
    return ", ".join([*plain, *([f"**{odd!r}"] if odd else [])])


def keep_catalog(catalog: Catalog, folder: Path) -> None:
    """Write what a gateway caches of these servers, the search index of their tools included."""
    registry = ToolRegistry(each.server for each in catalog.servers)
    for each in catalog.servers:
        registry.put(each)
    cache = offer_cache.CacheFolder(folder)
    for each in catalog.servers:
        cache.save(_spec(each.server), each, {}, registry.stored_index(each.server))


def remembered(
    specs: Sequence[ServerSpec], environ: Mapping[str, str], home: Path, cwd: Path
) -> tuple[ServerTools, ...]:
    """What these servers offered when a gateway last saw them, without what a filter hides; nothing is started."""
    cache = offer_cache.CacheFolder(files.cache_folder(home, environ, sys.platform))
    found = ((spec, cache.load(started_in(cwd, spec)) or cache.load(spec)) for spec in specs)
    return tuple(spec.tools.of(each.offered) for spec, each in found if each is not None)


def recalled_registry(servers: Sequence[str], folder: Path) -> ToolRegistry:
    """What a gateway knows at its start, before any server is up; its first search builds the index."""
    cache = offer_cache.CacheFolder(folder)
    registry = ToolRegistry(servers)
    with offer_cache.recalling() as count:
        for server in servers:
            known = cache.load(_spec(server))
            if known is not None:
                registry.put(known.offered, known.index)
                count(len(known.offered.tools))
    return registry


def _spec(server: str) -> ServerSpec:
    """The cache identifies servers by how they are reached; these are not reached at all."""
    return ServerSpec(server, "stdio", server)
