"""A `toolbooth://` URI → what stands there now; servers are neither asked nor waited for."""

from typing import Any, NamedTuple
from urllib.parse import unquote

from toolbooth.errors import WrongArguments
from toolbooth.gateway.caller import Session
from toolbooth.gateway.own.listing import RESOURCES, TEMPLATES
from toolbooth.gateway.own.nearest import nearest_of
from toolbooth.gateway.own.resource import SCHEME, OwnResource
from toolbooth.gateway.view import View
from toolbooth.limits import MAX_ASKED_NAME
from toolbooth.safetext import for_terminal

_URI = 120  # characters of a URI that does not exist


class Found(NamedTuple):
    """A row, and the value of its variable."""

    resource: OwnResource
    value: str


async def read_own(view: View, session: Session, uri: str) -> dict[str, Any]:
    """The content, under the URI that was asked for; raises WrongArguments where there is nothing."""
    found = find(uri)
    text = await found.resource.read(view, session, found.value)
    return {"uri": uri, "mimeType": found.resource.mime, "text": text}


def find(uri: str) -> Found:
    """The row of a URI; raises WrongArguments with those that are spelled most like it."""
    asked = uri[: len(SCHEME) + MAX_ASKED_NAME].rstrip("/")
    fixed = RESOURCES.get(asked)
    if fixed is not None:
        return Found(fixed, "")
    path, _, value = asked.removeprefix(SCHEME).partition("/")
    template = next((each for each in TEMPLATES.values() if each.path == path and value), None)
    if template is not None:
        return Found(template, unquote(value))
    known = [*RESOURCES, *TEMPLATES]
    raise WrongArguments(
        f"There is no resource {for_terminal(uri, _URI)}. Nearest: {', '.join(nearest_of(asked, known))}."
    )
