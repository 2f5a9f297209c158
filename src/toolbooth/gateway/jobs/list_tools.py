"""`list_tools`: the names of all tools, grouped by server, a page at a time."""

from collections.abc import Mapping
from itertools import groupby
from typing import Any, Final

from toolbooth.catalog import Tool
from toolbooth.errors import WrongArguments
from toolbooth.gateway.book import Book
from toolbooth.gateway.jobs.arguments import Arguments
from toolbooth.gateway.jobs.job import TEXT, Job
from toolbooth.gateway.jobs.search_tools import known_server
from toolbooth.limits import LISTED_NAMES
from toolbooth.safetext import for_terminal

NAME: Final = "list_tools"
_PARAMETERS: Final = {"server": TEXT, "cursor": TEXT}


def answer(book: Book, given: Mapping[str, Any]) -> str:
    """One line a server; the last line says how to go on, where there is more."""
    arguments = Arguments(NAME, given, _PARAMETERS)
    server = known_server(book, arguments.optional_text("server"))
    tools = book.catalog.tools if server is None else book.servers[server].tools
    start = _place(book, tools, arguments.optional_text("cursor"))
    page = tools[start : start + LISTED_NAMES]
    if not page:
        held = book.held_note(server)
        return held[0] if held else "No tools are known yet; the servers may still be starting."
    lines = [_line(server, list(names)) for server, names in groupby(page, lambda tool: tool.server)]
    left = len(tools) - start - len(page)
    if left:
        following = book.names.certain(tools[start + len(page)])
        within = f'server="{for_terminal(server)}", ' if server else ""
        lines.append(f'{left} more: list_tools({within}cursor="{following}")')
    return "\n".join(lines)


def _line(server: str, tools: list[Tool]) -> str:
    return f"{for_terminal(server)}: {', '.join(for_terminal(tool.name) for tool in tools)}"


def _place(book: Book, tools: tuple[Tool, ...], cursor: str | None) -> int:
    """A cursor is the name of the next tool: it holds when others come and go."""
    if cursor is None:
        return 0
    found = book.find(cursor)
    place = next((at for at, tool in enumerate(tools) if tool is found), None)
    if place is None:
        raise WrongArguments(
            f"the cursor of {NAME} is not valid any more; call it without one to start again"
        )
    return place


JOB: Final = Job(NAME, "Names of all tools, by server.", _PARAMETERS, answer=answer)
