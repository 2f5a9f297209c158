"""A catalog → what a gateway in front of its servers shows and answers, without any server.

Made of the running gateway's own parts, so that whoever measures it here has measured the real one.
"""

import keyword
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from toolbooth.catalog import Catalog, Tool
from toolbooth.catalog.config import GatewaySettings
from toolbooth.errors import WrongArguments
from toolbooth.gateway.book import Book
from toolbooth.gateway.jobs import CALL_TOOL, CALL_TOOL_CHAIN, SEARCH_TOOLS
from toolbooth.gateway.jobs.search_tools import seek
from toolbooth.gateway.surfaces import Surface, build, instructions
from toolbooth.gateway.texts import definition_text, name_in_code
from toolbooth.safetext import for_terminal

if TYPE_CHECKING:
    from toolbooth.search import SearchResult

__all__ = ["Found", "OfflineGateway"]


class Found(NamedTuple):
    """What `search_tools` answers, and the ids of the tools in it, in their order."""

    text: str
    ids: tuple[str, ...] = ()


class _StillBook(Book):
    """Nothing changes in it, so one search answers the same query on every surface."""

    _last: "tuple[tuple[object, ...], SearchResult] | None" = None

    def search(self, query: str, limit: int = 8, server: str | None = None) -> "SearchResult":
        asked = (query, limit, server)
        if self._last is None or self._last[0] != asked:
            self._last = (asked, super().search(*asked))
        return self._last[1]


class OfflineGateway:
    """Every surface in front of these servers, all of them up, none of their tools called before.

    The last search is remembered: who wants to know how long one takes asks the engine.
    """

    def __init__(self, catalog: Catalog, settings: GatewaySettings | None = None) -> None:
        self._settings = settings or GatewaySettings()
        self._book = _StillBook(each.server for each in catalog.servers)
        for each in catalog.servers:
            self._book.put(each)
        self._surfaces: dict[str, Surface] = {}

    def menu(self, surface: str, *, legacy: bool = False) -> list[dict[str, Any]]:
        """The entries of `tools/list`; raises UserMistake where there is no such surface."""
        return list(self._surface(surface).menu(legacy=legacy))

    def instructions(self, surface: str) -> str:
        """What a client's model reads first."""
        return instructions(self._book, surface) if self._book.configured else _no_servers()

    def search(self, surface: str, query: str) -> Found:
        """One call of `search_tools`; on a surface without it, nothing is found and nothing said."""
        job = self._surface(surface).jobs.get(SEARCH_TOOLS.name)
        if job is None or job.answer is None:
            return Found("")
        if not self._book.configured:
            return Found(_no_servers())
        given = {"query": query}
        try:
            return Found(
                job.answer(self._book, given), tuple(tool.id for tool in seek(self._book, given).tools)
            )
        except WrongArguments as mistake:
            return Found(str(mistake))

    def definition(self, tool_id: str) -> str:
        """What `search_tools` answers to the tool's own name; raises KeyError where there is none."""
        return definition_text(self._tool(tool_id))

    def search_call(self, query: str) -> dict[str, Any]:
        """The call that a model writes to search, or to read a definition."""
        return _call(SEARCH_TOOLS.name, {"query": query})

    def tool_call(self, surface: str, tool_id: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The call of one tool as a model writes it on this surface."""
        name, jobs = self.shown_name(surface, tool_id), self._surface(surface).jobs
        if CALL_TOOL.name in jobs:
            return _call(CALL_TOOL.name, {"name": name, "arguments": dict(arguments)})
        if CALL_TOOL_CHAIN.name in jobs:
            return _call(CALL_TOOL_CHAIN.name, {"code": f"await {name}({_in_python(arguments)})"})
        return _call(name, dict(arguments))

    def shown_name(self, surface: str, tool_id: str) -> str:
        """What the tool is called in the menu or in the hits of this surface."""
        tool, jobs = self._tool(tool_id), self._surface(surface).jobs
        if CALL_TOOL.name in jobs:
            return for_terminal(tool.id)
        return name_in_code(tool) if CALL_TOOL_CHAIN.name in jobs else self._book.names.public(tool)

    def _surface(self, name: str) -> Surface:
        if name not in self._surfaces:
            self._surfaces[name] = build(name, self._book, self._settings)
        return self._surfaces[name]

    def _tool(self, tool_id: str) -> Tool:
        tool = self._book.look_up(tool_id)
        if not isinstance(tool, Tool):
            raise KeyError(tool_id)
        return tool


def _no_servers() -> str:
    from toolbooth.gateway.view import (
        NO_SERVERS,
    )  # brings the protocol SDK, for the one case without a server

    return NO_SERVERS


def _call(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "arguments": arguments}


def _in_python(arguments: Mapping[str, Any]) -> str:
    """Keyword arguments; names that Python cannot spell stand in a dictionary."""
    odd = {
        name: value for name, value in arguments.items() if not name.isidentifier() or keyword.iskeyword(name)
    }
    plain = [f"{name}={value!r}" for name, value in arguments.items() if name not in odd]
    return ", ".join([*plain, *([f"**{odd!r}"] if odd else [])])
