"""What one schema asks of a value, notation taken away: one field for each thing that a keyword can say."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final, NamedTuple

from toolbooth.contracts.diff.schemas.spot import Spots

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
    parts: tuple[Spots, ...]
    text: str
    pointer: str


@dataclass
class Flat:
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
    prefix: tuple[Spots, ...] = ()
    items: Spots = ()
    properties: dict[str, Spots] = field(default_factory=dict)
    by_pattern: dict[str, Spots] = field(default_factory=dict)
    additional: Spots = ()
    required: frozenset[str] = frozenset()
    names: Spots = ()
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

    def position(self, index: int) -> Spots:
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
