"""The words of two schemas that models read and validators do not → what changed of them, wherever they stand."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from toolbooth.catalog import canonical, resolve_local
from toolbooth.contracts.change import Change
from toolbooth.contracts.diff.made import change, named
from toolbooth.contracts.diff.schema_changes import INPUT, Direction
from toolbooth.contracts.diff.words import ORDERED, Notes, Place, notes_of

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
    old, new = Words.of(before), Words.of(after)
    for place in sorted({**old.notes, **new.notes}):
        values = old.notes.get(place), new.notes.get(place)
        if canonical(values[0]) == canonical(values[1]) or _under(place.schema, fields):
            continue
        told = _reordered(*values) if place.keyword in ORDERED else not _moved(place, old, new)
        if told:
            yield _change(server, tool, place, *values, direction)


class Words(NamedTuple):
    """All words of a schema; `said` are the same by what they say."""

    root: Any
    notes: Notes
    said: frozenset[tuple[str, str]]

    @classmethod
    def of(cls, root: Any) -> "Words":
        """Read them."""
        notes = notes_of(root)
        return cls(
            root, notes, frozenset((place.keyword, canonical(value)) for place, value in notes.items())
        )

    def at(self, pointer: str) -> Any:
        """The schema at a place."""
        return resolve_local(self.root, "#" + pointer.replace("%", "%25"))

    def elsewhere(self, other: "Words", place: Place) -> bool:
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


def _moved(place: Place, old: Words, new: Words) -> bool:
    """A schema may stand elsewhere now, by reference or in another order: then the same words do, too."""
    parts = [words.at(place.schema) for words in (old, new)]
    both = all(isinstance(part, Mapping) and "$ref" not in part for part in parts)
    if both and not _NUMBERED.search(f"{place.schema}/"):
        return False
    return old.elsewhere(new, place) and new.elsewhere(old, place)


def _change(server: str, tool: str, place: Place, one: Any, other: Any, direction: Direction) -> Change:
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
