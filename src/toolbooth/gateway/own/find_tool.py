"""The prompt `find_tool`: a task in words → the tools that a search finds for it, ready to be called."""

import re
from collections.abc import Iterable, Mapping

from toolbooth.errors import WrongArguments
from toolbooth.gateway.aside import aside
from toolbooth.gateway.caller import Session
from toolbooth.gateway.jobs.search_tools import answer as search_tools
from toolbooth.gateway.own.overview import how_text
from toolbooth.gateway.own.prompt import Argument, OwnPrompt
from toolbooth.gateway.own.state import not_up
from toolbooth.gateway.view import View, no_servers
from toolbooth.limits import MAX_QUERY, QUICK_QUERY
from toolbooth.safetext import for_terminal

_BETWEEN = re.compile(r"[_\W]+|(?<=[a-z])(?=[A-Z])")
_PHRASE = 60  # characters


async def _say(view: View, session: Session, given: Mapping[str, str]) -> str:
    """Waits for servers that were never seen before, as long as a search does."""
    task = given.get("task")
    if not isinstance(task, str) or not task.strip():
        raise WrongArguments('find_tool needs `task`, in words, as in "create an issue"')
    gateway = view.gateway
    if not gateway.backends:
        return no_servers(view.gateway)
    await gateway.ready(session)
    await gateway.book.warm()
    hits = await aside(len(task), search_tools, gateway.book, {"query": task}, quick=QUICK_QUERY)
    found = "\n".join([hits, *not_up(gateway)])
    return "\n\n".join(
        [f"Task: {task[:MAX_QUERY]}", f"Tools that may do it; * is required:\n{found}", how_text(view)]
    )


def _phrases(view: View) -> Iterable[str]:
    """What tools do, as their names say it."""
    spoken = (" ".join(_BETWEEN.split(tool.name)).strip().lower() for tool in view.gateway.book.catalog.tools)
    return dict.fromkeys(for_terminal(phrase, _PHRASE) for phrase in spoken if phrase)


FIND_TOOL = OwnPrompt(
    "find_tool",
    "Find a tool",
    "Search all servers for tools that do a task.",
    _say,
    (Argument("task", "What is to be done, in words.", _phrases),),
)
