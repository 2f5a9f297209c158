"""The Python names by which code calls servers and tools, and those that a piece of code mentions.

`tools["…"]` reaches those without a name. Mentioned names are found by regular expressions, not by a parser: those in
strings and comments are found too, which costs a line in a stub. A parser would be one more thing that hostile code
could break.
"""

import builtins
import keyword
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeVar

from toolbooth import catalog
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


# Modules that the sandbox has and that code is likely to forget to import.
FAMILIAR: Final = (
    "asyncio",
    "collections",
    "datetime",
    "functools",
    "itertools",
    "json",
    "math",
    "random",
    "re",
    "time",
)
_NAME: Final = re.compile(r"(?<![\w.])([A-Za-z_]\w*)(?:\s*\.\s*([A-Za-z_]\w*))?")
_CHOSEN: Final = re.compile(r"(?<![\w.])tools\s*\[\s*(?:\"([^\"\n]*)\"|'([^'\n]*)')\s*\]")
_ANY_CHOICE: Final = re.compile(r"(?<![\w.])tools\b")
_IMPORTED: Final = re.compile(  # `\s` at the start would scan each of 60,000 empty lines 60,000 times
    r"^[ \t]*(?:import|from)[ \t]+([^\n#]*)", re.MULTILINE
)


@dataclass(frozen=True)
class Mentions:
    """`tools` by server and name as written; `chosen` as `tools["…"]`; `missing` are names that no tool has.

    `any_tool`: `tools` is used without a literal name, so that any tool may be meant.
    """

    tools: dict[str, dict[str, catalog.Tool]] = field(default_factory=dict)
    chosen: dict[str, catalog.Tool] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    chooses: bool = False
    any_tool: bool = False
    functions: frozenset[str] = frozenset()
    modules: tuple[str, ...] = ()


def mentions(code: str, names: Namespace) -> Mentions:
    """One pass over the code for names, and one for choices by text."""
    tools: dict[str, dict[str, catalog.Tool]] = {}
    missing: dict[str, None] = {}
    written: set[str] = set()
    for match in _NAME.finditer(code):
        name, attribute = match.groups()
        written.add(name)
        if name not in names.servers:
            continue
        known = names.tools_of(name)
        found = tools.setdefault(name, {})
        if attribute is None:  # passed as a value, or `from server import …`: any of its tools may be meant
            found.update(known)
        elif attribute in known:
            found[attribute] = known[attribute]
        else:
            missing[f"{name}.{attribute}"] = None
    chosen, unknown = _chosen(code, names)
    return Mentions(
        tools,
        chosen,
        (*missing, *unknown),
        TOOLS in written,
        len(_ANY_CHOICE.findall(code)) > len(_CHOSEN.findall(code)),
        (HOST_NAMES - {TOOLS}) & written,
        _familiar(code, written, names),
    )


def _chosen(code: str, names: Namespace) -> tuple[dict[str, catalog.Tool], list[str]]:
    written = {match[1] or match[2] or "" for match in _CHOSEN.finditer(code)}
    found = {text: names.by_id(text) for text in sorted(written)}
    return (
        {text: tool for text, tool in found.items() if tool is not None},
        [text for text, tool in found.items() if tool is None],
    )


def _familiar(code: str, written: set[str], names: Namespace) -> tuple[str, ...]:
    imported = set(re.findall(r"\w+", " ".join(_IMPORTED.findall(code))))
    return tuple(
        name for name in FAMILIAR if name in written and name not in imported and name not in names.servers
    )
