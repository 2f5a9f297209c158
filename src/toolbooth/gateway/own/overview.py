"""The gateway → `toolbooth://overview`: which servers there are, what each is for, and how to use them."""

from toolbooth.gateway.caller import Session
from toolbooth.gateway.own.about import about
from toolbooth.gateway.own.resource import SCHEME, OwnResource
from toolbooth.gateway.own.state import absent_lines, tool_count, why_not_up
from toolbooth.gateway.view import View, no_servers
from toolbooth.limits import OVERVIEW_SERVERS

_USES = {
    "search_tools": 'search_tools(query="what you want to do") finds tools; a tool\'s exact name gives its definition.',
    "call_tool": 'call_tool(name="server.tool", arguments={…}) calls one.',
    "call_tool_chain": 'call_tool_chain(code="await server.tool(argument=…)") calls many in one go, from Python.',
    "read_result": 'read_result(ref="…") reads what an answer left out.',
}


def servers_text(view: View) -> str:
    """A heading and a line for each server."""
    gateway = view.gateway
    known, missing = gateway.book.servers, why_not_up(gateway)
    total = sum(len(each.tools) for each in known.values())
    lines = [f"{_server_count(len(gateway.backends))}, {tool_count(total)}:"]
    for name in list(gateway.backends)[:OVERVIEW_SERVERS]:
        if name in missing:
            lines.append(f"{name}: not up ({missing[name]})")
        else:
            told = about(known[name])
            lines.append(f"{name}: {tool_count(len(known[name].tools))}{f' — {told}' if told else ''}")
    more = len(gateway.backends) - OVERVIEW_SERVERS
    lines += [f"and {more} more: {SCHEME}servers"] if more > 0 else []
    return "\n".join([*lines, *absent_lines(gateway)])


def _server_count(count: int) -> str:
    return "1 server" if count == 1 else f"{count} servers"


def how_text(view: View) -> str:
    """What the tools of this menu are for; where the servers' own tools stand in it, how they are named."""
    jobs = view.surface.jobs
    if jobs:
        return "\n".join(use for job, use in _USES.items() if job in jobs)
    return "Every tool stands in the menu" + ("." if view.gateway.single else ", named server__tool.")


async def _read(view: View, _session: Session, _value: str) -> str:
    if not view.gateway.backends:
        return no_servers(view.gateway)
    more = f"More: {SCHEME}servers, {SCHEME}tools, {SCHEME}server/NAME, {SCHEME}tool/NAME"
    return "\n\n".join([servers_text(view), how_text(view), more])


OVERVIEW = OwnResource(
    "overview", "Overview", "The servers behind this gateway, what each is for, how to use them.", _read
)
