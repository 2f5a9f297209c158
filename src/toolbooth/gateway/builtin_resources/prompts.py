"""The built-in prompts: `discover`, `find_tool` and `server_status`."""

import re
from collections.abc import Iterable, Mapping

from toolbooth.errors import WrongArguments
from toolbooth.gateway.builtin_resources.definition import BuiltinPrompt, PromptArgument
from toolbooth.gateway.builtin_resources.server_pages import how_text, servers_text, states
from toolbooth.gateway.builtin_tools.find_tools import search_answer as search_tools
from toolbooth.gateway.offload import offload
from toolbooth.gateway.server_states import no_servers, not_known, why_not_up
from toolbooth.gateway.session import Session
from toolbooth.gateway.surfaces.view import View
from toolbooth.limits import MAX_QUERY, QUICK_QUERY
from toolbooth.safetext import for_terminal

_HABIT = "Before you say that something cannot be done, search for a tool."


async def _discover(view: View, _session: Session, _given: Mapping[str, str]) -> str:
    if not view.gateway.upstreams:
        return no_servers(view.gateway)
    habit = [_HABIT] if "search_tools" in view.surface.builtin_tools else []
    return "\n\n".join(["These tools are within reach.", servers_text(view), how_text(view), *habit])


DISCOVER = BuiltinPrompt(
    "discover", "Discover the tools", "Which servers are here, what each is for, how to use them.", _discover
)


_BETWEEN = re.compile(r"[_\W]+|(?<=[a-z])(?=[A-Z])")
_PHRASE = 60  # characters


async def _find_tool(view: View, session: Session, given: Mapping[str, str]) -> str:
    """Waits for servers that were never seen before, as long as a search does."""
    task = given.get("task")
    if not isinstance(task, str) or not task.strip():
        raise WrongArguments('find_tool needs `task`, in words, as in "create an issue"')
    gateway = view.gateway
    if not gateway.upstreams:
        return no_servers(view.gateway)
    await gateway.ready(session)
    await gateway.registry.warm()
    hits = await offload(len(task), search_tools, gateway.registry, {"query": task}, quick=QUICK_QUERY)
    found = "\n".join([hits, *not_known(why_not_up(gateway))])
    return "\n\n".join(
        [f"Task: {task[:MAX_QUERY]}", f"Tools that may do it; * is required:\n{found}", how_text(view)]
    )


def _phrases(view: View) -> Iterable[str]:
    """What tools do, as their names say it."""
    spoken = (
        " ".join(_BETWEEN.split(tool.name)).strip().lower() for tool in view.gateway.registry.catalog.tools
    )
    return dict.fromkeys(for_terminal(phrase, _PHRASE) for phrase in spoken if phrase)


FIND_TOOL = BuiltinPrompt(
    "find_tool",
    "Find a tool",
    "Search all servers for tools that do a task.",
    _find_tool,
    (PromptArgument("task", "What is to be done, in words.", _phrases),),
)


_TASK = "Tell me in a few words which of these servers are well, which are not, and what I can do about it."


async def _server_status(view: View, _session: Session, _given: Mapping[str, str]) -> str:
    return f"{_TASK}\n\n{await states(view)}"


SERVER_STATUS = BuiltinPrompt(
    "server_status", "Status of the servers", "How each server is, and why.", _server_status
)
