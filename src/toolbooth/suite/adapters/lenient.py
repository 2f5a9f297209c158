"""Values of a foreign JSON document → what should stand there, or nothing where it is something else."""

from collections.abc import Mapping
from typing import Any

from toolbooth.catalog import NotJson, decode
from toolbooth.errors import UserMistake
from toolbooth.suite.adapters.tool_names import ToolNames
from toolbooth.suite.trace import MadeCall


def map_of(value: object) -> Mapping[str, Any]:
    """A map, or an empty one."""
    return value if isinstance(value, Mapping) else {}


def list_of(value: object) -> list[Any]:
    """A list, or an empty one."""
    return value if isinstance(value, list) else []


def text_of(value: object) -> str:
    """A text, or an empty one."""
    return value if isinstance(value, str) else ""


def count_of(value: object) -> int:
    """A number of tokens; providers write it as a number, OTLP as text."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 16:
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def structured(value: object) -> Any:
    """A value that may have been written as JSON into a text."""
    if not isinstance(value, str):
        return value
    try:
        return decode(value.encode("utf-8", "replace"))
    except NotJson:
        return value


def spoken(content: object) -> str:
    """The text of a message: as it stands, or of all its parts that are text."""
    if isinstance(content, str):
        return content
    parts = (map_of(part) for part in list_of(content))
    return "\n".join(
        text for part in parts if (text := text_of(part.get("text")) or text_of(part.get("content")))
    )


def made_call(name: object, server: object, arguments: object, names: ToolNames) -> MadeCall:
    """One call; without a name it cannot be scored, and leaving it out would flatter the agent."""
    if not isinstance(name, str) or not name:
        raise UserMistake("a tool call in it has no name")
    found = (text_of(server), name) if text_of(server) else names.split(name)
    return MadeCall(found[1], found[0], map_of(structured(arguments)))
