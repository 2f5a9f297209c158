"""What stays a choice, a negation or a condition in two flats → what differs, branch by branch where that is sound."""

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from typing import Final, TypeVar

from toolbooth.contracts.diff.schemas.containment import contained
from toolbooth.contracts.diff.schemas.difference import Relation
from toolbooth.contracts.diff.schemas.flat import Flat, Rest, type_words
from toolbooth.contracts.diff.schemas.pairs import Pair, Walk
from toolbooth.contracts.diff.schemas.spot import Spots
from toolbooth.contracts.diff.schemas.written import Written
from toolbooth.limits import MAX_UNPAIRED

T = TypeVar("T")
Mark = Callable[[Walk, Spots], Hashable]
_NO_MARK: Final = ("", ())
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
    if len(old) == len(new) == 1 and not reaching and _both_open_choices(walk, old[0], new[0]):
        _compare_branches(walk, pair, old[0], new[0], relation)
    else:
        _say_whole(walk, pair, old, new, relation if reaching or (old and new) else _known(relation, old))
    return False


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
    kept, left = _without_shared(kept, left, [_text(walk, each) for each in (*kept, *left)])
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


def _text(walk: Walk, what: Rest | Spots) -> str | None:
    written = walk.written(what)
    return written.text if written else None


def _both_open_choices(walk: Walk, old: Rest, new: Rest) -> bool:
    return all(
        each.kind == "anyOf" or (each.kind == "oneOf" and _overlap_free(walk, each)) for each in (old, new)
    )


def _overlap_free(walk: Walk, choice: Rest) -> bool:
    """Whether no value fits two branches, so that one of them and any of them are the same."""
    written = walk.written(choice)
    if written is None:
        return False
    any_of = Written({"anyOf": written.schema["oneOf"]}, written.closed)
    return contained(any_of, written) is Relation.EQUAL


def _compare_branches(walk: Walk, pair: Pair, old: Rest, new: Rest, relation: Relation) -> None:
    gone, come = _unpaired_by_text(walk, old.parts, new.parts)
    for mark in (_tag, _reference, _kind):
        gone, come = _pair_up(walk, pair, gone, come, mark)
    if len(gone) == len(come) == 1 and walk.flat(gone[0]).types & walk.flat(come[0]).types:
        walk.push(Pair(gone[0], come[0], pair.label))
        return
    if relation is not Relation.WIDER:
        for part in gone:
            pointer, schema = _place(old, part)
            walk.say("choices", Relation.NARROWER, pair, pointer, keyword=old.kind, before=schema)
    if relation is not Relation.NARROWER:
        for part in come:
            pointer, schema = _place(new, part)
            walk.say("choices", Relation.WIDER, pair, pointer, keyword=new.kind, after=schema)


def _place(choice: Rest, part: Spots) -> tuple[str, object]:
    return (part[0].pointer, part[0].schema) if part else (choice.pointer, True)


def _unpaired_by_text(
    walk: Walk, old: Sequence[Spots], new: Sequence[Spots]
) -> tuple[list[Spots], list[Spots]]:
    texts = [[_text(walk, part) for part in side] for side in (old, new)]
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
