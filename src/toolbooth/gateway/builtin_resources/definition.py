"""One built-in resource and one built-in prompt: the row in a list, and the function that answers it.

A resource with a variable in its URI is a template. `values` are what completion suggests for a variable or
an argument.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from toolbooth.gateway.session import Session
from toolbooth.gateway.surfaces.view import View

SCHEME: Final = "toolbooth://"
PLAIN: Final = "text/plain"
JSON: Final = "application/json"

Read = Callable[[View, Session, str], Awaitable[str]]
Values = Callable[[View], Iterable[str]]


def _no_values(_view: View) -> Iterable[str]:
    return ()


@dataclass(frozen=True)
class BuiltinResource:
    """One page. `read` gets the value of the template's variable, or nothing if there is none.

    `read` raises WrongArguments for a value that does not exist; `values` are those worth suggesting.
    """

    path: str
    title: str
    description: str
    read: Read
    mime: str = PLAIN
    variable: str = ""
    values: Values = _no_values

    @property
    def uri(self) -> str:
        """The URI as it is listed; that of a template ends in its variable."""
        return f"{SCHEME}{self.path}/{{{self.variable}}}" if self.variable else f"{SCHEME}{self.path}"

    @property
    def entry(self) -> dict[str, Any]:
        """The row in `resources/list` or `resources/templates/list`."""
        return {
            "uriTemplate" if self.variable else "uri": self.uri,
            "name": self.path,
            "title": self.title,
            "description": self.description,
            "mimeType": self.mime,
        }


def is_builtin(uri: str) -> bool:
    """Whether a URI belongs to the gateway; no server can own one of these, whatever it lists."""
    return uri.startswith(SCHEME)


Say = Callable[[View, Session, Mapping[str, str]], Awaitable[str]]


@dataclass(frozen=True)
class PromptArgument:
    """What a person fills in; `values` are those worth suggesting."""

    name: str
    description: str
    values: Callable[[View], Iterable[str]]

    @property
    def entry(self) -> dict[str, Any]:
        """The argument as the protocol lists it; all arguments of built-in prompts are required."""
        return {"name": self.name, "description": self.description, "required": True}


@dataclass(frozen=True)
class BuiltinPrompt:
    """One prompt; `say` raises WrongArguments if an argument is missing."""

    name: str
    title: str
    description: str
    say: Say
    arguments: tuple[PromptArgument, ...] = ()

    @property
    def entry(self) -> dict[str, Any]:
        """The row in the answer to `prompts/list`."""
        row: dict[str, Any] = {"name": self.name, "title": self.title, "description": self.description}
        return {**row, "arguments": [each.entry for each in self.arguments]} if self.arguments else row
