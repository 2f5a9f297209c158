"""The built-in prompts, and the lists of all built-in resources, templates and prompts; reading by URI; completion."""

import re
from collections.abc import Iterable, Mapping
from operator import itemgetter
from typing import Any, Final, NamedTuple
from urllib.parse import unquote

from toolbooth import errors, limits, safetext
from toolbooth.gateway import server_states
from toolbooth.gateway.builtin_resources import definition, ledger_pages, server_pages
from toolbooth.gateway.builtin_tools.find_tools import search_answer as search_tools
from toolbooth.gateway.offload import offload
from toolbooth.gateway.session import Session
from toolbooth.gateway.surfaces.view import View

_HABIT = "Before you say that something cannot be done, search for a tool."


async def _discover(view: View, _session: Session, _given: Mapping[str, str]) -> str:
    if view.empty:
        return server_states.no_servers(view.scope)
    habit = [_HABIT] if "search_tools" in view.surface.builtin_tools else []
    return "\n\n".join(
        [
            "These tools are within reach.",
            server_pages.servers_text(view),
            server_pages.how_text(view),
            *habit,
        ]
    )


DISCOVER = definition.BuiltinPrompt(
    "discover", "Discover the tools", "Which servers are here, what each is for, how to use them.", _discover
)


_BETWEEN = re.compile(r"[_\W]+|(?<=[a-z])(?=[A-Z])")
_PHRASE = 60  # characters


async def _find_tool(view: View, session: Session, given: Mapping[str, str]) -> str:
    """Waits for servers that were never seen before, as long as a search does."""
    task = given.get("task")
    if not isinstance(task, str) or not task.strip():
        raise errors.WrongArguments('find_tool needs `task`, in words, as in "create an issue"')
    if view.empty:
        return server_states.no_servers(view.scope)
    await view.gateway.ready(session)
    registry = view.registry
    await registry.warm()
    hits = await offload(len(task), search_tools, registry, {"query": task}, quick=limits.QUICK_QUERY)
    found = "\n".join([hits, *server_states.not_known(server_states.why_not_up(view.scope))])
    return "\n\n".join(
        [
            f"Task: {task[: limits.MAX_QUERY]}",
            f"Tools that may do it; * is required:\n{found}",
            server_pages.how_text(view),
        ]
    )


def _phrases(view: View) -> Iterable[str]:
    """What tools do, as their names say it."""
    spoken = (" ".join(_BETWEEN.split(tool.name)).strip().lower() for tool in view.registry.catalog.tools)
    return dict.fromkeys(safetext.for_terminal(phrase, _PHRASE) for phrase in spoken if phrase)


FIND_TOOL = definition.BuiltinPrompt(
    "find_tool",
    "Find a tool",
    "Search all servers for tools that do a task.",
    _find_tool,
    (definition.PromptArgument("task", "What is to be done, in words.", _phrases),),
)


_TASK = "Tell me in a few words which of these servers are well, which are not, and what I can do about it."


async def _server_status(view: View, session: Session, _given: Mapping[str, str]) -> str:
    return f"{_TASK}\n\n{await server_pages.states(view, session)}"


SERVER_STATUS = definition.BuiltinPrompt(
    "server_status", "Status of the servers", "How each server is, and why.", _server_status
)


RESOURCES: Final[Mapping[str, definition.BuiltinResource]] = {
    each.uri: each
    for each in (
        server_pages.OVERVIEW,
        server_pages.SERVERS,
        server_pages.TOOLS,
        ledger_pages.RECENT,
        ledger_pages.STATS,
        server_pages.HEALTH,
    )
}
TEMPLATES: Final[Mapping[str, definition.BuiltinResource]] = {
    each.uri: each for each in (server_pages.TOOL, server_pages.SERVER, ledger_pages.RECENT_N)
}
PROMPTS: Final[Mapping[str, definition.BuiltinPrompt]] = {
    each.name: each for each in (DISCOVER, FIND_TOOL, SERVER_STATUS)
}


def entries(
    listed: Mapping[str, definition.BuiltinResource] | Mapping[str, definition.BuiltinPrompt],
) -> list[dict[str, Any]]:
    """The rows as the protocol lists them."""
    return [each.entry for each in listed.values()]


_URI = 120  # characters of a URI that does not exist


class FoundResource(NamedTuple):
    """A resource, and the value of its variable."""

    resource: definition.BuiltinResource
    value: str


async def read_builtin(view: View, session: Session, uri: str) -> dict[str, Any]:
    """The content, under the URI that was asked for; raises WrongArguments if there is none."""
    found = find_resource(uri)
    text = await found.resource.read(view, session, found.value)
    return {"uri": uri, "mimeType": found.resource.mime, "text": text}


def find_resource(uri: str) -> FoundResource:
    """The resource of a URI; raises WrongArguments with the URIs that are spelled most like it."""
    asked = uri[: len(definition.SCHEME) + limits.MAX_ASKED_NAME].rstrip("/")
    fixed = RESOURCES.get(asked)
    if fixed is not None:
        return FoundResource(fixed, "")
    path, _, value = asked.removeprefix(definition.SCHEME).partition("/")
    template = next((each for each in TEMPLATES.values() if each.path == path and value), None)
    if template is not None:
        return FoundResource(template, unquote(value))
    known = [*RESOURCES, *TEMPLATES]
    raise errors.WrongArguments(
        f"There is no resource {safetext.for_terminal(uri, _URI)}. Nearest: "
        f"{', '.join(server_pages.nearest_of(asked, known))}."
    )


def completion(values: Iterable[str], typed: str) -> dict[str, Any]:
    """Values that begin with the text, then those with a part that does, then those that contain it, in any case."""
    wanted = typed[: limits.MAX_ASKED_NAME].casefold()
    ranked = [(_rank(value.casefold(), wanted), value) for value in values]
    fitting = [value for rank, value in sorted(ranked, key=itemgetter(0)) if rank < _NO_MATCH]
    shown = fitting[: limits.MAX_COMPLETIONS]
    return {"values": shown, "total": len(fitting), "hasMore": len(fitting) > len(shown)}


def _rank(value: str, wanted: str) -> int:
    ways = (value.startswith(wanted), f".{wanted}" in value or f" {wanted}" in value, wanted in value)
    return next((rank for rank, fits in enumerate(ways) if fits), _NO_MATCH)


_NO_MATCH = 3
