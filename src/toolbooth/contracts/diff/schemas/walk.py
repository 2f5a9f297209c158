"""Two schemas → every place at which they differ, found by walking both at once."""

from typing import Any, Final

from toolbooth.catalog import canonical
from toolbooth.contracts.diff.schemas.arrays import compare_arrays
from toolbooth.contracts.diff.schemas.choices import compare_choices
from toolbooth.contracts.diff.schemas.difference import Difference, Relation, TooMuch
from toolbooth.contracts.diff.schemas.flat import Flat
from toolbooth.contracts.diff.schemas.numbers import compare_numbers
from toolbooth.contracts.diff.schemas.objects import compare_objects
from toolbooth.contracts.diff.schemas.pairs import Pair, Walk
from toolbooth.contracts.diff.schemas.spot import Document
from toolbooth.contracts.diff.schemas.strings import compare_strings
from toolbooth.contracts.diff.schemas.types import compare_types

GROUPS: Final = (compare_types, compare_numbers, compare_strings, compare_arrays, compare_objects)


def compare_schemas(before: Any, after: Any, place: str, only: str = "") -> tuple[Difference, ...]:
    """Where what they accept, or the fields they name, differ; `place` is their pointer in the wire object.

    `only` is the type that values have in any case.

    Each keyword holds by itself, so where each place only accepts more, the whole does; what cannot be told is said.
    """
    if canonical(before) == canonical(after):
        return ()
    old, new = Document(before, place), Document(after, place)
    walk = Walk(_look)
    try:
        walk.push(Pair((old.whole,), (new.whole,), "", only))
        walk.run()
        return tuple(walk.found)
    except (TooMuch, RecursionError):
        unclear = Difference("choices", Relation.UNCLEAR, "", place, keyword="too large to compare")
        return (*walk.found, unclear)


def _look(walk: Walk, pair: Pair) -> None:
    before, after = (walk.flat(spots, pair.only) for spots in (pair.before, pair.after))
    known = len(walk.found)
    if compare_choices(walk, pair, before, after):
        return
    for group in GROUPS:
        group(walk, pair, before, after)
    if len(walk.found) > known and _only_notation(walk, pair, before, after, known):
        del walk.found[known:]


def _only_notation(walk: Walk, pair: Pair, before: Flat, after: Flat, known: int) -> bool:
    """Listed values and choices may say what other keywords say, too: then the engine is asked for its opinion."""
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
