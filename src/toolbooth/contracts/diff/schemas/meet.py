"""Two flats that both hold → one that asks for the same."""

from collections.abc import Mapping
from typing import Any, TypeVar

from toolbooth.catalog import canonical
from toolbooth.contracts.diff.schemas.flat import Bound, Flat, Rest
from toolbooth.contracts.diff.schemas.spot import Spots, key_of

Key = TypeVar("Key")


def meet(one: Flat, other: Flat) -> Flat:
    """`one` stands outside: its places win."""
    met = Flat(one.pointer, types=one.types & other.types, at={**other.at, **one.at})
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


def _meet_numbers(met: Flat, one: Flat, other: Flat) -> None:
    met.multiples = one.multiples | other.multiples
    for word, sign in (("minimum", 1), ("maximum", -1)):
        ends: list[tuple[Flat, Bound]] = [
            (flat, end) for flat in (one, other) if (end := getattr(flat, word)) is not None
        ]
        if ends:
            flat, tightest = max(ends, key=lambda each: (sign * each[1].exact, each[1].exclusive))
            setattr(met, word, tightest)
            met.at[word] = flat.where(word)


def _tighter_count(met: Flat, word: str, one: Flat, other: Flat) -> int:
    having = [flat for flat in (one, other) if word in flat.counts]
    chosen = (max if word.startswith("min") else min)(having, key=lambda flat: flat.counts[word])
    met.at[word] = chosen.where(word)
    return chosen.counts[word]


def _meet_objects(met: Flat, one: Flat, other: Flat) -> None:
    """`additionalProperties` reads only the properties beside it: with others it stays a part of its own."""
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


def _names(flat: Flat) -> tuple[set[str], set[str]]:
    return set(flat.properties), set(flat.by_pattern)


def additional_rest(flat: Flat) -> Rest:
    """The rule for all further properties, with the names that it does not speak of."""
    named = canonical([sorted(flat.properties), sorted(flat.by_pattern)])
    return Rest("additionalProperties", (flat.additional,), named, flat.where("additionalProperties"))


def without_repeats(rest: tuple[Rest, ...]) -> tuple[Rest, ...]:
    """Each once: what holds twice holds."""
    return tuple({(each.kind, each.text, *map(key_of, each.parts)): each for each in rest}.values())


def _together(one: Mapping[Key, Spots], other: Mapping[Key, Spots]) -> dict[Key, Spots]:
    return {name: _joined(one.get(name, ()), other.get(name, ())) for name in (*one, *other)}


def _joined(one: Spots, other: Spots) -> Spots:
    seen = {id(spot.schema) for spot in one}
    return one + tuple(spot for spot in other if id(spot.schema) not in seen)
