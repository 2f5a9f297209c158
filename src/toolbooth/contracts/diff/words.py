"""A schema → the words in it that models read and validators do not, each by its place."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from toolbooth.contracts.diff.schemas import FORMATS
from toolbooth.limits import MAX_SCHEMA_VALUES


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_MAPS: Final = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies")
_LISTS: Final = ("anyOf", "oneOf", "allOf", "prefixItems", "items")
_ONE: Final = _words(
    "items additionalItems additionalProperties propertyNames not if then else contains "
    "unevaluatedItems unevaluatedProperties contentSchema"
)
# Keywords that are compared by what they accept, or that only say how the schema itself is to be read.
_ASSERTED: Final = _words(
    "type enum const minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength "
    "maxLength pattern minItems maxItems uniqueItems minContains maxContains required "
    "minProperties maxProperties dependentRequired contentEncoding contentMediaType $ref "
    "$dynamicRef $recursiveRef $schema $id id $anchor $dynamicAnchor $recursiveAnchor $vocabulary"
)
_SILENT: Final = {
    "deprecated": False,
    "readOnly": False,
    "writeOnly": False,
    "examples": [],
    "description": "",
}
ORDERED: Final = (
    "required",
    "enum",
)  # lists in which order means nothing; that it changed is told all the same


class Place(NamedTuple):
    """A keyword of the schema at this pointer."""

    schema: str
    keyword: str


Notes = dict[Place, Any]


def notes_of(root: Any) -> Notes:
    """Every word in a schema that no validator reads, by its place; a schema past all size is one word."""
    found: Notes = {}
    waiting: list[tuple[str, Any]] = [("", root)]
    left = MAX_SCHEMA_VALUES
    while waiting:
        pointer, schema = waiting.pop()
        if not isinstance(schema, Mapping):
            continue
        left -= len(schema)
        if left < 0:
            return {Place("", "the whole schema"): root}
        for word, value in schema.items():
            inner = list(_inside(word, value))
            waiting += ((f"{pointer}/{step}", part) for step, part in inner)
            if not inner and _is_note(word, value):
                found[Place(pointer, word)] = value
    return found


def _inside(word: str, value: Any) -> Iterator[tuple[str, Any]]:
    """The schemas in a keyword, with the steps to them."""
    if word in _MAPS and isinstance(value, Mapping):
        yield from ((f"{word}/{_escaped(str(name))}", part) for name, part in value.items())
    elif word in _LISTS and isinstance(value, list):
        yield from ((f"{word}/{index}", part) for index, part in enumerate(value))
    elif word in _ONE and isinstance(value, Mapping | bool):
        yield word, value


def _is_note(word: str, value: Any) -> bool:
    if word == "format":
        return not (isinstance(value, str) and value in FORMATS)
    if word in ORDERED:
        return isinstance(value, list)
    known = word in _ASSERTED or word in _MAPS or word in _LISTS or word in _ONE
    return not known and not (word in _SILENT and _SILENT[word] == value)


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
