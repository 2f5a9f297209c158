"""Items of arrays in two flats → what differs, place by place."""

from toolbooth.contracts.diff.schemas.difference import Relation
from toolbooth.contracts.diff.schemas.flat import Flat
from toolbooth.contracts.diff.schemas.pairs import Pair, Walk
from toolbooth.contracts.diff.schemas.strings import compare_counts


def compare_arrays(walk: Walk, pair: Pair, before: Flat, after: Flat) -> None:
    """Only where both take arrays at all."""
    if "array" not in before.types & after.types:
        return
    compare_counts(walk, pair, before, after, "items", ("minItems", "maxItems"))
    if before.unique != after.unique:
        relation = Relation.NARROWER if after.unique else Relation.WIDER
        pointer = (after if after.unique else before).where("uniqueItems")
        values = {"before": before.unique, "after": after.unique}
        walk.say("items", relation, pair, pointer, keyword="uniqueItems", **values)
    for index in range(max(len(before.prefix), len(after.prefix))):
        walk.push(Pair(before.position(index), after.position(index), f"{pair.label}[{index}]"))
    walk.push(Pair(before.items, after.items, f"{pair.label}[]"))
