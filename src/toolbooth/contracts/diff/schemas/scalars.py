"""Types, listed values, numbers and strings of two flat schemas, compared."""

from typing import Any

from toolbooth.contracts.diff.schemas import model, walker, writer

NULL = "null"


def compare_types(
    walk: walker.Walk, pair: walker.SchemaPair, before: model.FlatSchema, after: model.FlatSchema
) -> None:
    """Compare types; null is reported apart from other types, because readers must handle it separately."""
    old, new = before.types - {NULL}, after.types - {NULL}
    if (NULL in before.types) != (NULL in after.types):
        relation = model.Relation.WIDER if NULL in after.types else model.Relation.NARROWER
        kinds = {"before": model.type_words(before.types), "after": model.type_words(after.types)}
        walk.say("null", relation, pair, after.where("type"), keyword="type", **kinds)
    if old != new and (before.values is None or after.values is None):
        only = {"before": _kinds(old, before), "after": _kinds(new, after)}
        walk.say("type", _type_relation(old, new), pair, after.where("type"), keyword="type", **only)
    if old & new or None not in (before.values, after.values):
        _compare_values(walk, pair, before, after)


def _kinds(others: frozenset[str], flat: model.FlatSchema) -> list[str] | None:
    """The types without null, or null if it is the only one; None for a schema that accepts no value."""
    return model.type_words(others or flat.types) or None


def _type_relation(old: frozenset[str], new: frozenset[str]) -> model.Relation:
    if old < new:
        return model.Relation.WIDER
    return model.Relation.NARROWER if new < old else model.Relation.CHANGED


def _compare_values(
    walk: walker.Walk, pair: walker.SchemaPair, before: model.FlatSchema, after: model.FlatSchema
) -> None:
    old, new = _listed(before), _listed(after)
    where = {"pointer": after.where("enum") if new is not None else before.where("enum"), "keyword": "enum"}
    if old is None or new is None:
        if old != new:
            relation = model.Relation.NARROWER if old is None else model.Relation.WIDER
            walk.say("enum", relation, pair, before=_values(old), after=_values(new), **where)
        return
    for gone, relation in (
        (old.keys() - new.keys(), model.Relation.NARROWER),
        (new.keys() - old.keys(), model.Relation.WIDER),
    ):
        if gone:
            walk.say("enum", relation, pair, before=_values(old), after=_values(new), **where)


def _listed(flat: model.FlatSchema) -> dict[str, Any] | None:
    return (
        None
        if flat.values is None
        else {key: value for key, value in flat.values.items() if value is not None}
    )


def _values(listed: dict[str, Any] | None) -> list[Any] | None:
    return None if listed is None else [listed[key] for key in sorted(listed)]


def compare_numbers(
    walk: walker.Walk, pair: walker.SchemaPair, before: model.FlatSchema, after: model.FlatSchema
) -> None:
    """Compare the number keywords, if both schemas accept numbers."""
    if not before.types & after.types & model.NUMBERS:
        return
    for word, sign in (("minimum", 1), ("maximum", -1)):
        old, new = getattr(before, word), getattr(after, word)
        relation = _bound_relation(old, new, sign)
        if relation is not model.Relation.EQUAL:
            pointer = (after if new is not None else before).where(word)
            keyword = _keyword(word, new or old)
            raw = {"before": _shown(word, old, keyword), "after": new and new.raw}
            walk.say("bounds", relation, pair, pointer, keyword=keyword, **raw)
    _compare_steps(walk, pair, before, after)


def _keyword(word: str, end: model.Bound | None) -> str:
    """The keyword of a bound. Bounds of integers are always treated as inclusive."""
    return f"exclusive{word.capitalize()}" if end and end.exclusive else word


def _shown(word: str, old: model.Bound | None, keyword: str) -> object:
    """The old bound, with its keyword if that differs."""
    if old is None or _keyword(word, old) == keyword:
        return old and old.raw
    return {_keyword(word, old): old.raw}


def _bound_relation(old: model.Bound | None, new: model.Bound | None, sign: int) -> model.Relation:
    if old == new or (old and new and (old.raw, old.exclusive) == (new.raw, new.exclusive)):
        return model.Relation.EQUAL
    if old is None or new is None:
        return model.Relation.NARROWER if old is None else model.Relation.WIDER
    before, after = ((sign * end.exact, end.exclusive) for end in (old, new))
    if before == after:
        return model.Relation.EQUAL
    return model.Relation.NARROWER if after > before else model.Relation.WIDER


def _compare_steps(
    walk: walker.Walk, pair: walker.SchemaPair, before: model.FlatSchema, after: model.FlatSchema
) -> None:
    old, new = before.multiples, after.multiples
    wider = all(any((step / other).denominator == 1 for step in old) for other in new)
    narrower = all(any((step / other).denominator == 1 for step in new) for other in old)
    if old == new or (wider and narrower):
        return
    relation = (
        model.Relation.WIDER if wider else model.Relation.NARROWER if narrower else model.Relation.CHANGED
    )
    raw = {
        "before": [writer.plain_number(step) for step in sorted(old)],
        "after": [writer.plain_number(step) for step in sorted(new)],
    }
    walk.say(
        "bounds", relation, pair, (after if new else before).where("multipleOf"), keyword="multipleOf", **raw
    )


def compare_strings(
    walk: walker.Walk, pair: walker.SchemaPair, before: model.FlatSchema, after: model.FlatSchema
) -> None:
    """Compare the string keywords, if both schemas accept strings."""
    if "string" not in before.types & after.types:
        return
    compare_counts(walk, pair, before, after, "length", ("minLength", "maxLength"))
    for facet, old, new in (
        ("pattern", before.patterns, after.patterns),
        ("format", before.formats, after.formats),
    ):
        if old != new:
            relation = (
                model.Relation.WIDER
                if new < old
                else model.Relation.NARROWER
                if old < new
                else model.Relation.UNCLEAR
            )
            pointer = (after if new else before).where(facet)
            walk.say(facet, relation, pair, pointer, keyword=facet, before=_one(old), after=_one(new))


def compare_counts(
    walk: walker.Walk,
    pair: walker.SchemaPair,
    before: model.FlatSchema,
    after: model.FlatSchema,
    facet: str,
    words: tuple[str, ...],
) -> None:
    """Compare bounds on the number of characters, items or properties."""
    for word in words:
        old, new = before.counts.get(word), after.counts.get(word)
        if old == new:
            continue
        if old is None or new is None:
            relation = model.Relation.NARROWER if old is None else model.Relation.WIDER
        else:
            relation = (
                model.Relation.NARROWER if (new > old) == word.startswith("min") else model.Relation.WIDER
            )
        pointer = (after if new is not None else before).where(word)
        walk.say(facet, relation, pair, pointer, keyword=word, before=old, after=new)


def _one(words: frozenset[str]) -> str | list[str] | None:
    return next(iter(words), None) if len(words) < 2 else sorted(words)
