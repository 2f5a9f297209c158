"""What stays a choice, a negation or a condition in two flats → what differs, branch by branch where that is sound."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, TypeVar

from toolbooth.contracts.diff.schemas.branches import compare_branches
from toolbooth.contracts.diff.schemas.containment import contained
from toolbooth.contracts.diff.schemas.difference import Relation
from toolbooth.contracts.diff.schemas.flat import Flat, Rest
from toolbooth.contracts.diff.schemas.pairs import Pair, Walk
from toolbooth.contracts.diff.schemas.settling import asks_nothing
from toolbooth.contracts.diff.schemas.written import Written
from toolbooth.limits import MAX_UNPAIRED

T = TypeVar("T")
_UNEVALUATED: Final = ("unevaluatedProperties", "unevaluatedItems")


def compare_choices(walk: Walk, pair: Pair, before: Flat, after: Flat) -> bool:
    """Whether the rest of the two need not be looked at: all in all they accept the same."""
    old, new = _without_equal(walk, before.rest, after.rest)
    reaching = any(each.kind in _UNEVALUATED for each in (*before.rest, *after.rest))
    if not (old or new or reaching):
        return False
    relation = walk.relation(pair.before, pair.after)
    if relation is Relation.EQUAL:
        return True
    if not reaching and _one_became_choice(walk, pair, (before, old), (after, new), relation):
        return True
    if len(old) == len(new) == 1 and not reaching and all(_open_choice(walk, each) for each in (*old, *new)):
        compare_branches(walk, pair, old[0].parts, new[0].parts, relation)
    else:
        _say_whole(walk, pair, old, new, relation if reaching or (old and new) else _known(relation, old))
    return False


def _one_became_choice(
    walk: Walk,
    pair: Pair,
    before: tuple[Flat, Sequence[Rest]],
    after: tuple[Flat, Sequence[Rest]],
    relation: Relation,
) -> bool:
    """Where all that one side says is a choice and the other side has none, that one is taken for a branch, too."""
    if _all_choice(walk, *after) and not before[0].rest:
        compare_branches(walk, pair, (pair.before,), after[1][0].parts, relation)
    elif _all_choice(walk, *before) and not after[0].rest:
        compare_branches(walk, pair, before[1][0].parts, (pair.after,), relation)
    else:
        return False
    return True


def _all_choice(walk: Walk, flat: Flat, rest: Sequence[Rest]) -> bool:
    alone = len(rest) == len(flat.rest) == 1 and asks_nothing(replace(flat, rest=()))
    if not alone or not _open_choice(walk, rest[0]):
        return False
    return all(walk.flat(part).types <= flat.types for part in rest[0].parts)


def _known(relation: Relation, old: Sequence[Rest]) -> Relation:
    """What only one of the two asks for is clear by itself."""
    if relation in (Relation.WIDER, Relation.NARROWER):
        return relation
    return Relation.WIDER if old else Relation.NARROWER


def _say_whole(walk: Walk, pair: Pair, old: Sequence[Rest], new: Sequence[Rest], relation: Relation) -> None:
    shown = next(iter((*new, *old)), None)
    pointer = shown.pointer if shown else (pair.after or pair.before)[0].pointer
    values = {"before": _kinds(old), "after": _kinds(new)}
    walk.say("choices", relation, pair, pointer, keyword=pointer.rpartition("/")[2], **values)


def _kinds(rests: Sequence[Rest]) -> list[str] | None:
    return sorted({each.kind for each in rests}) or None


def _without_equal(walk: Walk, old: Sequence[Rest], new: Sequence[Rest]) -> tuple[list[Rest], list[Rest]]:
    """Both without what stands in both, in any order and notation; the dearest way to see it comes last."""
    kept, left = _unlike_in_order(walk, old, new)
    kept, left = _without_shared(kept, left, [walk.text(each) for each in (*kept, *left)])
    for each in tuple(kept) if len(kept) <= MAX_UNPAIRED else ():
        twin = next((other for other in left if _of_one_meaning(walk, each, other)), None)
        if twin is not None:
            kept, left = [one for one in kept if one is not each], [one for one in left if one is not twin]
    return kept, left


def _unlike_in_order(walk: Walk, old: Sequence[Rest], new: Sequence[Rest]) -> tuple[list[Rest], list[Rest]]:
    """Without what is written alike at the same place: mostly all of it is, however long."""
    unlike = [
        index for index, both in enumerate(zip(old, new, strict=False)) if not _written_alike(walk, *both)
    ]
    unlike += range(min(len(old), len(new)), max(len(old), len(new)))
    return [old[index] for index in unlike if index < len(old)], [
        new[index] for index in unlike if index < len(new)
    ]


def _without_shared(
    old: Sequence[T], new: Sequence[T], texts: Sequence[str | None]
) -> tuple[list[T], list[T]]:
    """Both without what has the same text, as often as both have it; `texts` are of the old, then of the new."""
    sides = (old, texts[: len(old)]), (new, texts[len(old) :])
    shared = Counter(sides[0][1]) & Counter(sides[1][1])
    kept: list[list[T]] = []
    for side, own in sides:
        left: Counter[str | None] = Counter(shared)
        left[None] = 0
        kept.append([])
        for each, text in zip(side, own, strict=True):
            if left[text] > 0:
                left[text] -= 1
            else:
                kept[-1].append(each)
    return kept[0], kept[1]


def _comparable(one: Rest, other: Rest) -> bool:
    return (one.kind, one.text, len(one.parts)) == (other.kind, other.text, len(other.parts))


def _written_alike(walk: Walk, one: Rest, other: Rest) -> bool:
    return _comparable(one, other) and all(
        walk.same_text(*both) for both in zip(one.parts, other.parts, strict=True)
    )


def _of_one_meaning(walk: Walk, one: Rest, other: Rest) -> bool:
    """For circles and for what is too long to be written out: two walks instead of two texts."""
    if not _comparable(one, other) or all(each and each.closed for each in map(walk.written, (one, other))):
        return False
    return all(walk.same(*both) for both in zip(one.parts, other.parts, strict=True))


def _open_choice(walk: Walk, rest: Rest) -> bool:
    return rest.kind == "anyOf" or (rest.kind == "oneOf" and _overlap_free(walk, rest))


def _overlap_free(walk: Walk, choice: Rest) -> bool:
    """Whether no value fits two branches, so that one of them and any of them are the same."""
    written = walk.written(choice)
    if written is None:
        return False
    any_of = Written({"anyOf": written.schema["oneOf"]}, written.closed)
    return contained(any_of, written) is Relation.EQUAL
