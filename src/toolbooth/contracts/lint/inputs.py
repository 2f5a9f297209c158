"""A tool's input schema → its inputs by name, each with what is said of it."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from toolbooth.catalog import Json, Tool, resolved


class Input(NamedTuple):
    """One property at the top of the input schema."""

    name: str
    schema: Json
    required: bool

    @property
    def path(self) -> str:
        """Its JSON pointer in the wire object."""
        return f"/inputSchema/properties/{self.name.replace('~', '~0').replace('/', '~1')}"

    @property
    def description(self) -> str:
        """What is said of it, nothing where that is no text."""
        text = self.schema.get("description")
        return text.strip() if isinstance(text, str) else ""


def inputs_of(tool: Tool) -> Iterator[Input]:
    """Every input; one that refers to a definition has the description of that, unless it has its own."""
    schema = tool.input_schema or {}
    properties = schema.get("properties")
    required = schema.get("required")
    named = (
        frozenset(name for name in required if isinstance(name, str))
        if isinstance(required, list)
        else frozenset()
    )
    for name, inner in properties.items() if isinstance(properties, Mapping) else ():
        if isinstance(name, str) and isinstance(inner, Mapping):
            yield Input(name, _whole(inner, schema), name in named)


def _whole(inner: Json, root: Json) -> Json:
    target = resolved(root, inner)
    return {**target, **inner} if isinstance(target, Mapping) else inner
