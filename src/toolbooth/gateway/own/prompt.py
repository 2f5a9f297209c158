"""A prompt of the gateway's own: its row in the list, and the words that it puts before a model."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from toolbooth.gateway.caller import Session
from toolbooth.gateway.view import View

Say = Callable[[View, Session, Mapping[str, str]], Awaitable[str]]


@dataclass(frozen=True)
class Argument:
    """What a person fills in; `values` are those worth offering."""

    name: str
    description: str
    values: Callable[[View], Iterable[str]]

    @property
    def entry(self) -> dict[str, Any]:
        """Every argument of ours is needed."""
        return {"name": self.name, "description": self.description, "required": True}


@dataclass(frozen=True)
class OwnPrompt:
    """`say` raises WrongArguments where an argument is missing."""

    name: str
    title: str
    description: str
    say: Say
    arguments: tuple[Argument, ...] = ()

    @property
    def entry(self) -> dict[str, Any]:
        """Its row in `prompts/list`."""
        row: dict[str, Any] = {"name": self.name, "title": self.title, "description": self.description}
        return {**row, "arguments": [each.entry for each in self.arguments]} if self.arguments else row
