"""Entries of a tool list → tools; what is no tool is set aside and named, the rest stays."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from toolbooth.catalog.tool import MalformedTool, ServerTools, SetAside, Tool
from toolbooth.limits import MAX_TOOLS

_TWICE: Final = "the name stands twice; the first one is kept"


def sort_entries(server: str, entries: Sequence[Any], *, cut: str = "", **about: Any) -> ServerTools:
    """Read each entry by itself: a malformed one, and a name that came before, are set aside.

    `cut` says why the list ended before its end, if it did.
    """
    tools: dict[str, Tool] = {}
    aside: list[SetAside] = []
    for entry in entries[:MAX_TOOLS]:
        try:
            tool = Tool.from_wire(server, entry)
        except MalformedTool as error:
            aside.append(SetAside(server, _name_of(entry), str(error)))
            continue
        if tool.name in tools:
            aside.append(SetAside(server, tool.name, _TWICE, "duplicate"))
            continue
        tools[tool.name] = tool
    if len(entries) > MAX_TOOLS:
        cut = cut or f"only the first {MAX_TOOLS} of its tools are read"
    if cut:
        aside.append(SetAside(server, "", cut, "cut"))
    return ServerTools(server, tuple(tools.values()), set_aside=tuple(aside), **about)


def _name_of(entry: object) -> str:
    name = entry.get("name") if isinstance(entry, Mapping) else None
    return name if isinstance(name, str) else ""
