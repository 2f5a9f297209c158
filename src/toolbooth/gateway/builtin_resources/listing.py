"""All built-in resources, templates and prompts in the order of their lists; reading one by its URI; completion."""

from collections.abc import Iterable, Mapping
from operator import itemgetter
from typing import Any, Final, NamedTuple
from urllib.parse import unquote

from toolbooth.errors import WrongArguments
from toolbooth.gateway.builtin_resources.definition import SCHEME, BuiltinPrompt, BuiltinResource
from toolbooth.gateway.builtin_resources.ledger_pages import RECENT, RECENT_N, STATS
from toolbooth.gateway.builtin_resources.prompts import DISCOVER, FIND_TOOL, SERVER_STATUS
from toolbooth.gateway.builtin_resources.server_pages import (
    HEALTH,
    OVERVIEW,
    SERVER,
    SERVERS,
    TOOL,
    TOOLS,
    nearest_of,
)
from toolbooth.gateway.session import Session
from toolbooth.gateway.surfaces.view import View
from toolbooth.limits import MAX_ASKED_NAME, MAX_COMPLETIONS
from toolbooth.safetext import for_terminal

RESOURCES: Final[Mapping[str, BuiltinResource]] = {
    each.uri: each for each in (OVERVIEW, SERVERS, TOOLS, RECENT, STATS, HEALTH)
}
TEMPLATES: Final[Mapping[str, BuiltinResource]] = {each.uri: each for each in (TOOL, SERVER, RECENT_N)}
PROMPTS: Final[Mapping[str, BuiltinPrompt]] = {
    each.name: each for each in (DISCOVER, FIND_TOOL, SERVER_STATUS)
}


def entries(listed: Mapping[str, BuiltinResource] | Mapping[str, BuiltinPrompt]) -> list[dict[str, Any]]:
    """The rows as the protocol lists them."""
    return [each.entry for each in listed.values()]


_URI = 120  # characters of a URI that does not exist


class FoundResource(NamedTuple):
    """A resource, and the value of its variable."""

    resource: BuiltinResource
    value: str


async def read_builtin(view: View, session: Session, uri: str) -> dict[str, Any]:
    """The content, under the URI that was asked for; raises WrongArguments if there is none."""
    found = find_resource(uri)
    text = await found.resource.read(view, session, found.value)
    return {"uri": uri, "mimeType": found.resource.mime, "text": text}


def find_resource(uri: str) -> FoundResource:
    """The resource of a URI; raises WrongArguments with the URIs that are spelled most like it."""
    asked = uri[: len(SCHEME) + MAX_ASKED_NAME].rstrip("/")
    fixed = RESOURCES.get(asked)
    if fixed is not None:
        return FoundResource(fixed, "")
    path, _, value = asked.removeprefix(SCHEME).partition("/")
    template = next((each for each in TEMPLATES.values() if each.path == path and value), None)
    if template is not None:
        return FoundResource(template, unquote(value))
    known = [*RESOURCES, *TEMPLATES]
    raise WrongArguments(
        f"There is no resource {for_terminal(uri, _URI)}. Nearest: {', '.join(nearest_of(asked, known))}."
    )


def completion(values: Iterable[str], typed: str) -> dict[str, Any]:
    """Values that begin with the text, then those with a part that does, then those that contain it, in any case."""
    wanted = typed[:MAX_ASKED_NAME].casefold()
    ranked = [(_rank(value.casefold(), wanted), value) for value in values]
    fitting = [value for rank, value in sorted(ranked, key=itemgetter(0)) if rank < _NO_MATCH]
    shown = fitting[:MAX_COMPLETIONS]
    return {"values": shown, "total": len(fitting), "hasMore": len(fitting) > len(shown)}


def _rank(value: str, wanted: str) -> int:
    ways = (value.startswith(wanted), f".{wanted}" in value or f" {wanted}" in value, wanted in value)
    return next((rank for rank, fits in enumerate(ways) if fits), _NO_MATCH)


_NO_MATCH = 3
