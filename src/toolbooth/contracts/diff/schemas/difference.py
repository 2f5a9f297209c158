"""One place at which two schemas differ, and which of them accepts more there."""

from enum import Enum
from typing import Any, NamedTuple


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


class TooMuch(Exception):
    """More work than a comparison is worth: too many parts, or too deep."""
