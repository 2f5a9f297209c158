"""Types, null and listed values of two flats → what differs."""

from typing import Any

from toolbooth.contracts.diff.schemas.difference import Relation
from toolbooth.contracts.diff.schemas.flat import Flat, type_words
from toolbooth.contracts.diff.schemas.pairs import Pair, Walk

NULL = "null"


def compare_types(walk: Walk, pair: Pair, before: Flat, after: Flat) -> None:
    """Null is told apart from other types: who reads a value has to be ready for it."""
    old, new = before.types - {NULL}, after.types - {NULL}
    if (NULL in before.types) != (NULL in after.types):
        relation = Relation.WIDER if NULL in after.types else Relation.NARROWER
        kinds = {"before": type_words(before.types), "after": type_words(after.types)}
        walk.say("null", relation, pair, after.where("type"), keyword="type", **kinds)
    if old != new and (before.values is None or after.values is None):
        only = {"before": _kinds(old, before), "after": _kinds(new, after)}
        walk.say("type", _relation(old, new), pair, after.where("type"), keyword="type", **only)
    if old & new or None not in (before.values, after.values):
        _compare_values(walk, pair, before, after)


def _kinds(others: frozenset[str], flat: Flat) -> list[str] | None:
    """The types without null, or null where it is the only one; None for a schema that no value fits."""
    return type_words(others or flat.types) or None


def _relation(old: frozenset[str], new: frozenset[str]) -> Relation:
    if old < new:
        return Relation.WIDER
    return Relation.NARROWER if new < old else Relation.CHANGED


def _compare_values(walk: Walk, pair: Pair, before: Flat, after: Flat) -> None:
    old, new = _listed(before), _listed(after)
    where = {"pointer": after.where("enum") if new is not None else before.where("enum"), "keyword": "enum"}
    if old is None or new is None:
        if old != new:
            relation = Relation.NARROWER if old is None else Relation.WIDER
            walk.say("enum", relation, pair, before=_values(old), after=_values(new), **where)
        return
    for gone, relation in (
        (old.keys() - new.keys(), Relation.NARROWER),
        (new.keys() - old.keys(), Relation.WIDER),
    ):
        if gone:
            walk.say("enum", relation, pair, before=_values(old), after=_values(new), **where)


def _listed(flat: Flat) -> dict[str, Any] | None:
    return (
        None
        if flat.values is None
        else {key: value for key, value in flat.values.items() if value is not None}
    )


def _values(listed: dict[str, Any] | None) -> list[Any] | None:
    return None if listed is None else [listed[key] for key in sorted(listed)]
