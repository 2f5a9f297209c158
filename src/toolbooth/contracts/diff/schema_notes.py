"""Notes in schemas: titles, descriptions, defaults and other texts that models read and validators do not.

A note that only moved with its schema is not a change; a note that says something else is.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from toolbooth import catalog, limits
from toolbooth.contracts.change import Change
from toolbooth.contracts.diff.rules import change, named
from toolbooth.contracts.diff.schema_changes import INPUT, Direction
from toolbooth.contracts.diff.schemas import FORMATS
from toolbooth.schema import (
    ASSERTIONS,
    CONTENT,
    IDENTITY,
    REFERENCES,
    SUBSCHEMAS_IN_ANY,
    path_of,
    pointer,
    resolve_path,
    unescaped,
    walk,
)

# Keywords that are compared by what they accept, or that only say how the schema itself is to be read.
_ASSERTED: Final = ASSERTIONS.union(CONTENT, REFERENCES, IDENTITY)
_SILENT: Final = {
    "deprecated": False,
    "readOnly": False,
    "writeOnly": False,
    "examples": [],
    "description": "",
}
# Lists in which order means nothing; a new order is reported all the same.
ORDERED: Final = ("required", "enum")


class NoteLocation(NamedTuple):
    """A keyword of the schema at this pointer."""

    schema: str
    keyword: str


Notes = dict[NoteLocation, Any]


def notes_of(root: Any) -> Notes:
    """Every note in a schema by its location; a schema that is too large counts as one note."""
    found: Notes = {}
    left = limits.MAX_SCHEMA_VALUES
    for path, schema in walk(root):
        if isinstance(schema, bool):
            continue
        left -= len(schema)
        if left < 0:
            return {NoteLocation("", "the whole schema"): root}
        here = pointer(path)
        found |= {NoteLocation(here, word): value for word, value in schema.items() if _is_note(word, value)}
    return found


def _is_note(word: str, value: Any) -> bool:
    if word == "format":
        return not (isinstance(value, str) and value in FORMATS)
    if word in ORDERED:
        return isinstance(value, list)
    known = word in _ASSERTED or word in SUBSCHEMAS_IN_ANY
    return not known and not (word in _SILENT and _SILENT[word] == value)


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
    """`elsewhere` are the pointers of fields that were added or removed, and their notes with them."""
    fields = {pointer.removeprefix(direction.place) for pointer in elsewhere}
    old, new = SchemaNotes.of(before), SchemaNotes.of(after)
    for place in sorted({**old.notes, **new.notes}):
        values = old.notes.get(place), new.notes.get(place)
        if catalog.canonical(values[0]) == catalog.canonical(values[1]) or _under(place.schema, fields):
            continue
        reported = _reordered(*values) if place.keyword in ORDERED else not _moved(place, old, new)
        if reported:
            yield _change(server, tool, place, *values, direction)


class SchemaNotes(NamedTuple):
    """All notes of a schema; `said` are the same by keyword and text."""

    root: Any
    notes: Notes
    said: frozenset[tuple[str, str]]

    @classmethod
    def of(cls, root: Any) -> "SchemaNotes":
        """The notes of a schema."""
        notes = notes_of(root)
        return cls(
            root,
            notes,
            frozenset((place.keyword, catalog.canonical(value)) for place, value in notes.items()),
        )

    def at(self, place: str) -> Any:
        """The schema at a pointer."""
        return resolve_path(self.root, path_of(place))

    def elsewhere(self, other: "SchemaNotes", place: NoteLocation) -> bool:
        """Whether the note at this location occurs anywhere in the other schema."""
        return place not in self.notes or (place.keyword, catalog.canonical(self.notes[place])) in other.said


def _reordered(one: Any, other: Any) -> bool:
    both = isinstance(one, list) and isinstance(other, list)
    return both and sorted(map(catalog.canonical, one)) == sorted(map(catalog.canonical, other))


def _under(place: str, fields: set[str]) -> bool:
    """Whether a pointer leads to one of the fields, or into one."""
    while place and place not in fields:
        place = place.rpartition("/")[0]
    return place in fields


def _moved(place: NoteLocation, old: SchemaNotes, new: SchemaNotes) -> bool:
    """Whether a note only moved with its schema, by reference or to another position."""
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
    where = f"{direction.place}{place.schema}/{place.keyword}"
    what = label_of(place.schema)
    words = {"what": named(what) if what else direction.whole, "keyword": place.keyword}
    return change(rule, server, tool, where, one, other, **words)


def reflowed(text: str) -> str:
    """The text with every run of white space as one space."""
    return _BLANKS.sub(" ", text).strip()


def label_of(place: str) -> str:
    """A place in the data for a pointer: `filter.tags[]` for `/properties/filter/properties/tags/items`."""
    label, steps = "", iter(place.split("/")[1:])
    for step in steps:
        if step in ("properties", "$defs", "definitions", "patternProperties", "dependentSchemas"):
            name = unescaped(next(steps, ""))
            label = f"{label}.{name}" if label else name
        elif step in ("items", "additionalItems", "contains"):
            label += "[]"
        elif step in ("prefixItems",):
            label += f"[{next(steps, '')}]"
        elif step == "additionalProperties":
            label = f"{label}.*" if label else "*"
    return label
