"""What a server tells clients of different capabilities → what all of them may find, and what each may see."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from toolbooth.catalog import ServerTools, SetAside, Tool
from toolbooth.catalog.connect import Face
from toolbooth.gateway.arguments import judged
from toolbooth.gateway.backends import key_of
from toolbooth.gateway.surfaces import slim_ahead

_NEEDS_TASKS = "it can only be called as a task, which the gateway does not pass on"


class Offers:
    """The lists of one server, one for each set of capabilities that it was asked with.

    Some servers offer tools only to clients that can be asked something; one list must not hide the other's.
    """

    def __init__(self) -> None:
        self._lists: dict[str, ServerTools] = {}

    def take(self, tools: ServerTools, face: Face) -> ServerTools:
        """A new list; gives back all that any client may call, the newest definitions first."""
        key = key_of(face.capabilities)
        self._lists.pop(key, None)
        self._lists = {key: tools, **self._lists}
        everything = {tool.name: tool for each in reversed(self._lists.values()) for tool in each.tools}
        order = dict.fromkeys(tool.name for each in self._lists.values() for tool in each.tools)
        return replace(tools, tools=tuple(everything[name] for name in order))

    def shows(self, name: str, face: Face) -> bool:
        """Whether the server told this tool to such clients; where it was never asked for them, it may have."""
        own = self._lists.get(key_of(face.capabilities)) if len(self._lists) > 1 else None
        return own is None or any(tool.name == name for tool in own.tools)


def callable_tools(tools: ServerTools) -> ServerTools:
    """Without those that can only be called as tasks."""
    kept = tuple(tool for tool in tools.tools if not _needs_tasks(tool))
    if len(kept) == len(tools.tools):
        return tools
    gone = tuple(
        SetAside(tools.server, tool.name, _NEEDS_TASKS) for tool in tools.tools if _needs_tasks(tool)
    )
    return replace(tools, tools=kept, set_aside=(*tools.set_aside, *gone))


def work_ahead(tools: ServerTools, slim: bool) -> None:
    """What a first list or call would wait for, to be done in a thread while nobody waits."""
    for tool in tools.tools:
        judged(tool)
    if slim:
        slim_ahead(tools.tools)


def _needs_tasks(tool: Tool) -> bool:
    execution: Any = tool.wire.get("execution") if tool.wire else None
    return isinstance(execution, Mapping) and execution.get("taskSupport") == "required"
