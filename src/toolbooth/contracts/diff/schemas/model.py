"""The objects of a schema comparison: sets of subschemas, flat schemas, differences.

A `FlatSchema` has one field for each thing that keywords can say, whatever their notation.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from typing import Any, Final, NamedTuple

from toolbooth import schema


class Relation(Enum):
    """How the set of accepted values after relates to that before."""

    EQUAL = "equal"
    WIDER = "widened"
    NARROWER = "narrowed"
    CHANGED = "changed"  # neither contains the other
    UNCLEAR = "unclear"  # undecidable

    @property
    def mirrored(self) -> "Relation":
        """The relation with before and after swapped."""
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
    """The schemas have too many parts, or are nested too deeply, to be compared."""


Subschemas = tuple[schema.Subschema, ...]
"""Schemas that all hold for the same value; the empty tuple accepts anything."""


Key = tuple[int, ...]


def key_of(subschemas: Subschemas) -> Key:
    """A key for these subschemas, unique while their documents exist."""
    return tuple(id(subschema.schema) for subschema in subschemas)


# Kinds of values that do not overlap: a whole number is `integer`, any other number `fraction`.
ATOMS: Final = frozenset(("null", "boolean", "integer", "fraction", "string", "array", "object"))
NUMBERS: Final = frozenset(("integer", "fraction"))
FINITE: Final = frozenset(("null", "boolean"))
_TYPES: Final = {**{name: frozenset((name,)) for name in schema.TYPES}, "number": NUMBERS}


class Bound(NamedTuple):
    """One end of a numeric range, as written and as an exact number."""

    raw: float
    exact: Fraction
    exclusive: bool


class Rest(NamedTuple):
    """A constraint that has no field: a choice, a negation, a condition or an unresolved reference.

    `parts` are its subschemas, `text` is everything else in it.
    """

    kind: str
    parts: tuple[Subschemas, ...]
    text: str
    pointer: str


@dataclass
class FlatSchema:
    """All constraints apply together. None, empty and () mean no constraint; `at` has the pointer of each keyword."""

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
        """Whether no value is accepted."""
        return not self.types

    def where(self, keyword: str) -> str:
        """The pointer of a keyword, or where it would be if it is missing."""
        return self.at.get(keyword, f"{self.pointer}/{keyword}")

    def position(self, index: int) -> Subschemas:
        """The schema of the array item at that index."""
        return self.prefix[index] if index < len(self.prefix) else self.items


def atoms_of(name: Any) -> frozenset[str]:
    """The kinds of values that a type name covers; an unknown name covers none."""
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
