"""One tool of a menu: its wire definition, and what it answers from the book."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from toolbooth.gateway.book import Book
from toolbooth.safetext import for_terminal

TEXT: Final[Mapping[str, Any]] = {"type": "string"}
NUMBER: Final[Mapping[str, Any]] = {"type": "integer"}
FLAG: Final[Mapping[str, Any]] = {"type": "boolean"}
_SHOWN: Final = 5
OBJECT: Final[Mapping[str, Any]] = {"type": "object"}


def choice(*values: str) -> dict[str, Any]:
    """One of these words."""
    return {"enum": list(values)}


Answer = Callable[[Book, Mapping[str, Any]], str]


@dataclass(frozen=True)
class Job:
    """A menu tool. `answer` is None where it needs more than the book: whoever runs the gateway answers then.

    Wrong arguments raise `WrongArguments`.
    """

    name: str
    description: str
    parameters: Mapping[str, Mapping[str, Any]] = field(hash=False)
    required: tuple[str, ...] = ()
    read_only: bool = True
    answer: Answer | None = None
    also: tuple[str, ...] = ()  # arguments that are taken, but are not worth their tokens in the definition

    def unknown(self, given: Iterable[str]) -> list[str]:
        """Arguments that would have no effect."""
        return [key for key in given if key not in self.parameters and key not in self.also]

    def ignored(self, unknown: Sequence[str]) -> str:
        """The line that says so: some clients add arguments of their own to every call, so it is no refusal."""
        names = ", ".join(f"`{for_terminal(key, 60)}`" for key in unknown[:_SHOWN])
        more = f" and {len(unknown) - _SHOWN} more" if len(unknown) > _SHOWN else ""
        return f"note: {self.name} has no {names}{more}: ignored. It takes {', '.join(self.parameters)}."

    @cached_property
    def definition(self) -> dict[str, Any]:
        """The entry of `tools/list`; hints are for the client's questions to its user, no model reads them."""
        schema: dict[str, Any] = {"type": "object", "properties": dict(self.parameters)}
        if self.required:
            schema["required"] = list(self.required)
        definition: dict[str, Any] = {
            "name": self.name,
            "description": self.description,
            "inputSchema": schema,
        }
        if self.read_only:
            definition["annotations"] = {"readOnlyHint": True}
        return definition
