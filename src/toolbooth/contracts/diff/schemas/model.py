"""The objects of a schema comparison: subschemas with their pointers, flat schemas, differences.

A `FlatSchema` has one field for each thing that keywords can say, whatever their notation. Local references are
followed; nothing is ever fetched.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from functools import cached_property
from typing import Any, Final, NamedTuple

from toolbooth.schema import pointer_parts, resolve_local


class Relation(Enum):
    """How what is accepted after stands to what was accepted before."""

    EQUAL = "equal"
    WIDER = "widened"
    NARROWER = "narrowed"
    CHANGED = "changed"  # neither contains the other
    UNCLEAR = "unclear"  # it cannot be told

    @property
    def mirrored(self) -> "Relation":
        """The same, looked at from the other side."""
        return {Relation.WIDER: Relation.NARROWER, Relation.NARROWER: Relation.WIDER}.get(self, self)


class Difference(NamedTuple):
    """`facet` is what differs (`type`, `bounds`, `field-added`, …), `label` the place in the data: `filter.tags[]`.

    `pointer` leads to the keyword in the definition after the change, or before it where it went away.
    """

    facet: str
    relation: Relation
    label: str
    pointer: str
    keyword: str = ""
    before: Any = None
    after: Any = None


class ComparisonTooLarge(Exception):
    """More work than a comparison is worth: too many parts, or too deep."""


_OLD = ("draft-03", "draft-04", "draft-06", "draft-07")
_UNCONDITIONAL = ("draft-03", "draft-04", "draft-06")
_LISTS = (*_OLD, "2019-09")


class SchemaDocument:
    """One whole schema; `place` is its own pointer in the tool's wire object."""

    def __init__(self, root: Any, place: str) -> None:
        self.root, self.place = root, place
        said = root.get("$schema") if isinstance(root, Mapping) else None
        self.conditions = not (
            isinstance(said, str) and any(name in said for name in _UNCONDITIONAL)
        )  # has `if`
        # Up to draft 7 nothing that stands beside `$ref` counts. MCP reads a schema without `$schema` as 2020-12.
        self.old = isinstance(said, str) and any(name in said for name in _OLD)
        self.lists = isinstance(said, str) and any(name in said for name in _LISTS)  # `items` may be a list

    @property
    def whole(self) -> "Subschema":
        """The schema itself."""
        return Subschema(self, self.root, self.place)

    @cached_property
    def anchors(self) -> dict[str, "Subschema"]:
        """Where `#name` leads; a name that stands twice leads nowhere."""
        found: dict[str, Subschema | None] = {}
        for subschema in self._all():
            for word in ("$anchor", "$dynamicAnchor"):
                name = subschema.schema.get(word)
                if isinstance(name, str):
                    found[name] = None if name in found else subschema
        return {name: subschema for name, subschema in found.items() if subschema is not None}

    @cached_property
    def has_inner_ids(self) -> bool:
        """Whether a part of it has an address of its own, against which its references would be read."""
        return any(
            isinstance(subschema.schema.get("$id"), str) and subschema.schema is not self.root
            for subschema in self._all()
        )

    def _all(self) -> Iterator["Subschema"]:
        waiting = [self.whole]
        while waiting:
            subschema = waiting.pop()
            if isinstance(subschema.schema, Mapping):
                yield subschema
                waiting += (subschema.at(str(key)) for key in subschema.schema)
            elif isinstance(subschema.schema, list):
                waiting += (subschema.at(index) for index in range(len(subschema.schema)))


