"""Two schemas compared: every place where they differ in what they accept."""

from typing import Any, Final

from toolbooth import catalog, schema
from toolbooth.contracts.diff.schemas import choices, containers, model, scalars, walker

GROUPS: Final = (
    scalars.compare_types,
    scalars.compare_numbers,
    scalars.compare_strings,
    containers.compare_arrays,
    containers.compare_objects,
)


def compare_schemas(before: Any, after: Any, place: str, only: str = "") -> tuple[model.Difference, ...]:
    """Every place where two schemas differ in the values or field names they accept; `place` is their JSON pointer.

    `only` is the one type that values can have.

    Keywords are independent, so if every place accepts more, the whole schema does. Undecidable differences are
    reported.
    """
    if catalog.canonical(before) == catalog.canonical(after):
        return ()
    old, new = schema.SchemaDocument(before, place), schema.SchemaDocument(after, place)
    walk = walker.Walk(_compare_pair)
    try:
        walk.push(walker.SchemaPair((old.whole,), (new.whole,), "", only))
        walk.run()
        return tuple(walk.found)
    except (model.ComparisonTooLarge, RecursionError):
        unclear = model.Difference(
            "choices", model.Relation.UNCLEAR, "", place, keyword="too large to compare"
        )
        return (*walk.found, unclear)


def _compare_pair(walk: walker.Walk, pair: walker.SchemaPair) -> None:
    before, after = (walk.flat(subschemas, pair.only) for subschemas in (pair.before, pair.after))
    known = len(walk.found)
    if choices.compare_choices(walk, pair, before, after):
        return
    for group in GROUPS:
        group(walk, pair, before, after)
    if len(walk.found) > known and _only_notation(walk, pair, before, after, known):
        del walk.found[known:]


def _only_notation(
    walk: walker.Walk, pair: walker.SchemaPair, before: model.FlatSchema, after: model.FlatSchema, known: int
) -> bool:
    """Whether the differences are only notation: enums and choices can repeat other keywords, so the engine decides."""
    if before.values is None and after.values is None and not (before.rest or after.rest):
        return False
    if any(each.facet.startswith("field-") for each in walk.found[known:]):
        return False
    return walk.relation(pair.before, pair.after) is model.Relation.EQUAL


def relation(before: Any, after: Any) -> model.Relation:
    """How the values that `after` accepts relate to those that `before` accepts."""
    found = {each.relation for each in compare_schemas(before, after, "")}
    if not found:
        return model.Relation.EQUAL
    if len(found) == 1:
        return found.pop()
    return model.Relation.UNCLEAR if model.Relation.UNCLEAR in found else model.Relation.CHANGED
