"""The branches of a choice → one flat that accepts the same, where plain keywords can say it."""

from dataclasses import replace
from typing import Final

from toolbooth.contracts.diff.schemas.flat import ATOMS, FINITE, NUMBERS, Flat, Rest
from toolbooth.contracts.diff.schemas.settling import anything, asks_nothing

_FINITE_VALUES: Final[dict[str, dict[str, object]]] = {
    "null": {"null": None},
    "boolean": {"true": True, "false": False},
}


def join(rest: Rest, branches: list[Flat]) -> Flat | None:
    """None where the choice has to stay one."""
    alone = rest.kind == "oneOf"
    live = [branch for branch in branches if not branch.never]
    if not live:
        return Flat(rest.pointer, types=frozenset())
    if not alone and any(anything(branch) for branch in live):
        return Flat(rest.pointer)
    if len(live) == 1:
        return live[0]
    if any(branch.rest for branch in live):
        return None
    return _as_values(rest, live, alone) or _as_types(rest, live, alone)


def _as_values(rest: Rest, branches: list[Flat], alone: bool) -> Flat | None:
    """A choice of constants is an enum; under `oneOf` none may stand twice."""
    listed = [_finite(branch) for branch in branches]
    values: dict[str, object] = {}
    for each in listed:
        if each is None or (alone and values.keys() & each.keys()):
            return None
        values.update(each)
    types = frozenset[str]().union(*(branch.types for branch in branches))
    return Flat(rest.pointer, types=types, values=values, at={"enum": rest.pointer})


def _finite(branch: Flat) -> dict[str, object] | None:
    if branch.values is not None:
        return branch.values if asks_nothing(replace(branch, values=None)) else None
    if not branch.types <= FINITE:
        return None
    return {key: value for atom in branch.types for key, value in _FINITE_VALUES[atom].items()}


def _as_types(rest: Rest, branches: list[Flat], alone: bool) -> Flat | None:
    """Branches of different types are one schema: a keyword speaks of its own type only."""
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


def _numbers_agree(one: Flat, other: Flat) -> bool:
    """Bounds of whole numbers would hold for all numbers, too."""
    kinds = one.types & NUMBERS, other.types & NUMBERS
    return (
        not all(kinds)
        or kinds[0] == kinds[1]
        or _of("integer", one) == _of("integer", other) == (None, None, frozenset())
    )


def _of(atom: str, flat: Flat) -> tuple[object, ...]:
    """All that a flat asks of values of one kind."""
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


def _same_of(atom: str, one: Flat, other: Flat) -> bool:
    blank = Flat("")
    return _of(atom, one) == _of(atom, other) and (
        atom not in ("array", "object") or _of(atom, one) == _of(atom, blank)
    )


def _side_by_side(one: Flat, other: Flat) -> Flat:
    """Fields of both: of each kind only one of them asks for anything, or both for the same."""
    numbers = other if other.types & NUMBERS and not one.types & NUMBERS else one
    arrays = other if "array" in other.types else one
    objects = other if "object" in other.types else one
    return Flat(
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
