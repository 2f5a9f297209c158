"""A fault of code × tools held back and servers that cannot be used → the fault with a line on each that it names."""

import re
from itertools import groupby
from typing import Final

from toolbooth.catalog import Catalog, ServerTools
from toolbooth.errors import CodeFault
from toolbooth.gateway.book import Book
from toolbooth.gateway.texts.faults import absent_server
from toolbooth.sandbox import Namespace, identifier

_NAMED: Final = re.compile(r"(?<![\w-])[\w-]++\.[\w-]++")
_MOST: Final = 3  # lines


def with_held_back(fault: CodeFault, code: str, book: Book) -> CodeFault:
    """To the sandbox such a tool does not exist; whoever wrote its name should know why."""
    lines = [*_absent_lines(code, book), *_held_lines(code, book)]
    if not lines:
        return fault
    told = type(fault)("\n".join([*lines, str(fault)]))
    told.printed = fault.printed
    return told


def _absent_lines(code: str, book: Book) -> list[str]:
    """Servers that the code names and nobody can use. A variable may have the same name, so nothing is refused."""
    named = [each for each in book.absent if f"{each}." in code or f"{identifier(each)}." in code]
    return [absent_server(book.why_absent(server)) for server in named[:_MOST]]


def _held_lines(code: str, book: Book) -> list[str]:
    held = book.held()
    if not held:
        return []
    servers = (ServerTools(server, tuple(tools)) for server, tools in groupby(held, lambda tool: tool.server))
    names = Namespace(Catalog(tuple(servers)))
    written = dict.fromkeys(_NAMED.findall(code))
    named = {tool.id: tool for name in written if (tool := names.by_id(name)) is not None}
    return [one.why for tool_id in list(named)[:_MOST] if (one := book.held_back(tool_id)) is not None]
