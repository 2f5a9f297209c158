"""Choices, negations and conditions of two flat schemas, compared branch by branch where that is sound.

Branches are paired by text, by tag, by reference, by type and then by the number of shared fields.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from toolbooth import limits
from toolbooth.contracts.diff.schemas import model, operations, walker, writer
from toolbooth.schema import UNEVALUATED

Mark = Callable[[walker.Walk, model.Subschemas], Hashable]
_NO_MARK: Final = ("", ())


def compare_branches(
    walk: walker.Walk,
    pair: walker.SchemaPair,
    old: Sequence[model.Subschemas],
    new: Sequence[model.Subschemas],
    relation: model.Relation,
) -> None:
    """Compare the branches of two choices in pairs. The verdict is sound however they are paired."""
    gone, come = _unpaired_by_text(walk, old, new)
    for mark in (_tag, _reference, _kind):
        gone, come = _pair_up(walk, pair, gone, come, mark)
    gone, come = _pair_nearest(walk, pair, gone, come)
    if relation is not model.Relation.WIDER:
        for part in gone:
            _say_branch(walk, pair, part, model.Relation.NARROWER)
    if relation is not model.Relation.NARROWER:
        for part in come:
            _say_branch(walk, pair, part, model.Relation.WIDER)


def _say_branch(
    walk: walker.Walk, pair: walker.SchemaPair, part: model.Subschemas, relation: model.Relation
) -> None:
    """Record that an alternative was added or removed."""
    pointer, schema = (part[0].pointer, part[0].schema) if part else ("", True)
    shown = {"after": schema} if relation is model.Relation.WIDER else {"before": schema}
    walk.say("choices", relation, pair, pointer, keyword="alternative", **shown)


def _pair_nearest(
    walk: walker.Walk, pair: walker.SchemaPair, gone: list[model.Subschemas], come: list[model.Subschemas]
) -> tuple[list[model.Subschemas], list[model.Subschemas]]:
    """If one side has a single branch left, compare it with the branch that shares most fields with it."""
    if 1 not in (len(gone), len(come)) or not gone or not come:
        return gone, come
    one, other = max(
        ((one, other) for one in gone for other in come), key=lambda both: _nearness(walk, *both)
    )
    if not walk.flat(one).types & walk.flat(other).types:
        return gone, come
    walk.push(walker.SchemaPair(one, other, pair.label))
    return [part for part in gone if part is not one], [part for part in come if part is not other]


def _nearness(walk: walker.Walk, one: model.Subschemas, other: model.Subschemas) -> tuple[int, int]:
    flats = walk.flat(one), walk.flat(other)
    return len(flats[0].properties.keys() & flats[1].properties.keys()), len(flats[0].types & flats[1].types)


def _unpaired_by_text(
    walk: walker.Walk, old: Sequence[model.Subschemas], new: Sequence[model.Subschemas]
) -> tuple[list[model.Subschemas], list[model.Subschemas]]:
    texts = [[walk.text(part) for part in side] for side in (old, new)]
    both = {text for text in texts[0] if text is not None} & set(texts[1])
    left = [
        [part for part, text in zip(side, own, strict=True) if text not in both]
        for side, own in zip((old, new), texts, strict=True)
    ]
    return left[0], left[1]


def _pair_up(
    walk: walker.Walk,
    pair: walker.SchemaPair,
    gone: list[model.Subschemas],
    come: list[model.Subschemas],
    mark: Mark,
) -> tuple[list[model.Subschemas], list[model.Subschemas]]:
    """Compare two branches that share a mark, if no other branch has that mark."""
    marks = [[mark(walk, part) for part in side] for side in (gone, come)]
    counts = [Counter(side) for side in marks]
    for word in [
        word for word in counts[0] if word not in _NO_MARK and counts[0][word] == counts[1][word] == 1
    ]:
        one, other = (side[own.index(word)] for side, own in zip((gone, come), marks, strict=True))
        walk.push(walker.SchemaPair(one, other, pair.label))
        gone, come = [part for part in gone if part is not one], [part for part in come if part is not other]
        marks = [[mark(walk, part) for part in side] for side in (gone, come)]
    return gone, come


def _tag(walk: walker.Walk, part: model.Subschemas) -> Hashable:
    """The fields that allow a single value, such as `kind: "circle"`."""
    flats = {name: walk.flat(inner) for name, inner in walk.flat(part).properties.items()}
    return tuple(
        sorted((name, *flat.values) for name, flat in flats.items() if flat.values and len(flat.values) == 1)
    )


def _reference(_walk: walker.Walk, part: model.Subschemas) -> Hashable:
    """The `$ref` of a branch, or else its title."""
    schema = part[0].schema if part else None
    return (schema.get("$ref") or schema.get("title") or "") if isinstance(schema, dict) else ""


def _kind(walk: walker.Walk, part: model.Subschemas) -> Hashable:
    """The types that a branch accepts."""
    return tuple(model.type_words(walk.flat(part).types))


T = TypeVar("T")


def compare_choices(
    walk: walker.Walk, pair: walker.SchemaPair, before: model.FlatSchema, after: model.FlatSchema
) -> bool:
    """Compare everything that is not a plain keyword; True if both schemas accept the same values as a whole."""
    old, new = _without_equal(walk, before.rest, after.rest)
    reaching = any(each.kind in UNEVALUATED for each in (*before.rest, *after.rest))
    if not (old or new or reaching):
        return False
    relation = walk.relation(pair.before, pair.after)
    if relation is model.Relation.EQUAL:
        return True
    if not reaching and _one_became_choice(walk, pair, (before, old), (after, new), relation):
        return True
    if len(old) == len(new) == 1 and not reaching and all(_open_choice(walk, each) for each in (*old, *new)):
        compare_branches(walk, pair, old[0].parts, new[0].parts, relation)
    else:
        _say_whole(walk, pair, old, new, relation if reaching or (old and new) else _known(relation, old))
    return False


def _one_became_choice(
    walk: walker.Walk,
    pair: walker.SchemaPair,
    before: tuple[model.FlatSchema, Sequence[model.Rest]],
    after: tuple[model.FlatSchema, Sequence[model.Rest]],
    relation: model.Relation,
) -> bool:
    """Compare a schema that is only a choice with one that has no choice, by treating the latter as one branch."""
    if _all_choice(walk, *after) and not before[0].rest:
        compare_branches(walk, pair, (pair.before,), after[1][0].parts, relation)
    elif _all_choice(walk, *before) and not after[0].rest:
        compare_branches(walk, pair, before[1][0].parts, (pair.after,), relation)
    else:
        return False
    return True


def _all_choice(walk: walker.Walk, flat: model.FlatSchema, rest: Sequence[model.Rest]) -> bool:
    alone = len(rest) == len(flat.rest) == 1 and operations.asks_nothing(replace(flat, rest=()))
    if not alone or not _open_choice(walk, rest[0]):
        return False
    return all(walk.flat(part).types <= flat.types for part in rest[0].parts)


def _known(relation: model.Relation, old: Sequence[model.Rest]) -> model.Relation:
    """The relation if only one side has a constraint: a removed one widens the schema, an added one narrows it."""
    if relation in (model.Relation.WIDER, model.Relation.NARROWER):
        return relation
    return model.Relation.WIDER if old else model.Relation.NARROWER


def _say_whole(
    walk: walker.Walk,
    pair: walker.SchemaPair,
    old: Sequence[model.Rest],
    new: Sequence[model.Rest],
    relation: model.Relation,
) -> None:
    shown = next(iter((*new, *old)), None)
    pointer = shown.pointer if shown else (pair.after or pair.before)[0].pointer
    values = {"before": _kinds(old), "after": _kinds(new)}
    walk.say("choices", relation, pair, pointer, keyword=pointer.rpartition("/")[2], **values)


def _kinds(rests: Sequence[model.Rest]) -> list[str] | None:
    return sorted({each.kind for each in rests}) or None


def _without_equal(
    walk: walker.Walk, old: Sequence[model.Rest], new: Sequence[model.Rest]
) -> tuple[list[model.Rest], list[model.Rest]]:
    """Drop the parts that both sides have, in any order and notation. The cheapest comparison comes first."""
    kept, left = _unlike_in_order(walk, old, new)
    kept, left = _without_shared(kept, left, [walk.text(each) for each in (*kept, *left)])
    for each in tuple(kept) if len(kept) <= limits.MAX_UNPAIRED else ():
        twin = next((other for other in left if _of_one_meaning(walk, each, other)), None)
        if twin is not None:
            kept, left = [one for one in kept if one is not each], [one for one in left if one is not twin]
    return kept, left


def _unlike_in_order(
    walk: walker.Walk, old: Sequence[model.Rest], new: Sequence[model.Rest]
) -> tuple[list[model.Rest], list[model.Rest]]:
    """Drop the parts with the same text at the same index, which are most parts, even in long lists."""
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
    """Drop parts whose text occurs on both sides, one for one. `texts` are those of `old`, then of `new`."""
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


def _comparable(one: model.Rest, other: model.Rest) -> bool:
    return (one.kind, one.text, len(one.parts)) == (other.kind, other.text, len(other.parts))


def _written_alike(walk: walker.Walk, one: model.Rest, other: model.Rest) -> bool:
    return _comparable(one, other) and all(
        walk.same_text(*both) for both in zip(one.parts, other.parts, strict=True)
    )


def _of_one_meaning(walk: walker.Walk, one: model.Rest, other: model.Rest) -> bool:
    """Compare two parts by walking them, if they are cyclic or too long to be written out."""
    if not _comparable(one, other) or all(each and each.closed for each in map(walk.written, (one, other))):
        return False
    return all(walk.same(*both) for both in zip(one.parts, other.parts, strict=True))


def _open_choice(walk: walker.Walk, rest: model.Rest) -> bool:
    return rest.kind == "anyOf" or (rest.kind == "oneOf" and _overlap_free(walk, rest))


def _overlap_free(walk: walker.Walk, choice: model.Rest) -> bool:
    """Whether no value matches two branches, so that `oneOf` means the same as `anyOf`."""
    written = walk.written(choice)
    if written is None:
        return False
    any_of = writer.Written({"anyOf": written.schema["oneOf"]}, written.closed)
    return writer.contained(any_of, written) is model.Relation.EQUAL
