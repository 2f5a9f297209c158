"""One tool of a menu: its wire definition, and what it answers from the book."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from toolbooth.gateway.book import Book

TEXT: Final[Mapping[str, Any]] = {"type": "string"}
NUMBER: Final[Mapping[str, Any]] = {"type": "integer"}
FLAG: Final[Mapping[str, Any]] = {"type": "boolean"}
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
