"""The changes of an input or output schema, judged by the direction in which it is used."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from toolbooth import catalog, economics
from toolbooth.contracts.change import Change
from toolbooth.contracts.diff.rules import change, named, short
from toolbooth.contracts.diff.schemas import Difference, Relation, compare_schemas


class Direction(NamedTuple):
    """Inputs may widen, outputs may narrow; `worse` is what a change that is neither counts as.

    By MCP the arguments of a call are an object, whatever their schema says: `only`.
    """

    name: str
    place: str
    whole: str
    worse: Relation
    only: str = ""


INPUT: Final = Direction("input", "/inputSchema", "the input", Relation.NARROWER, "object")
OUTPUT: Final = Direction("output", "/outputSchema", "the answer", Relation.WIDER)
_FIELDS: Final = {
    ("input", "field-removed"): "input-removed",
    ("input", "field-added"): "optional-input-added",
    ("input", "field-added-required"): "required-input-added",
    ("input", "field-required"): "input-required",
    ("input", "field-optional"): "input-optional",
    ("output", "field-removed"): "output-field-removed",
    ("output", "field-added"): "output-field-added",
    ("output", "field-added-required"): "output-field-added",
    ("output", "field-new-to-closed"): "output-field-unforeseen",
    ("output", "field-required"): "output-field-required",
    ("output", "field-optional"): "output-field-optional",
}
_FURTHER: Final = {False: "none are allowed", True: "any are allowed"}
_FITTING: Final = "they must match a schema"
_EXTRA: Final = {Relation.NARROWER: "closed", Relation.WIDER: "opened"}


def schema_changes(server: str, tool: str, before: Any, after: Any, direction: Direction) -> Iterator[Change]:
    """What differs in meaning; `schema_notes` compares the texts."""
    limits = (
        {each.name for each in map(economics.limit_input, (before, after)) if each}
        if direction is INPUT
        else set()
    )
    found = compare_schemas(before, after, direction.place, direction.only)
    unforeseen = {each.pointer for each in found if each.facet == "field-new-to-closed"}
    for each in found:
        if direction is OUTPUT and each.facet.startswith("field-added") and each.pointer in unforeseen:
            continue
        for rule in _rules(each, direction, limits):
            yield change(
                rule,
                server,
                tool,
                each.pointer,
                each.before,
                each.after,
                what=named(each.label) if each.label else direction.whole,
                keyword=each.keyword,
                detail=_detail(each),
            )


def _rules(found: Difference, direction: Direction, limits: set[str]) -> Iterator[str]:
    """A smaller limit also bounds answers; this is reported beside the call that now fails, never instead of it."""
    rule = _rule(found, direction)
    if rule:
        yield rule
    if rule == "input-bounds-narrowed" and _is_limit(found, limits):
        yield "limit-tightened"


def _rule(found: Difference, direction: Direction) -> str:
    """The id of the rule; empty where the difference means nothing in this direction."""
    if found.facet.startswith("field-"):
        return _FIELDS.get((direction.name, found.facet), "")
    relation = found.relation
    if relation is Relation.UNCLEAR:
        return f"{direction.name}-unclear"
    if relation is Relation.CHANGED:
        if found.facet == "type":
            return f"{direction.name}-type-changed"
        relation = direction.worse
    if found.facet == "extra":
        return f"{direction.name}-{_EXTRA[relation]}"
    return f"{direction.name}-{found.facet}-{relation.value}"


def _is_limit(found: Difference, limits: set[str]) -> bool:
    return found.keyword in ("maximum", "exclusiveMaximum") and found.label in limits


def _detail(found: Difference) -> str:
    if found.facet == "choices":
        return _choice_words(found)
    if found.facet == "extra":
        return _FURTHER[found.after] if isinstance(found.after, bool) else _FITTING
    if found.facet == "type":
        return "no value at all" if found.after is None else f"only {short(found.after)}"
    if found.facet != "enum":
        return ""
    if found.before is None:
        return f"only {_listed(found.after)}"
    if found.after is None:
        return "any"
    came = found.relation is Relation.WIDER
    here, there = (found.after, found.before) if came else (found.before, found.after)
    known = set(map(catalog.canonical, there))
    listed = _listed([value for value in here if catalog.canonical(value) not in known])
    return f"added {listed}" if came else f"removed {listed}"


def _choice_words(found: Difference) -> str:
    if found.keyword == "alternative":
        return "an alternative was removed" if found.after is None else "an alternative was added"
    if found.keyword == "properties":
        return f"{short(found.before)} moved into or out of its alternatives"
    return f"`{short(found.keyword)}` changed"


def _listed(values: list[Any]) -> str:
    shown = ", ".join(short(value) for value in values[:_FEW])
    return f"{shown} and {len(values) - _FEW} more" if len(values) > _FEW else shown


_FEW: Final = 6
