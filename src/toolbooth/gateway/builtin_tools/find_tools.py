"""`search_tools`, `list_tools` and `tool_info`: the three ways to find a tool, answered from the tool registry."""

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Any, Final, NamedTuple

from toolbooth import catalog, errors, limits, safetext, search
from toolbooth.gateway.agent_texts import (
    absent_server,
    definition_text,
    full_definition_text,
    hit_text,
    not_found,
)
from toolbooth.gateway.builtin_tools.definition import (
    FLAG,
    NUMBER,
    TEXT,
    BuiltinArguments,
    BuiltinTool,
    choice,
)
from toolbooth.gateway.tool_registry import ToolRegistry

SEARCH_NAME: Final = "search_tools"
DEFAULT_HITS: Final = 8
_SEARCH_PARAMETERS: Final = {"query": TEXT, "limit": NUMBER, "brief": FLAG, "server": TEXT}
_ALSO: Final = 4  # more hits below a definition, if the name is a word that may have meant more
_CUT: Final = f"The query is long: only its first {limits.MAX_QUERY:,} characters were searched for."
_SHOWN_QUERY, _SHOWN_SERVERS = 80, 30
_SHOWN_ABSENT, _SHOWN_REASONS = 3, 600
_WORDS: Final = re.compile(r"[^\W_]{3,40}")


class SearchOutcome(NamedTuple):
    """The result of a search. `named`: the query is exactly the name of this tool; then `found` may be empty."""

    query: str
    brief: bool
    named: catalog.Tool | None
    found: "search.SearchResult"

    @property
    def beside(self) -> list[catalog.Tool]:
        """The hits below a definition, if the name is a word that may have meant more."""
        return [hit.tool for hit in self.found.hits if hit.tool != self.named][:_ALSO]

    @property
    def tools(self) -> list[catalog.Tool]:
        """Every tool that the answer shows, in its order."""
        hits = [hit.tool for hit in self.found.hits]
        return hits if self.named is None else [self.named, *self.beside]


def run_search(registry: ToolRegistry, given: Mapping[str, Any]) -> SearchOutcome:
    """Read the call and search; wrong arguments raise `WrongArguments`."""
    arguments = BuiltinArguments(SEARCH_NAME, given, _SEARCH_PARAMETERS)
    query = arguments.text("query", '"create an issue"')
    limit = arguments.whole("limit", DEFAULT_HITS, 1, limits.MAX_HITS)
    brief = arguments.flag("brief", True)
    server = known_server(registry, arguments.optional_text("server"))
    named = _named(registry, query.strip(), server)
    searches = named is None or query.strip().isalnum()
    return SearchOutcome(
        query, brief, named, registry.search(query, limit, server) if searches else search.SearchResult()
    )


Mark = Callable[[ToolRegistry, catalog.Tool], str]


def _no_mark(_registry: ToolRegistry, _tool: catalog.Tool) -> str:
    return ""


def search_answer(
    registry: ToolRegistry, given: Mapping[str, Any], returns: bool = False, mark: Mark = _no_mark
) -> str:
    """Hits for the query, or a tool's definition if the query is its name. `returns`: with what they return."""
    sought = run_search(registry, given)
    if sought.named is not None:
        others = [hit_text(tool, True, mark=mark(registry, tool)) for tool in sought.beside]
        definition = definition_text(sought.named, sought.brief, mark(registry, sought.named))
        return "\n".join([definition, *(["also:"] if others else []), *others])
    held = registry.held_back(sought.query.strip())
    cut = [_CUT] if len(sought.query) > limits.MAX_QUERY else []
    lines = [held.why] if held is not None else [] if sought.found.hits else registry.held_note()
    marks = [mark(registry, hit.tool) for hit in sought.found.hits]
    return "\n".join([_hits_text(sought, returns, marks), *cut, *lines, *_absent_lines(registry, sought)])


def _absent_lines(registry: ToolRegistry, sought: SearchOutcome) -> list[str]:
    """Servers in the query that cannot be used; if nothing was found, all servers that cannot."""
    asked = set(_WORDS.findall(sought.query[: limits.MAX_QUERY].lower()))
    named = [name for name in registry.absent if set(_WORDS.findall(name.lower())) & asked]
    if not named and not sought.found.hits:
        named = list(registry.absent)
    more = f"; and {len(named) - _SHOWN_ABSENT} more" if len(named) > _SHOWN_ABSENT else ""
    reasons = "; ".join(f"{name} ({registry.absent[name]})" for name in named[:_SHOWN_ABSENT])
    return (
        [f"cannot be used, so not searched: {safetext.for_terminal(reasons + more, _SHOWN_REASONS)}"]
        if named
        else []
    )


def known_server(registry: ToolRegistry, server: str | None) -> str | None:
    """The server's name, if it is given and exists."""
    if server is None or server in registry.servers:
        return server
    if why := registry.why_absent(server):
        raise errors.WrongArguments(absent_server(why))
    names = list(registry.servers)
    more = f" and {len(names) - _SHOWN_SERVERS} more" if len(names) > _SHOWN_SERVERS else ""
    listed = ", ".join(safetext.for_terminal(name, _SHOWN_QUERY) for name in names[:_SHOWN_SERVERS])
    raise errors.WrongArguments(
        f'unknown server "{safetext.for_terminal(server, _SHOWN_QUERY)}"; the servers are {listed}{more}'
    )


