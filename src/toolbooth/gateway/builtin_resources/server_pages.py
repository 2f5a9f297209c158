"""The pages about servers and tools: overview, servers, tools, health.

They show what the gateway knows now; no server is asked or waited for. They name environment variables, never
values.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from toolbooth import access, catalog, errors, figures, limits, safetext, search
from toolbooth.gateway import public_names, server_states
from toolbooth.gateway.builtin_resources.definition import JSON, SCHEME, BuiltinResource
from toolbooth.gateway.builtin_resources.ledger_pages import latencies
from toolbooth.gateway.builtin_tools.find_tools import info_answer as tool_info, list_answer as list_tools
from toolbooth.gateway.session import Session
from toolbooth.gateway.surfaces import pin_problems
from toolbooth.gateway.surfaces.view import View


def nearest_of(name: str, names: Sequence[str]) -> list[str]:
    """The names that are spelled most like this one; at least one if there are any names."""
    from rapidfuzz import process, utils
    from rapidfuzz.fuzz import (
        WRatio,  # not suggest.closest: a part of a long name is enough, and some name is shown
    )

    found = process.extract(
        name[: limits.MAX_FUZZY_NAME],
        names,
        scorer=WRatio,
        processor=utils.default_process,
        limit=public_names.NEAREST,
    )
    return [each for each, _score, _at in found]


_HEADINGS: Final = re.compile(r"\A(?:\s*#[^\n]*(?:\n|\Z))+")  # a title in Markdown repeats the name
_SENTENCE: Final = 140  # characters
_SHOWN_TOOLS, _SHOWN_TOOL_NAME = 4, 40  # names of tools, and characters of each


def about(server: catalog.ServerTools) -> str:
    """What a server is for, in one clean sentence; empty if nothing is known about it."""
    texts = (_HEADINGS.sub("", each or "") for each in (server.description, server.instructions))
    said = search.one_line(next((each for each in texts if each.strip()), ""), _SENTENCE).rstrip(".")
    if said or not server.tools:
        return said
    more = ", …" if len(server.tools) > _SHOWN_TOOLS else ""
    return (
        ", ".join(safetext.for_terminal(tool.name, _SHOWN_TOOL_NAME) for tool in server.tools[:_SHOWN_TOOLS])
        + more
    )


_USES = {
    "search_tools": 'search_tools(query="what you want to do") finds tools; a tool\'s exact name gives its definition.',
    "call_tool": 'call_tool(name="server.tool", arguments={…}) calls one.',
    "call_read_tool": 'call_read_tool(name="server.tool", arguments={…}) calls one that only reads.',
    "call_write_tool": "call_write_tool calls one that search_tools marks [write].",
    "call_destructive_tool": "call_destructive_tool calls one that search_tools marks [destructive].",
    "call_tool_chain": 'call_tool_chain(code="await server.tool(argument=…)") calls many in one go, from Python.',
    "read_result": 'read_result(ref="…") reads what an answer left out.',
}


def servers_text(view: View) -> str:
    """A heading, and one line for each server."""
    upstreams, known = view.upstreams, view.registry.servers
    missing = server_states.why_not_up(view.scope)
    total = sum(len(each.tools) for each in known.values())
    lines = [f"{_server_count(len(upstreams))}, {server_states.tool_count(total)}:"]
    for name in list(upstreams)[: limits.OVERVIEW_SERVERS]:
        if name in missing:
            lines.append(f"{name}: not up ({missing[name]})")
        else:
            purpose = about(known[name])
            lines.append(
                f"{name}: {server_states.tool_count(len(known[name].tools))}{f' — {purpose}' if purpose else ''}"
            )
    more = len(upstreams) - limits.OVERVIEW_SERVERS
    lines += [f"and {more} more: {SCHEME}servers"] if more > 0 else []
    return "\n".join([*lines, *server_states.absent_lines(view.scope)])


def _server_count(count: int) -> str:
    return figures.counted(count, "server")


def how_text(view: View) -> str:
    """What the tools of this menu do; if the servers' own tools are in it, how they are named."""
    builtin_tools = view.surface.builtin_tools
    uses = [use for builtin, use in _USES.items() if builtin in builtin_tools]
    if "search_tools" not in builtin_tools:
        uses.insert(0, "Every tool is in the menu, named server__tool.")
    return "\n".join(uses)


async def _read_overview(view: View, _session: Session, _value: str) -> str:
    if view.empty:
        return server_states.no_servers(view.scope)
    more = f"More: {SCHEME}servers, {SCHEME}tools, {SCHEME}server/NAME, {SCHEME}tool/NAME"
    return "\n\n".join([servers_text(view), how_text(view), more])


OVERVIEW = BuiltinResource(
    "overview",
    "Overview",
    "The servers behind this gateway, what each is for, how to use them.",
    _read_overview,
)


_LEFT = 12  # servers whose names are left out, and counted


