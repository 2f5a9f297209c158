"""A fault of code × the tools that are held back → the fault with a line on each of them that the code names."""

import re
from itertools import groupby
from typing import Final

from toolbooth.catalog import Catalog, ServerTools
from toolbooth.errors import CodeFault
from toolbooth.gateway.book import Book
from toolbooth.sandbox import Namespace

_NAMED: Final = re.compile(r"(?<![\w-])[\w-]++\.[\w-]++")
_MOST: Final = 3  # lines


def with_held_back(fault: CodeFault, code: str, book: Book) -> CodeFault:
    """To the sandbox such a tool does not exist; whoever wrote its name should know why."""
    held = book.held()
    if not held:
        return fault
    servers = (ServerTools(server, tuple(tools)) for server, tools in groupby(held, lambda tool: tool.server))
    names = Namespace(Catalog(tuple(servers)))
    written = dict.fromkeys(_NAMED.findall(code))
    named = {tool.id: tool for name in written if (tool := names.by_id(name)) is not None}
    lines = [one.why for tool_id in list(named)[:_MOST] if (one := book.held_back(tool_id)) is not None]
    if not lines:
        return fault
    told = type(fault)("\n".join([*lines, str(fault)]))
    told.printed = fault.printed
    return told
