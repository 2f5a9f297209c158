"""Operations on flat schemas: settle one into its plainest form, meet two that both hold, join branches of a choice."""

import math
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final, TypeVar

from toolbooth import catalog
from toolbooth.contracts.diff.schemas.model import (
    ATOMS,
    FINITE,
    NUMBERS,
    Bound,
    FlatSchema,
    Rest,
    Subschemas,
    atom_of,
    key_of,
)

# JSON Schema libraries write "an integer" with the ends of what a double holds exactly: no end that anybody meets.
SAFE_INTEGER: Final = 2**53 - 1
_COUNTS: Final = {
    "string": ("minLength", "maxLength"),
    "array": ("minItems", "maxItems"),
    "object": ("minProperties", "maxProperties"),
}


def settle(flat: FlatSchema) -> FlatSchema:
    """Normalize a flat schema in place, and return it."""
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
    """Whether a part of this kind can reject a value of these types."""
    if kind in ("dependentSchemas", "additionalProperties", "unevaluatedProperties"):
        return "object" in types
    return "array" in types if kind in ("contains", "unevaluatedItems") else bool(types)


def _settle_numbers(flat: FlatSchema) -> None:
    if any(step.denominator == 1 for step in flat.multiples):
        flat.types -= {"fraction"}
    if flat.types & NUMBERS == {"integer"}:
        flat.multiples = frozenset(step for step in flat.multiples if step.numerator != 1)
        flat.minimum = _whole(flat.minimum, up=True)
        flat.maximum = _whole(flat.maximum, up=False)
    if flat.minimum and flat.maximum and _crossed(flat.minimum, flat.maximum):
        flat.types -= NUMBERS


def _whole(end: Bound | None, *, up: bool) -> Bound | None:
    """The last integer within a bound."""
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


def _settle_values(flat: FlatSchema) -> None:
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


def _settle_counts(flat: FlatSchema) -> None:
    for atom, (least, most) in _COUNTS.items():
        if flat.counts.get(least, 0) > flat.counts.get(most, math.inf):
            flat.types -= {atom}
        if atom not in flat.types:
            flat.counts.pop(least, None)
            flat.counts.pop(most, None)


def asks_nothing(flat: FlatSchema) -> bool:
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


def anything(flat: FlatSchema) -> bool:
    """Whether every value is accepted."""
    return flat.types == ATOMS and asks_nothing(flat)


Key = TypeVar("Key")


def meet(one: FlatSchema, other: FlatSchema) -> FlatSchema:
    """The intersection of two flat schemas. If both have a keyword, the pointer of `one` is kept."""
    met = FlatSchema(one.pointer, types=one.types & other.types, at={**other.at, **one.at})
    met.values = _both_values(one.values, other.values)
    _meet_numbers(met, one, other)
    met.patterns, met.formats = one.patterns | other.patterns, one.formats | other.formats
    met.counts = {
        word: _tighter_count(met, word, one, other)
        for word in sorted(one.counts.keys() | other.counts.keys())
    }
    met.unique = one.unique or other.unique
    longest = max(len(one.prefix), len(other.prefix))
    met.prefix = tuple(_joined(one.position(index), other.position(index)) for index in range(longest))
    met.items = _joined(one.items, other.items)
    met.required = one.required | other.required
    met.names = _joined(one.names, other.names)
    met.needs = {
        name: one.needs.get(name, frozenset()) | other.needs.get(name, frozenset())
        for name in one.needs.keys() | other.needs.keys()
    }
    met.rest = (*one.rest, *other.rest)
    _meet_objects(met, one, other)
    return met


def _both_values(one: dict[str, Any] | None, other: dict[str, Any] | None) -> dict[str, Any] | None:
    if one is None or other is None:
        return other if one is None else one
    return {key: value for key, value in one.items() if key in other}


def _meet_numbers(met: FlatSchema, one: FlatSchema, other: FlatSchema) -> None:
    met.multiples = one.multiples | other.multiples
    for word, sign in (("minimum", 1), ("maximum", -1)):
        ends: list[tuple[FlatSchema, Bound]] = [
            (flat, end) for flat in (one, other) if (end := getattr(flat, word)) is not None
        ]
        if ends:
            flat, tightest = max(ends, key=lambda each: (sign * each[1].exact, each[1].exclusive))
            setattr(met, word, tightest)
            met.at[word] = flat.where(word)


def _tighter_count(met: FlatSchema, word: str, one: FlatSchema, other: FlatSchema) -> int:
    having = [flat for flat in (one, other) if word in flat.counts]
    chosen = (max if word.startswith("min") else min)(having, key=lambda flat: flat.counts[word])
    met.at[word] = chosen.where(word)
    return chosen.counts[word]


def _meet_objects(met: FlatSchema, one: FlatSchema, other: FlatSchema) -> None:
    """Merge the properties. `additionalProperties` depends on its siblings, so it may have to stay a separate part."""
    met.properties = _together(one.properties, other.properties)
    met.by_pattern = _together(one.by_pattern, other.by_pattern)
    if one.additional and other.additional and _names(one) == _names(other):
        met.additional = _joined(one.additional, other.additional)
        return
    for flat, beside in ((one, other), (other, one)):
        if not flat.additional:
            continue
        names_all = beside.properties.keys() <= flat.properties.keys()
        if not beside.additional and names_all and beside.by_pattern.keys() <= flat.by_pattern.keys():
            met.additional = flat.additional
        else:
            met.rest += (additional_rest(flat),)