def inventory(view: View, server: str | None = None) -> str:
    """Names by server, as `list_tools` shows them; what does not fit on one page is counted, with where to find it."""
    registry = view.registry
    lines = list_tools(registry, {} if server is None else {"server": server}).split("\n")
    tools = registry.catalog.tools if server is None else registry.servers[server].tools
    left = tools[limits.LISTED_NAMES :]
    if not left:
        return "\n".join(lines)
    how = ": search_tools finds them by what they do" if "search_tools" in view.surface.builtin_tools else ""
    of = f", of {_counted(left)}; {SCHEME}server/NAME names those of one server" if server is None else how
    return "\n".join([*lines[:-1], f"and {len(left)} more{of}"])


def _counted(tools: Sequence[catalog.Tool]) -> str:
    counts = Counter(tool.server for tool in tools)
    shown = [f"{safetext.for_terminal(name)} ({count})" for name, count in list(counts.items())[:_LEFT]]
    others = f" and {len(counts) - _LEFT} more servers" if len(counts) > _LEFT else ""
    return f"{', '.join(shown)}{others}"


async def _read_tools(view: View, _session: Session, _value: str) -> str:
    if view.empty:
        return server_states.no_servers(view.scope)
    return "\n".join([inventory(view), *server_states.not_known(server_states.why_not_up(view.scope))])


async def _read_tool(view: View, _session: Session, name: str) -> str:
    try:
        return tool_info(view.registry, {"name": name})
    except errors.WrongArguments:
        server = name.partition(".")[0]
        why = server_states.why_not_up(view.scope).get(server)
        if why is not None:
            raise errors.WrongArguments(server_states.not_up(server, why)) from None
        raise


def _tool_names(view: View) -> Iterable[str]:
    registry = view.registry
    return map(registry.names.certain, registry.catalog.tools)


TOOLS = BuiltinResource("tools", "Tools", "Names of all tools, by server.", _read_tools)
TOOL = BuiltinResource(
    "tool",
    "One tool",
    "How to call a tool: name as server.tool.",
    _read_tool,
    variable="name",
    values=_tool_names,
)


_SHOWN_NAME = 100  # characters of a name that does not exist


async def states(view: View, session: Session) -> str:
    """One line for each server, then what the less obvious states mean."""
    if view.empty:
        return server_states.no_servers(view.scope)
    took = await latencies(view, session)
    rows = view.scope.status()
    lines = [server_states.state_line(view.scope, row, took.get(row["server"])) for row in rows]
    said = {row["state"] for row in rows}
    lines += server_states.absent_lines(view.scope)
    return "\n".join(
        [*lines, *(meaning for state, meaning in server_states.MEANINGS.items() if state in said)]
    )


async def _read_servers(view: View, session: Session, _value: str) -> str:
    return await states(view, session)


async def _read_server(view: View, session: Session, name: str) -> str:
    took = (await latencies(view, session)).get(name)  # first: servers may come and go meanwhile
    row = next((each for each in view.scope.status() if each["server"] == name), None)
    if row is None:
        raise errors.WrongArguments(view.registry.why_absent(name) or _no_such_server(view, name))
    offered = view.registry.servers.get(name)
    lines = [server_states.state_line(view.scope, row, took)]
    if row["protocol"]:
        lines.append(f"protocol: {safetext.for_terminal(row['protocol'], _SHOWN_NAME)}")
    if offered is not None:
        purpose = about(offered)
        lines += [*([f"for: {purpose}"] if purpose else []), inventory(view, name)]
    return "\n".join(lines)


def _no_such_server(view: View, name: str) -> str:
    if view.empty:
        return server_states.no_servers(view.scope)
    names = list(view.upstreams)
    nearest = f" Nearest: {', '.join(nearest_of(name, names))}." if names else ""
    return f'There is no server "{safetext.for_terminal(name, _SHOWN_NAME)}".{nearest}'


def _server_names(view: View) -> Iterable[str]:
    return view.upstreams


SERVERS = BuiltinResource(
    "servers", "Servers", "State of every server, its tools and how long it takes.", _read_servers
)
SERVER = BuiltinResource(
    "server",
    "One server",
    "State of a server, what it is for, how long it takes, its tools.",
    _read_server,
    variable="name",
    values=_server_names,
)


async def _read_health(view: View, session: Session, _value: str) -> str:
    """The health of this gateway alone: others of the same process belong to other configs."""
    scope, whole = view.scope, view.scope is view.gateway
    pins = pin_problems(scope.registry, view.gateway.settings) if whole else []
    state = {
        "status": "ok",
        "sessions": _sessions(view, session),
        "servers": [_cleaned(row) for row in scope.status()],
        "absent": [
            {"server": safetext.for_terminal(name), "why": safetext.for_terminal(why)}
            for name, why in scope.registry.absent.items()
        ],
        "notes": [*scope.notes, *pins],
    }
    return json.dumps(state, separators=(",", ":"))


def _sessions(view: View, asking: Session) -> int:
    """How many clients are connected; other principals than the user of this machine see their own."""
    every = asking.principal is access.LOCAL_USER
    return sum(every or each.principal == asking.principal for each in view.gateway.sessions)


def _cleaned(row: Mapping[str, Any]) -> dict[str, Any]:
    return {
        key: safetext.for_terminal(value) if isinstance(value, str) else value for key, value in row.items()
    }


HEALTH = BuiltinResource(
    "health", "Health", "How the gateway and its servers are, as JSON.", _read_health, JSON
)
