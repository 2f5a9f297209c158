"""Two schemas compared: every place where they differ in what they accept."""

from typing import Any, Final

from toolbooth.catalog import canonical
from toolbooth.contracts.diff.schemas.choices import compare_choices
from toolbooth.contracts.diff.schemas.containers import compare_arrays, compare_objects
from toolbooth.contracts.diff.schemas.model import (
    ComparisonTooLarge,
    Difference,
    FlatSchema,
    Relation,
)
from toolbooth.contracts.diff.schemas.scalars import compare_numbers, compare_strings, compare_types
from toolbooth.contracts.diff.schemas.walker import SchemaPair, Walk
from toolbooth.schema import SchemaDocument

GROUPS: Final = (compare_types, compare_numbers, compare_strings, compare_arrays, compare_objects)


def compare_schemas(before: Any, after: Any, place: str, only: str = "") -> tuple[Difference, ...]:
    """Where what they accept, or the fields they name, differ; `place` is their pointer in the wire object.

    `only` is the type that values have in any case.

    Each keyword holds by itself, so where each place only accepts more, the whole does. What is undecidable is
    reported.
    """
    if canonical(before) == canonical(after):
        return ()
    old, new = SchemaDocument(before, place), SchemaDocument(after, place)
    walk = Walk(_compare_pair)
    try:
        walk.push(SchemaPair((old.whole,), (new.whole,), "", only))
        walk.run()
        return tuple(walk.found)
    except (ComparisonTooLarge, RecursionError):
        unclear = Difference("choices", Relation.UNCLEAR, "", place, keyword="too large to compare")
        return (*walk.found, unclear)


def _compare_pair(walk: Walk, pair: SchemaPair) -> None:
    before, after = (walk.flat(subschemas, pair.only) for subschemas in (pair.before, pair.after))
    known = len(walk.found)
    if compare_choices(walk, pair, before, after):
        return
    for group in GROUPS:
        group(walk, pair, before, after)
    if len(walk.found) > known and _only_notation(walk, pair, before, after, known):
        del walk.found[known:]


def _only_notation(walk: Walk, pair: SchemaPair, before: FlatSchema, after: FlatSchema, known: int) -> bool:
    """Listed values and choices may say what other keywords say, too: then the engine decides."""
    if before.values is None and after.values is None and not (before.rest or after.rest):
        return False
    if any(each.facet.startswith("field-") for each in walk.found[known:]):
        return False
    return walk.relation(pair.before, pair.after) is Relation.EQUAL


def relation(before: Any, after: Any) -> Relation:
    """How what `after` accepts stands to what `before` accepts."""
    found = {each.relation for each in compare_schemas(before, after, "")}
    if not found:
        return Relation.EQUAL
    if len(found) == 1:
        return found.pop()
    return Relation.UNCLEAR if Relation.UNCLEAR in found else Relation.CHANGED
