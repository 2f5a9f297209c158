"""A flat → the same in its plainest form: nothing in it that its other parts make idle."""

import math
from fractions import Fraction
from typing import Final

from toolbooth.contracts.diff.schemas.flat import ATOMS, FINITE, NUMBERS, Bound, Flat, atom_of

# JSON Schema libraries write "an integer" with the ends of what a double holds exactly: no end that anybody meets.
SAFE_INTEGER: Final = 2**53 - 1
_COUNTS: Final = {
    "string": ("minLength", "maxLength"),
    "array": ("minItems", "maxItems"),
    "object": ("minProperties", "maxProperties"),
}


def settle(flat: Flat) -> Flat:
    """In place; gives the same flat back."""
    _settle_numbers(flat)
    _settle_values(flat)
    _settle_counts(flat)
    if "string" not in flat.types:
        flat.patterns = flat.formats = frozenset()
    if not flat.types & NUMBERS:
        flat.minimum = flat.maximum = None
        flat.multiples = frozenset()
    if "array" not in flat.types:
        flat.unique, flat.prefix, flat.items = False, (), ()
    if "object" not in flat.types:
        flat.properties, flat.by_pattern, flat.needs = {}, {}, {}
        flat.additional, flat.names, flat.required = (), (), frozenset()
    flat.rest = tuple(each for each in flat.rest if _speaks(each.kind, flat.types))
    if flat.never:
        flat.values = None
    flat.needs = {name: needed for name, needed in flat.needs.items() if needed - flat.required - {name}}
    return flat


def _speaks(kind: str, types: frozenset[str]) -> bool:
    """Whether something of these types can be refused by such a part."""
    if kind in ("dependentSchemas", "additionalProperties", "unevaluatedProperties"):
        return "object" in types
    return "array" in types if kind in ("contains", "unevaluatedItems") else bool(types)


def _settle_numbers(flat: Flat) -> None:
    if any(step.denominator == 1 for step in flat.multiples):
        flat.types -= {"fraction"}
    if flat.types & NUMBERS == {"integer"}:
        flat.multiples = frozenset(step for step in flat.multiples if step.numerator != 1)
        flat.minimum = _whole(flat.minimum, up=True)
        flat.maximum = _whole(flat.maximum, up=False)
    if flat.minimum and flat.maximum and _crossed(flat.minimum, flat.maximum):
        flat.types -= NUMBERS


def _whole(end: Bound | None, *, up: bool) -> Bound | None:
    """The whole number at which a range of integers ends."""
    if end is None:
        return None
    whole = math.ceil(end.exact) if up else math.floor(end.exact)
    if end.exclusive and whole == end.exact:
        whole += 1 if up else -1
    beyond = whole <= -SAFE_INTEGER if up else whole >= SAFE_INTEGER
    return (
        None
        if beyond
        else Bound(end.raw if whole == end.exact and not end.exclusive else whole, Fraction(whole), False)
    )


def _crossed(low: Bound, high: Bound) -> bool:
    return low.exact > high.exact or (low.exact == high.exact and (low.exclusive or high.exclusive))


def _settle_values(flat: Flat) -> None:
    if flat.values is None:
        return
    flat.values = {key: value for key, value in flat.values.items() if atom_of(value) in flat.types}
    flat.types = frozenset(atom_of(value) for value in flat.values.values())
    finite = {"null": {"null"}, "boolean": {"true", "false"}}
    if (
        flat.types
        and flat.types <= FINITE
        and flat.values.keys() == set().union(*(finite[each] for each in flat.types))
    ):
        flat.values = None


def _settle_counts(flat: Flat) -> None:
    for atom, (least, most) in _COUNTS.items():
        if flat.counts.get(least, 0) > flat.counts.get(most, math.inf):
            flat.types -= {atom}
        if atom not in flat.types:
            flat.counts.pop(least, None)
            flat.counts.pop(most, None)


def asks_nothing(flat: Flat) -> bool:
    """Whether every value of its types is accepted."""
    asked = (
        flat.values is not None
        or flat.minimum
        or flat.maximum
        or flat.multiples
        or flat.counts
        or flat.patterns,
        flat.formats or flat.unique or flat.prefix or flat.items or flat.properties or flat.by_pattern,
        flat.additional or flat.required or flat.names or flat.needs or flat.rest,
    )
    return not any(asked)


def anything(flat: Flat) -> bool:
    """Whether every value is accepted."""
    return flat.types == ATOMS and asks_nothing(flat)
