"""The Python names by which code calls servers and tools; `tools["…"]` reaches those without one."""

import builtins
import keyword
import re
from collections.abc import Iterable, Mapping
from typing import Final, TypeVar

from toolbooth.catalog import Catalog, ServerTools, Tool

TOOLS: Final = "tools"
HOST_NAMES: Final = frozenset({TOOLS, "search_tools", "read_result"})
_NOT_PYTHON: Final = re.compile(r"[^A-Za-z0-9_]")
_Named = TypeVar("_Named")


def identifier(name: str) -> str | None:
    """A name in letters, digits and `_`, as Python requires; None where too little of it is left."""
    text = _NOT_PYTHON.sub("_", name)
    if not any(character.isalnum() for character in text):
        return None
    text = f"_{text}" if text[0].isdigit() else text
    return f"{text}_" if keyword.iskeyword(text) else text


def _by_identifier(named: Iterable[tuple[str, _Named]]) -> dict[str, _Named]:
    """A tool whose name is already the identifier gets it; if several are only converted to it, none gets it."""
    exact: dict[str, _Named] = {}
    others: dict[str, list[_Named]] = {}
    for name, each in named:
        python = identifier(name)
        if python == name:
            exact[name] = each
        elif python is not None:
            others.setdefault(python, []).append(each)
    alone = {python: each[0] for python, each in others.items() if len(each) == 1}
    return {**alone, **exact}


class Namespace:
    """All tools of a catalog by the names that code may use; a server's tools are read when it is first named."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        named = _by_identifier((each.server, each) for each in catalog.servers)
        taken = HOST_NAMES | {name for name in dir(builtins) if name in named}
        self.servers: Mapping[str, ServerTools] = {
            name: each for name, each in named.items() if name not in taken
        }
        self._tools: dict[str, dict[str, Tool]] = {}

    def tools_of(self, server: str) -> Mapping[str, Tool]:
        """The tools of a server by Python name; `server` is a Python name itself."""
        if server not in self._tools:
            self._tools[server] = _by_identifier((tool.name, tool) for tool in self.servers[server].tools)
        return self._tools[server]

    def by_id(self, name: str) -> Tool | None:
        """The tool with this id, or with this Python name."""
        server, _, bare = name.partition(".")
        if server in self.servers and bare in self.tools_of(server):
            return self.tools_of(server)[bare]
        found = (each for each in self._catalog.servers if each.server == server)
        return next((tool for each in found for tool in each.tools if tool.name == bare), None)

    def every_tool(self) -> dict[str, Tool]:
        """All tools by id, for code that chooses a tool while it runs."""
        return {tool.id: tool for tool in self._catalog.tools}
