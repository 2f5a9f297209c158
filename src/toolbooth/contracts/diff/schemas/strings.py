"""Lengths, patterns and formats of two flats → what differs."""

from toolbooth.contracts.diff.schemas.difference import Relation
from toolbooth.contracts.diff.schemas.flat import Flat
from toolbooth.contracts.diff.schemas.pairs import Pair, Walk


def compare_strings(walk: Walk, pair: Pair, before: Flat, after: Flat) -> None:
    """Only where both take strings at all."""
    if "string" not in before.types & after.types:
        return
    compare_counts(walk, pair, before, after, "length", ("minLength", "maxLength"))
    for facet, old, new in (
        ("pattern", before.patterns, after.patterns),
        ("format", before.formats, after.formats),
    ):
        if old != new:
            relation = Relation.WIDER if new < old else Relation.NARROWER if old < new else Relation.UNCLEAR
            pointer = (after if new else before).where(facet)
            walk.say(facet, relation, pair, pointer, keyword=facet, before=_one(old), after=_one(new))


def compare_counts(
    walk: Walk, pair: Pair, before: Flat, after: Flat, facet: str, words: tuple[str, ...]
) -> None:
    """Numbers of characters, items or properties."""
    for word in words:
        old, new = before.counts.get(word), after.counts.get(word)
        if old == new:
            continue
        if old is None or new is None:
            relation = Relation.NARROWER if old is None else Relation.WIDER
        else:
            relation = Relation.NARROWER if (new > old) == word.startswith("min") else Relation.WIDER
        pointer = (after if new is not None else before).where(word)
        walk.say(facet, relation, pair, pointer, keyword=word, before=old, after=new)


def _one(words: frozenset[str]) -> str | list[str] | None:
    return next(iter(words), None) if len(words) < 2 else sorted(words)
