"""The book → `toolbooth://tools`, the names of all tools by server, and `toolbooth://tool/{name}`, how to call one."""

from collections import Counter
from collections.abc import Iterable, Sequence

from toolbooth.catalog import Tool
from toolbooth.errors import WrongArguments
from toolbooth.gateway.caller import Session
from toolbooth.gateway.jobs.list_tools import answer as list_tools
from toolbooth.gateway.jobs.tool_info import answer as tool_info
from toolbooth.gateway.own.resource import SCHEME, OwnResource
from toolbooth.gateway.own.state import not_up, why_not_up
from toolbooth.gateway.view import View, no_servers
from toolbooth.limits import LISTED_NAMES
from toolbooth.safetext import for_terminal

_LEFT = 12  # servers whose names are left out, and said


def inventory(view: View, server: str | None = None) -> str:
    """Names by server, as `list_tools` has them; what is too much for one page is said with where it stands."""
    book = view.gateway.book
    lines = list_tools(book, {} if server is None else {"server": server}).split("\n")
    tools = book.catalog.tools if server is None else book.servers[server].tools
    left = tools[LISTED_NAMES:]
    if not left:
        return "\n".join(lines)
    how = ": search_tools finds them by what they do" if "search_tools" in view.surface.jobs else ""
    of = f", of {_counted(left)}; {SCHEME}server/NAME names those of one server" if server is None else how
    return "\n".join([*lines[:-1], f"and {len(left)} more{of}"])


def _counted(tools: Sequence[Tool]) -> str:
    counts = Counter(tool.server for tool in tools)
    shown = [f"{for_terminal(name)} ({count})" for name, count in list(counts.items())[:_LEFT]]
    others = f" and {len(counts) - _LEFT} more servers" if len(counts) > _LEFT else ""
    return f"{', '.join(shown)}{others}"


async def _all(view: View, _session: Session, _value: str) -> str:
    gateway = view.gateway
    if not gateway.backends:
        return no_servers(view.gateway)
    return "\n".join([inventory(view), *not_up(gateway)])


async def _one(view: View, _session: Session, name: str) -> str:
    try:
        return tool_info(view.gateway.book, {"name": name})
    except WrongArguments:
        server = name.partition(".")[0]
        why = why_not_up(view.gateway).get(server)
        if why is not None:
            raise WrongArguments(f"{for_terminal(server)} is configured but not up: {why}") from None
        raise


def _names(view: View) -> Iterable[str]:
    book = view.gateway.book
    return map(book.names.certain, book.catalog.tools)


TOOLS = OwnResource("tools", "Tools", "Names of all tools, by server.", _all)
TOOL = OwnResource(
    "tool", "One tool", "How to call a tool: name as server.tool.", _one, variable="name", values=_names
)
