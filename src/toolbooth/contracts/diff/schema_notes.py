"""Notes in schemas: titles, descriptions, defaults and other words that models read and validators do not.

A note that only moved with its schema is not a change; a note that says something else is.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from toolbooth.catalog import canonical
from toolbooth.contracts.change import Change
from toolbooth.contracts.diff.rules import change, named
from toolbooth.contracts.diff.schema_changes import INPUT, Direction
from toolbooth.contracts.diff.schemas import FORMATS
from toolbooth.limits import MAX_SCHEMA_VALUES
from toolbooth.schema import resolve_local


def _word_set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_MAPS: Final = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies")
_LISTS: Final = ("anyOf", "oneOf", "allOf", "prefixItems", "items")
_ONE: Final = _word_set(
    "items additionalItems additionalProperties propertyNames not if then else contains "
    "unevaluatedItems unevaluatedProperties contentSchema"
)
# Keywords that are compared by what they accept, or that only say how the schema itself is to be read.
_ASSERTED: Final = _word_set(
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


class NoteLocation(NamedTuple):
    """A keyword of the schema at this pointer."""

    schema: str
    keyword: str


Notes = dict[NoteLocation, Any]


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
            return {NoteLocation("", "the whole schema"): root}
        for word, value in schema.items():
            inner = list(_inside(word, value))
            waiting += ((f"{pointer}/{step}", part) for step, part in inner)
            if not inner and _is_note(word, value):
                found[NoteLocation(pointer, word)] = value
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


_BLANKS: Final = re.compile(r"[ \t\r\n]+")
_NUMBERED: Final = re.compile(r"/(?:anyOf|oneOf|allOf|prefixItems|items)/\d+(?:/|$)")
_RULES: Final = {
    "default": "default-changed",
    "title": "schema-title-changed",
    "required": "order-changed",
    "enum": "order-changed",
}


def note_changes(
    server: str, tool: str, before: Any, after: Any, direction: Direction, elsewhere: Iterable[str]
) -> Iterator[Change]:
    """`elsewhere` are the pointers of fields that came or went: their words came or went with them."""
    fields = {pointer.removeprefix(direction.place) for pointer in elsewhere}
    old, new = SchemaNotes.of(before), SchemaNotes.of(after)
    for place in sorted({**old.notes, **new.notes}):
        values = old.notes.get(place), new.notes.get(place)
        if canonical(values[0]) == canonical(values[1]) or _under(place.schema, fields):
            continue
        told = _reordered(*values) if place.keyword in ORDERED else not _moved(place, old, new)
        if told:
            yield _change(server, tool, place, *values, direction)


class SchemaNotes(NamedTuple):
    """All words of a schema; `said` are the same by what they say."""

    root: Any
    notes: Notes
    said: frozenset[tuple[str, str]]

    @classmethod
    def of(cls, root: Any) -> "SchemaNotes":
        """Read them."""
        notes = notes_of(root)
        return cls(
            root, notes, frozenset((place.keyword, canonical(value)) for place, value in notes.items())
        )

    def at(self, pointer: str) -> Any:
        """The schema at a place."""
        return resolve_local(self.root, "#" + pointer.replace("%", "%25"))

    def elsewhere(self, other: "SchemaNotes", place: NoteLocation) -> bool:
        """Whether what stands here at this place is said anywhere in the other."""
        return place not in self.notes or (place.keyword, canonical(self.notes[place])) in other.said


def _reordered(one: Any, other: Any) -> bool:
    both = isinstance(one, list) and isinstance(other, list)
    return both and sorted(map(canonical, one)) == sorted(map(canonical, other))


def _under(pointer: str, fields: set[str]) -> bool:
    """Whether it is one of the fields, or inside one."""
    while pointer and pointer not in fields:
        pointer = pointer.rpartition("/")[0]
    return pointer in fields


def _moved(place: NoteLocation, old: SchemaNotes, new: SchemaNotes) -> bool:
    """A schema may stand elsewhere now, by reference or in another order: then the same words do, too."""
    parts = [words.at(place.schema) for words in (old, new)]
    both = all(isinstance(part, Mapping) and "$ref" not in part for part in parts)
    if both and not _NUMBERED.search(f"{place.schema}/"):
        return False
    return old.elsewhere(new, place) and new.elsewhere(old, place)


def _change(
    server: str, tool: str, place: NoteLocation, one: Any, other: Any, direction: Direction
) -> Change:
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