def _named(registry: ToolRegistry, query: str, server: str | None) -> catalog.Tool | None:
    """The tool of exactly this name, of the given server if there is one."""
    found = (registry.look_up(query), registry.look_up(f"{server}.{query}") if server else None)
    return next(
        (tool for tool in found if isinstance(tool, catalog.Tool) and server in (None, tool.server)), None
    )


def _hits_text(sought: SearchOutcome, returns: bool, marks: Sequence[str]) -> str:
    found = sought.found
    repaired = ", ".join(f'"{word}"' for word in dict.fromkeys(found.corrected.values()))
    lines = [f"searched for {repaired}"] if repaired else []
    if not found.hits:
        asked = safetext.for_terminal(sought.query, _SHOWN_QUERY)
        terms = f" Nearest terms here: {', '.join(found.nearest)}." if found.nearest else ""
        return "\n".join([*lines, f'No tool here fits "{asked}".{terms}'])
    lines += [
        hit_text(hit.tool, sought.brief, rank, returns, mark)
        for rank, (hit, mark) in enumerate(zip(found.hits, marks, strict=True))
    ]
    return "\n".join([*lines, *([f"try_also: {', '.join(found.try_also)}"] if found.try_also else [])])


def search_answer_for_code(registry: ToolRegistry, given: Mapping[str, Any]) -> str:
    """Code is written before its calls are answered, so its author is shown the keys of the results."""
    return search_answer(registry, given, returns=True)


SEARCH_TOOLS: Final = BuiltinTool(
    SEARCH_NAME,
    "Find tools for a task. Hits read `name(parameters) — purpose`; * is required. "
    "An exact name gives its definition.",
    _SEARCH_PARAMETERS,
    ("query",),
    answer=search_answer,
)


LIST_NAME: Final = "list_tools"
_LIST_PARAMETERS: Final = {"server": TEXT, "cursor": TEXT}


def list_answer(registry: ToolRegistry, given: Mapping[str, Any]) -> str:
    """One line for each server; the last line says how to continue, if there is more."""
    arguments = BuiltinArguments(LIST_NAME, given, _LIST_PARAMETERS)
    server = known_server(registry, arguments.optional_text("server"))
    tools = registry.catalog.tools if server is None else registry.servers[server].tools
    start = _cursor_position(registry, tools, arguments.optional_text("cursor"))
    page = tools[start : start + limits.LISTED_NAMES]
    if not page:
        held = registry.held_note(server)
        return held[0] if held else "No tools are known yet; the servers may still be starting."
    lines = [_line(server, list(names)) for server, names in groupby(page, lambda tool: tool.server)]
    left = len(tools) - start - len(page)
    if left:
        following = registry.names.certain(tools[start + len(page)])
        within = f'server="{safetext.for_terminal(server)}", ' if server else ""
        lines.append(f'{left} more: list_tools({within}cursor="{following}")')
    return "\n".join(lines)


def _line(server: str, tools: list[catalog.Tool]) -> str:
    return f"{safetext.for_terminal(server)}: {', '.join(safetext.for_terminal(tool.name) for tool in tools)}"


def _cursor_position(registry: ToolRegistry, tools: tuple[catalog.Tool, ...], cursor: str | None) -> int:
    """A cursor is the name of the next tool: it stays valid when others come and go."""
    if cursor is None:
        return 0
    found = registry.find(cursor)
    place = next((at for at, tool in enumerate(tools) if tool is found), None)
    if place is None:
        raise errors.WrongArguments(
            f"the cursor of {LIST_NAME} is no longer valid; call it without one to start again"
        )
    return place


LIST_TOOLS: Final = BuiltinTool(
    LIST_NAME, "Names of all tools, by server.", _LIST_PARAMETERS, answer=list_answer
)


INFO_NAME: Final = "tool_info"
_DETAILS: Final = ("brief", "full")
_INFO_PARAMETERS: Final = {"name": TEXT, "detail": choice(*_DETAILS)}


def info_answer(registry: ToolRegistry, given: Mapping[str, Any], mark: Mark = _no_mark) -> str:
    """Brief: the signature and one line for each parameter; full: the definition as the server sent it."""
    arguments = BuiltinArguments(INFO_NAME, given, _INFO_PARAMETERS)
    name = arguments.text("name", '"server.tool"')
    detail = arguments.one_of("detail", _DETAILS, "brief")
    found = registry.find(name)
    if not isinstance(found, catalog.Tool):
        raise errors.WrongArguments(not_found(found))
    brief = detail == "brief"
    return definition_text(found, mark=mark(registry, found)) if brief else full_definition_text(found)


TOOL_INFO: Final = BuiltinTool(
    INFO_NAME,
    "How to call one tool. detail full: its definition as the server sent it.",
    _INFO_PARAMETERS,
    ("name",),
    answer=info_answer,
)
