"""Bounds and steps of numbers in two flats → what differs."""

from toolbooth.contracts.diff.schemas.difference import Relation
from toolbooth.contracts.diff.schemas.flat import NUMBERS, Bound, Flat
from toolbooth.contracts.diff.schemas.pairs import Pair, Walk
from toolbooth.contracts.diff.schemas.written import plain_number


def compare_numbers(walk: Walk, pair: Pair, before: Flat, after: Flat) -> None:
    """Only where both take numbers at all."""
    if not before.types & after.types & NUMBERS:
        return
    for word, sign in (("minimum", 1), ("maximum", -1)):
        old, new = getattr(before, word), getattr(after, word)
        relation = _relation(old, new, sign)
        if relation is not Relation.EQUAL:
            pointer = (after if new is not None else before).where(word)
            keyword = _keyword(word, new or old)
            raw = {"before": _shown(word, old, keyword), "after": new and new.raw}
            walk.say("bounds", relation, pair, pointer, keyword=keyword, **raw)
    _compare_steps(walk, pair, before, after)


def _keyword(word: str, end: Bound | None) -> str:
    """What a bound is called by its value: that of whole numbers is inclusive, however it is written."""
    return f"exclusive{word.capitalize()}" if end and end.exclusive else word


def _shown(word: str, old: Bound | None, keyword: str) -> object:
    """Under its own keyword where that is another one."""
    if old is None or _keyword(word, old) == keyword:
        return old and old.raw
    return {_keyword(word, old): old.raw}


def _relation(old: Bound | None, new: Bound | None, sign: int) -> Relation:
    if old == new or (old and new and (old.raw, old.exclusive) == (new.raw, new.exclusive)):
        return Relation.EQUAL
    if old is None or new is None:
        return Relation.NARROWER if old is None else Relation.WIDER
    before, after = ((sign * end.exact, end.exclusive) for end in (old, new))
    if before == after:
        return Relation.EQUAL
    return Relation.NARROWER if after > before else Relation.WIDER


def _compare_steps(walk: Walk, pair: Pair, before: Flat, after: Flat) -> None:
    old, new = before.multiples, after.multiples
    wider = all(any((step / other).denominator == 1 for step in old) for other in new)
    narrower = all(any((step / other).denominator == 1 for step in new) for other in old)
    if old == new or (wider and narrower):
        return
    relation = Relation.WIDER if wider else Relation.NARROWER if narrower else Relation.CHANGED
    raw = {
        "before": [plain_number(step) for step in sorted(old)],
        "after": [plain_number(step) for step in sorted(new)],
    }
    walk.say(
        "bounds", relation, pair, (after if new else before).where("multipleOf"), keyword="multipleOf", **raw
    )
