"""The texts of a tool that are searched, field by field."""

import re
from collections.abc import Iterator, Mapping
from enum import IntEnum
from itertools import islice
from typing import Any, NamedTuple

from toolbooth import catalog, limits
from toolbooth.schema import mapping, properties_of
from toolbooth.search.languages import in_english

_MAX_DEPTH = 4
_FOREIGN = re.compile(r"[^\W\d_a-zA-Z]")


class Field(IntEnum):
    """The fields in the order in which their matches are named."""

    NAME = 0
    SERVER = 1
    DESCRIPTION = 2
    PARAMETERS = 3
    PARAMETER_DESCRIPTIONS = 4
    ABOUT = 5


class DescribedProperty(NamedTuple):
    """One property of an input schema, at any depth."""

    name: str
    description: str


def field_texts(tool: catalog.Tool) -> tuple[str, str, str, str, str]:
    """Name, server, description, parameter names and parameter descriptions of one tool."""
    parameters = list(islice(_parameters(tool.input_schema, _MAX_DEPTH), limits.MAX_PARAMETERS))
    return (
        tool.name[: limits.MAX_FIELD_TEXT],
        tool.server[: limits.MAX_FIELD_TEXT],
        _in_english(f"{_title(tool)} {tool.description}".strip()[: limits.MAX_FIELD_TEXT]),
        " ".join(each.name for each in parameters)[: limits.MAX_FIELD_TEXT],
        " ".join(each.description for each in parameters)[: limits.MAX_FIELD_TEXT],
    )


def _in_english(text: str) -> str:
    """A description in another language is found by English words, too."""
    if text.isascii() or not _FOREIGN.search(text):
        return text
    return f"{text} {in_english(text)}".rstrip()


def _title(tool: catalog.Tool) -> str:
    """A display title, unless it only repeats the name."""
    annotations = tool.annotations if isinstance(tool.annotations, Mapping) else {}
    title = tool.raw.get("title") or annotations.get("title")
    if not isinstance(title, str) or title in (tool.name, tool.description):
        return ""
    return title


def _parameters(schema: Any, depth: int) -> Iterator[DescribedProperty]:
    """Properties of a schema, of its array items and of nested objects; anything malformed is passed over."""
    if not isinstance(schema, Mapping) or depth == 0:
        return
    for name, inner in properties_of(schema).items():
        said = mapping(inner).get("description")
        yield DescribedProperty(str(name), said if isinstance(said, str) else "")
        yield from _parameters(inner, depth - 1)
    yield from _parameters(schema.get("items"), depth - 1)
