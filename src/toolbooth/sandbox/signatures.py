"""The help for a line of code with a mistake: signatures of the tools that it names, or of those with similar names."""

import builtins
import re
from collections.abc import Callable, Sequence
from typing import Final

from toolbooth import catalog, limits, safetext, search, suggest
from toolbooth.sandbox.names import Mentions, Namespace, identifier, mentions

_NEAREST: Final = 3
_AN_ID: Final = re.compile(r"(?<![\w.-])([A-Za-z_][\w-]*+\.[A-Za-z_][\w-]*+)\s*+\(")
_A_CALL: Final = re.compile(r"(?<![\w.])([A-Za-z_]\w*)\s*\(")
_NO_SERVER: Final = ("asyncio.", "json.", "re.", "math.", "os.", "sys.")
_SHOWN: Final = 4  # signatures below one line


def help_with(names: Namespace, mentioned: Mentions) -> Callable[[str], Sequence[str]]:
    """For each line: the signatures of its tools; for a name that no tool has, of the nearest ones."""

    def lines(source: str) -> Sequence[str]:
        here = mentions(source, names)
        tools = [tool for found in here.tools.values() for tool in found.values()]
        wrong = [name for name in here.missing if name in mentioned.missing] + _strange(
            source, names, bool(tools)
        )
        near = [tool for name in wrong for tool in _nearest(name, names)]
        shown = near if wrong else [*tools, *here.chosen.values()] if len(tools) <= _SHOWN else []
        return [f"    {signature_in_code(tool, names)}" for tool in shown[:_SHOWN]]

    return lines


def _strange(source: str, names: Namespace, has_tools: bool) -> list[str]:
    """What looks like a tool call and is not one: an id as other clients write it, or an unknown server."""
    if has_tools:
        return []
    written = [match[1] for match in _AN_ID.finditer(source) if not match[1].startswith(_NO_SERVER)]
    bare = [match[1] for match in _A_CALL.finditer(source) if not hasattr(builtins, match[1])]
    return [name for name in (*written, *bare) if name.partition(".")[0] not in names.servers][:_SHOWN]


def signature_in_code(tool: catalog.Tool, names: Namespace) -> str:
    """`tickets.get_ticket(key*)`, or `tools["my-server.get-x"](…)` where the name is not a Python identifier."""
    called = search.signature(tool)
    shown = safetext.for_terminal(tool.id)
    server, bare = identifier(tool.server) or "", identifier(tool.name) or ""
    python = server in names.servers and names.tools_of(server).get(bare) is tool
    return called.replace(shown, f"{server}.{bare}" if python else f'tools["{shown}"]', 1)


def _nearest(name: str, names: Namespace) -> list[catalog.Tool]:
    """The tools with the most similar names, of the same server if that exists."""
    server, _, bare = name.partition(".")
    if len(name) > limits.MAX_FUZZY_NAME:  # no misspelling of anything
        return []
    if server in names.servers:
        known = names.tools_of(server)
        found = suggest.closest(bare, known, _NEAREST, _ALIKE)
        return [known[each] for each in found] or list(known.values())[:_NEAREST]
    everyone = names.every_tool()
    return [everyone[each] for each in suggest.closest(name, everyone, _NEAREST, _ALIKE)]


_ALIKE: Final = 40.0
