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
        """The relation with before and after exchanged."""
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


Subschemas = tuple[schema.Subschema, ...]
"""Schemas that all hold for the same value; the empty tuple accepts anything."""


Key = tuple[int, ...]


def key_of(subschemas: Subschemas) -> Key:
    """An identity for these subschemas, as long as their documents live."""
    return tuple(id(subschema.schema) for subschema in subschemas)


# Kinds of values that do not overlap: a whole number is `integer`, any other number `fraction`.
ATOMS: Final = frozenset(("null", "boolean", "integer", "fraction", "string", "array", "object"))
NUMBERS: Final = frozenset(("integer", "fraction"))
FINITE: Final = frozenset(("null", "boolean"))
_TYPES: Final = {**{name: frozenset((name,)) for name in schema.TYPES}, "number": NUMBERS}


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