def _names(flat: FlatSchema) -> tuple[set[str], set[str]]:
    return set(flat.properties), set(flat.by_pattern)


def additional_rest(flat: FlatSchema) -> Rest:
    """`additionalProperties` as a separate part, with the names that it does not apply to."""
    named = catalog.canonical([sorted(flat.properties), sorted(flat.by_pattern)])
    return Rest("additionalProperties", (flat.additional,), named, flat.where("additionalProperties"))


def without_repeats(rest: tuple[Rest, ...]) -> tuple[Rest, ...]:
    """Parts without duplicates."""
    return tuple({(each.kind, each.text, *map(key_of, each.parts)): each for each in rest}.values())


def _together(one: Mapping[Key, Subschemas], other: Mapping[Key, Subschemas]) -> dict[Key, Subschemas]:
    return {name: _joined(one.get(name, ()), other.get(name, ())) for name in (*one, *other)}


def _joined(one: Subschemas, other: Subschemas) -> Subschemas:
    seen = {id(subschema.schema) for subschema in one}
    return one + tuple(subschema for subschema in other if id(subschema.schema) not in seen)


_FINITE_VALUES: Final[dict[str, dict[str, object]]] = {
    "null": {"null": None},
    "boolean": {"true": True, "false": False},
}


def join(rest: Rest, branches: list[FlatSchema]) -> FlatSchema | None:
    """The flat schema that means the same as a choice; None if there is none."""
    alone = rest.kind == "oneOf"
    live = [branch for branch in branches if not branch.never]
    if not live:
        return FlatSchema(rest.pointer, types=frozenset())
    if not alone and any(anything(branch) for branch in live):
        return FlatSchema(rest.pointer)
    if len(live) == 1:
        return live[0]
    if any(branch.rest for branch in live):
        return None
    return _as_values(rest, live, alone) or _as_types(rest, live, alone)


def _as_values(rest: Rest, branches: list[FlatSchema], alone: bool) -> FlatSchema | None:
    """A choice of constants is an enum; under `oneOf` no constant may occur twice."""
    listed = [_finite(branch) for branch in branches]
    values: dict[str, object] = {}
    for each in listed:
        if each is None or (alone and values.keys() & each.keys()):
            return None
        values.update(each)
    types = frozenset[str]().union(*(branch.types for branch in branches))
    return FlatSchema(rest.pointer, types=types, values=values, at={"enum": rest.pointer})


def _finite(branch: FlatSchema) -> dict[str, object] | None:
    if branch.values is not None:
        return branch.values if asks_nothing(replace(branch, values=None)) else None
    if not branch.types <= FINITE:
        return None
    return {key: value for atom in branch.types for key, value in _FINITE_VALUES[atom].items()}


def _as_types(rest: Rest, branches: list[FlatSchema], alone: bool) -> FlatSchema | None:
    """Branches of different types are one schema: each keyword constrains its own type only."""
    joined = replace(branches[0], pointer=rest.pointer)
    for branch in branches[1:]:
        shared = joined.types & branch.types
        if joined.values is not None or branch.values is not None or (alone and shared):
            return None
        if not all(_same_of(atom, joined, branch) for atom in shared):
            return None
        if not _numbers_agree(joined, branch):
            return None
        joined = _side_by_side(joined, branch)
    return joined


def _numbers_agree(one: FlatSchema, other: FlatSchema) -> bool:
    """Whether both have the same bounds; otherwise those of integers would apply to all numbers."""
    kinds = one.types & NUMBERS, other.types & NUMBERS
    return (
        not all(kinds)
        or kinds[0] == kinds[1]
        or _of("integer", one) == _of("integer", other) == (None, None, frozenset())
    )


def _of(atom: str, flat: FlatSchema) -> tuple[object, ...]:
    """All constraints of a flat schema on values of one kind."""
    counts = flat.counts.get
    match atom:
        case "integer" | "fraction":
            return flat.minimum, flat.maximum, flat.multiples
        case "string":
            return flat.patterns, flat.formats, counts("minLength"), counts("maxLength")
        case "array":
            return flat.prefix, flat.items, flat.unique, counts("minItems"), counts("maxItems")
        case "object":
            inner = (flat.properties, flat.by_pattern, flat.additional, flat.names)
            return *inner, flat.required, flat.needs, counts("minProperties"), counts("maxProperties")
    return ()


def _same_of(atom: str, one: FlatSchema, other: FlatSchema) -> bool:
    blank = FlatSchema("")
    return _of(atom, one) == _of(atom, other) and (
        atom not in ("array", "object") or _of(atom, one) == _of(atom, blank)
    )


def _side_by_side(one: FlatSchema, other: FlatSchema) -> FlatSchema:
    """Merge two schemas, of which for each kind only one has constraints, or both have the same."""
    numbers = other if other.types & NUMBERS and not one.types & NUMBERS else one
    arrays = other if "array" in other.types else one
    objects = other if "object" in other.types else one
    return FlatSchema(
        one.pointer,
        types=(one.types | other.types) & ATOMS,
        minimum=numbers.minimum,
        maximum=numbers.maximum,
        multiples=numbers.multiples,
        counts={**one.counts, **other.counts},
        patterns=one.patterns | other.patterns,
        formats=one.formats | other.formats,
        unique=arrays.unique,
        prefix=arrays.prefix,
        items=arrays.items,
        properties=objects.properties,
        by_pattern=objects.by_pattern,
        additional=objects.additional,
        required=objects.required,
        names=objects.names,
        needs=objects.needs,
        at={**other.at, **one.at},
    )
