"""The words of two schemas that models read and validators do not → what changed of them, wherever they stand."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from toolbooth.catalog import canonical, resolve_local
from toolbooth.contracts.change import Change
from toolbooth.contracts.diff.made import change, named
from toolbooth.contracts.diff.schema_changes import INPUT, Direction
from toolbooth.contracts.diff.schemas import FORMATS
from toolbooth.limits import MAX_SCHEMA_VALUES

_MAPS: Final = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies")
_LISTS: Final = ("anyOf", "oneOf", "allOf", "prefixItems", "items")
_ONE: Final = frozenset(
    [
        "items",
        "additionalItems",
        "additionalProperties",
        "propertyNames",
        "not",
        "if",
        "then",
        "else",
        "contains",
        "unevaluatedItems",
        "unevaluatedProperties",
        "contentSchema",
    ]
)
# Keywords that are compared by what they accept, or that only say how the schema itself is to be read.
_ASSERTED: Final = frozenset(
    [
        "type",
        "enum",
        "const",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "minLength",
        "maxLength",
        "pattern",
        "minItems",
        "maxItems",
        "uniqueItems",
        "minContains",
        "maxContains",
        "required",
        "minProperties",
        "maxProperties",
        "dependentRequired",
        "contentEncoding",
        "contentMediaType",
        "$ref",
        "$dynamicRef",
        "$recursiveRef",
        "$schema",
        "$id",
        "id",
        "$anchor",
        "$dynamicAnchor",
        "$recursiveAnchor",
        "$vocabulary",
    ]
)
_BLANKS: Final = re.compile(r"[ \t\r\n]+")
_NUMBERED: Final = re.compile(r"/(?:anyOf|oneOf|allOf|prefixItems|items)/\d+(?:/|$)")
_SILENT: Final = {
    "deprecated": False,
    "readOnly": False,
    "writeOnly": False,
    "examples": [],
    "description": "",
}
_RULES: Final = {"default": "default-changed", "title": "schema-title-changed"}


class _Place(NamedTuple):
    """A keyword of the schema at this pointer."""

    schema: str
    keyword: str


Notes = dict[_Place, Any]


def note_changes(
    server: str, tool: str, before: Any, after: Any, direction: Direction, elsewhere: Iterable[str]
) -> Iterator[Change]:
    """`elsewhere` are the pointers of fields that came or went: their words came or went with them."""
    inside = tuple(elsewhere)
    old, new = notes_of(before), notes_of(after)
    for place in sorted({**old, **new}):
        pointer = f"{direction.place}{place.schema}"
        one, other = old.get(place), new.get(place)
        if canonical(one) == canonical(other) or _under(pointer, inside):
            continue
        if _moved(place, old, new, before, after):
            continue
        yield _change(server, tool, place, one, other, direction)


def _under(pointer: str, fields: tuple[str, ...]) -> bool:
    return any(pointer == field or pointer.startswith(f"{field}/") for field in fields)


def _moved(place: _Place, old: Notes, new: Notes, before: Any, after: Any) -> bool:
    """A schema may stand elsewhere now, by reference or in another order: then the same words do, too."""
    parts = [resolve_local(root, f"#{place.schema}") for root in (before, after)]
    both = all(isinstance(part, Mapping) and "$ref" not in part for part in parts)
    if both and not _NUMBERED.search(f"{place.schema}/"):
        return False
    sides = ((old, new), (new, old))
    return all(
        place not in here or any(_same(place, here, other, there) for other in there) for here, there in sides
    )


def _same(place: _Place, here: Notes, other: _Place, there: Notes) -> bool:
    return other.keyword == place.keyword and canonical(here[place]) == canonical(there[other])


def _change(server: str, tool: str, place: _Place, one: Any, other: Any, direction: Direction) -> Change:
    rule = _RULES.get(place.keyword, "note-changed")
    if place.keyword == "description":
        rule = "parameter-description-changed" if direction is INPUT else "output-description-changed"
        if isinstance(one, str) and isinstance(other, str) and reflowed(one) == reflowed(other):
            rule = "description-reflowed"
    pointer = f"{direction.place}{place.schema}/{place.keyword}"
    what = label_of(place.schema)
    words = {"what": named(what) if what else direction.whole, "keyword": place.keyword}
    return change(rule, server, tool, pointer, one, other, **words)


def reflowed(text: str) -> str:
    """The same for the same words, whatever stands between them."""
    return _BLANKS.sub(" ", text).strip()


def label_of(pointer: str) -> str:
    """`/properties/filter/properties/tags/items` → `filter.tags[]`, as near as a pointer tells."""
    label, steps = "", iter(pointer.split("/")[1:])
    for step in steps:
        if step in ("properties", "$defs", "definitions", "patternProperties", "dependentSchemas"):
            name = next(steps, "").replace("~1", "/").replace("~0", "~")
            label = f"{label}.{name}" if label else name
        elif step in ("items", "additionalItems", "contains"):
            label += "[]"
        elif step in ("prefixItems",):
            label += f"[{next(steps, '')}]"
        elif step == "additionalProperties":
            label = f"{label}.*" if label else "*"
    return label


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
            return {_Place("", "the whole schema"): root}
        for word, value in schema.items():
            inner = list(_inside(word, value))
            waiting += ((f"{pointer}/{step}", part) for step, part in inner)
            if not inner and _is_note(word, value):
                found[_Place(pointer, word)] = value
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
    known = word in _ASSERTED or word in _MAPS or word in _LISTS or word in _ONE
    return not known and not (word in _SILENT and _SILENT[word] == value)


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
