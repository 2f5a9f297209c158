"""A `toolbooth://` URI → the row that answers it, and the name in it where the row is a template."""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

from toolbooth.gateway.caller import Session
from toolbooth.gateway.view import View

SCHEME: Final = "toolbooth://"
PLAIN: Final = "text/plain"
JSON: Final = "application/json"

Read = Callable[[View, Session, str], Awaitable[str]]
Values = Callable[[View], Iterable[str]]


def _none(_view: View) -> Iterable[str]:
    return ()


@dataclass(frozen=True)
class OwnResource:
    """One thing to read. `read` gets the value of the template's variable, or nothing where there is none.

    `read` raises WrongArguments where nothing goes by that value; `values` are those worth offering.
    """

    path: str
    title: str
    description: str
    read: Read
    mime: str = PLAIN
    variable: str = ""
    values: Values = _none

    @property
    def uri(self) -> str:
        """As it is listed; that of a template ends in its variable."""
        return f"{SCHEME}{self.path}/{{{self.variable}}}" if self.variable else f"{SCHEME}{self.path}"

    @property
    def entry(self) -> dict[str, Any]:
        """Its row in `resources/list` or `resources/templates/list`."""
        return {
            "uriTemplate" if self.variable else "uri": self.uri,
            "name": self.path,
            "title": self.title,
            "description": self.description,
            "mimeType": self.mime,
        }


def is_own(uri: str) -> bool:
    """Whether a URI is one of the gateway's; no server's is, whatever it says."""
    return uri.startswith(SCHEME)