class Subschema(NamedTuple):
    """One part of a document."""

    document: SchemaDocument
    schema: Any
    pointer: str

    def at(self, *steps: str | int) -> "Subschema":
        """A part of this one."""
        here, pointer = self.schema, self.pointer
        for step in steps:
            here = here[step]
            pointer += "/" + str(step).replace("~", "~0").replace("/", "~1")
        return Subschema(self.document, here, pointer)

    def follow(self, ref: Any) -> "Subschema | None":
        """What a local reference leads to; None for another document, or nowhere."""
        document = self.document
        if not isinstance(ref, str) or document.has_inner_ids:
            return None
        parts = pointer_parts(ref)
        if parts is None:
            return document.anchors.get(ref[1:]) if ref.startswith("#") else None
        target = resolve_local(document.root, ref)
        if not isinstance(target, Mapping | bool):
            return None
        escaped = (part.replace("~", "~0").replace("/", "~1") for part in parts)
        return Subschema(document, target, "/".join((document.place, *escaped)))


Subschemas = tuple[Subschema, ...]
"""Schemas that all hold for the same value; none at all is: anything."""


Key = tuple[int, ...]


def key_of(subschemas: Subschemas) -> Key:
    """What tells these spots from others while their documents live."""
    return tuple(id(subschema.schema) for subschema in subschemas)


# Kinds of values that do not overlap: a whole number is `integer`, any other number `fraction`.
ATOMS: Final = frozenset(("null", "boolean", "integer", "fraction", "string", "array", "object"))
NUMBERS: Final = frozenset(("integer", "fraction"))
FINITE: Final = frozenset(("null", "boolean"))
_TYPES: Final = {"number": NUMBERS, **{name: frozenset((name,)) for name in ATOMS - {"fraction"}}}


class Bound(NamedTuple):
    """The end of a range of numbers, as it is written and exactly."""

    raw: float
    exact: Fraction
    exclusive: bool


class Rest(NamedTuple):
    """What no field holds: a choice, a negation, a condition, a reference that leads nowhere here.

    `parts` are the schemas in it, `text` all else that it says.
    """

    kind: str
    parts: tuple[Subschemas, ...]
    text: str
    pointer: str


@dataclass
class FlatSchema:
    """All of it holds at once. None, empty and () ask for nothing; `at` says where a keyword stands."""

    pointer: str
    types: frozenset[str] = ATOMS
    values: dict[str, Any] | None = None
    minimum: Bound | None = None
    maximum: Bound | None = None
    multiples: frozenset[Fraction] = frozenset()
    counts: dict[str, int] = field(default_factory=dict)  # minLength … maxProperties
    patterns: frozenset[str] = frozenset()
    formats: frozenset[str] = frozenset()
    unique: bool = False
    prefix: tuple[Subschemas, ...] = ()
    items: Subschemas = ()
    properties: dict[str, Subschemas] = field(default_factory=dict)
    by_pattern: dict[str, Subschemas] = field(default_factory=dict)
    additional: Subschemas = ()
    required: frozenset[str] = frozenset()
    names: Subschemas = ()
    needs: dict[str, frozenset[str]] = field(default_factory=dict)
    rest: tuple[Rest, ...] = ()
    at: dict[str, str] = field(default_factory=dict)

    @property
    def never(self) -> bool:
        """Whether nothing at all is accepted."""
        return not self.types

    def where(self, keyword: str) -> str:
        """The pointer of a keyword, or the place where it would stand."""
        return self.at.get(keyword, f"{self.pointer}/{keyword}")

    def position(self, index: int) -> Subschemas:
        """What an item at that place must be."""
        return self.prefix[index] if index < len(self.prefix) else self.items


def atoms_of(name: Any) -> frozenset[str]:
    """The kinds that a type stands for; a type that there is not stands for none."""
    return _TYPES.get(name, frozenset()) if isinstance(name, str) else frozenset()


def atom_of(value: Any) -> str:
    """The kind of a value."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "integer" if isinstance(value, int) or value.is_integer() else "fraction"
    return "string" if isinstance(value, str) else "object" if isinstance(value, Mapping) else "array"


def type_words(atoms: frozenset[str]) -> list[str]:
    """The kinds as JSON Schema names them."""
    words = (atoms - NUMBERS) | ({"number"} if "fraction" in atoms else atoms & {"integer"})
    return sorted(words)
