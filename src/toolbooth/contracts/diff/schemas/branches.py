"""The branches of two choices → which came, which went, and pairs of those that are one and the same, changed."""

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from typing import Final

from toolbooth.contracts.diff.schemas.difference import Relation
from toolbooth.contracts.diff.schemas.flat import type_words
from toolbooth.contracts.diff.schemas.pairs import Pair, Walk
from toolbooth.contracts.diff.schemas.spot import Spots

Mark = Callable[[Walk, Spots], Hashable]
_NO_MARK: Final = ("", ())


def compare_branches(
    walk: Walk, pair: Pair, old: Sequence[Spots], new: Sequence[Spots], relation: Relation
) -> None:
    """Sound for any way to pair them: a value of a branch is one of the branch that it is compared with."""
    gone, come = _unpaired_by_text(walk, old, new)
    for mark in (_tag, _reference, _kind):
        gone, come = _pair_up(walk, pair, gone, come, mark)
    gone, come = _pair_nearest(walk, pair, gone, come)
    if relation is not Relation.WIDER:
        for part in gone:
            _say_branch(walk, pair, part, Relation.NARROWER)
    if relation is not Relation.NARROWER:
        for part in come:
            _say_branch(walk, pair, part, Relation.WIDER)


def _say_branch(walk: Walk, pair: Pair, part: Spots, relation: Relation) -> None:
    """One of the alternatives came or went."""
    pointer, schema = (part[0].pointer, part[0].schema) if part else ("", True)
    shown = {"after": schema} if relation is Relation.WIDER else {"before": schema}
    walk.say("choices", relation, pair, pointer, keyword="alternative", **shown)


def _pair_nearest(
    walk: Walk, pair: Pair, gone: list[Spots], come: list[Spots]
) -> tuple[list[Spots], list[Spots]]:
    """Where one is left on a side, it is compared with the one that has most of its fields."""
    if 1 not in (len(gone), len(come)) or not gone or not come:
        return gone, come
    one, other = max(
        ((one, other) for one in gone for other in come), key=lambda both: _nearness(walk, *both)
    )
    if not walk.flat(one).types & walk.flat(other).types:
        return gone, come
    walk.push(Pair(one, other, pair.label))
    return [part for part in gone if part is not one], [part for part in come if part is not other]


def _nearness(walk: Walk, one: Spots, other: Spots) -> tuple[int, int]:
    flats = walk.flat(one), walk.flat(other)
    return len(flats[0].properties.keys() & flats[1].properties.keys()), len(flats[0].types & flats[1].types)


def _unpaired_by_text(
    walk: Walk, old: Sequence[Spots], new: Sequence[Spots]
) -> tuple[list[Spots], list[Spots]]:
    texts = [[walk.text(part) for part in side] for side in (old, new)]
    both = {text for text in texts[0] if text is not None} & set(texts[1])
    left = [
        [part for part, text in zip(side, own, strict=True) if text not in both]
        for side, own in zip((old, new), texts, strict=True)
    ]
    return left[0], left[1]


def _pair_up(
    walk: Walk, pair: Pair, gone: list[Spots], come: list[Spots], mark: Mark
) -> tuple[list[Spots], list[Spots]]:
    """Compare branches that bear the same mark, which no other bears."""
    marks = [[mark(walk, part) for part in side] for side in (gone, come)]
    counts = [Counter(side) for side in marks]
    for word in [
        word for word in counts[0] if word not in _NO_MARK and counts[0][word] == counts[1][word] == 1
    ]:
        one, other = (side[own.index(word)] for side, own in zip((gone, come), marks, strict=True))
        walk.push(Pair(one, other, pair.label))
        gone, come = [part for part in gone if part is not one], [part for part in come if part is not other]
        marks = [[mark(walk, part) for part in side] for side in (gone, come)]
    return gone, come


def _tag(walk: Walk, part: Spots) -> Hashable:
    """The fields that have a single value: `kind: "circle"`."""
    flats = {name: walk.flat(inner) for name, inner in walk.flat(part).properties.items()}
    return tuple(
        sorted((name, *flat.values) for name, flat in flats.items() if flat.values and len(flat.values) == 1)
    )


def _reference(_walk: Walk, part: Spots) -> Hashable:
    """The name of the definition that it refers to, or its title."""
    schema = part[0].schema if part else None
    return (schema.get("$ref") or schema.get("title") or "") if isinstance(schema, dict) else ""


def _kind(walk: Walk, part: Spots) -> Hashable:
    """The types that it takes."""
    return tuple(type_words(walk.flat(part).types))
