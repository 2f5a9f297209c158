"""Arrays and objects of two flat schemas, compared: items, fields that were added or removed, further properties."""

from typing import Final

from toolbooth.contracts.diff.schemas import model, operations, scalars, walker, writer


def compare_arrays(
    walk: walker.Walk, pair: walker.SchemaPair, before: model.FlatSchema, after: model.FlatSchema
) -> None:
    """Compare the array keywords, if both schemas accept arrays."""
    if "array" not in before.types & after.types:
        return
    scalars.compare_counts(walk, pair, before, after, "items", ("minItems", "maxItems"))
    if before.unique != after.unique:
        relation = model.Relation.NARROWER if after.unique else model.Relation.WIDER
        pointer = (after if after.unique else before).where("uniqueItems")
        values = {"before": before.unique, "after": after.unique}
        walk.say("items", relation, pair, pointer, keyword="uniqueItems", **values)
    for index in range(max(len(before.prefix), len(after.prefix))):
        walk.push(walker.SchemaPair(before.position(index), after.position(index), f"{pair.label}[{index}]"))
    walk.push(walker.SchemaPair(before.items, after.items, f"{pair.label}[]"))


_SOMETIMES: Final = ("anyOf", "oneOf", "if", "dependentSchemas")


def compare_objects(
    walk: walker.Walk, pair: walker.SchemaPair, before: model.FlatSchema, after: model.FlatSchema
) -> None:
    """Compare the object keywords, if both schemas accept objects."""
    if "object" not in before.types & after.types:
        return
    for name in sorted(before.properties.keys() & after.properties.keys()):
        walk.push(
            walker.SchemaPair(before.properties[name], after.properties[name], within(pair.label, name))
        )
    _say_gone(walk, pair, before, after)
    _say_come(walk, pair, before, after)
    _say_required(walk, pair, before, after)
    _compare_further(walk, pair, before, after)
    scalars.compare_counts(walk, pair, before, after, "keys", ("minProperties", "maxProperties"))
    walk.push(walker.SchemaPair(before.names, after.names, within(pair.label, "*"), "string"))
    _compare_needs(walk, pair, before, after)


def within(label: str, name: str) -> str:
    """The label of a property."""
    return f"{label}.{name}" if label else name


def _say_gone(
    walk: walker.Walk, pair: walker.SchemaPair, before: model.FlatSchema, after: model.FlatSchema
) -> None:
    gone = before.properties.keys() - after.properties.keys()
    moved = gone & _in_branches(walk, after)
    if moved:
        _say_moved(walk, pair, model.Relation.WIDER, sorted(moved), after.pointer)
    for name in sorted(gone - moved):
        place = pair._replace(label=within(pair.label, name))
        pointer, schema = _place(before.properties[name])
        walk.say("field-removed", model.Relation.CHANGED, place, pointer, keyword=name, before=schema)


def _say_come(
    walk: walker.Walk, pair: walker.SchemaPair, before: model.FlatSchema, after: model.FlatSchema
) -> None:
    """Record an added property. `additionalProperties` or a branch of a choice may have covered it before."""
    come = after.properties.keys() - before.properties.keys()
    moved = come & _in_branches(walk, before)
    if moved:
        _say_moved(walk, pair, model.Relation.NARROWER, sorted(moved), after.pointer)
    for name in sorted(come - moved):
        place = pair._replace(label=within(pair.label, name))
        pointer, schema = _place(after.properties[name])
        facet = "field-added-required" if name in after.required else "field-added"
        walk.say(facet, model.Relation.CHANGED, place, pointer, keyword=name, after=schema)
        further = walk.flat(before.additional)
        if further.never:
            walk.say("field-new-to-closed", model.Relation.WIDER, place, pointer, keyword=name, after=schema)
        elif before.additional:
            walk.push(walker.SchemaPair(before.additional, after.properties[name], place.label))


def _say_moved(
    walk: walker.Walk, pair: walker.SchemaPair, relation: model.Relation, names: list[str], pointer: str
) -> None:
    """Report fields that moved into or out of the branches of a choice, unless the whole is known to be no worse."""
    if walk.relation(pair.before, pair.after) is not relation.mirrored:
        walk.say("choices", relation, pair, pointer, keyword="properties", before=names, after=names)


def _in_branches(walk: walker.Walk, flat: model.FlatSchema) -> set[str]:
    """Names of properties in conditional parts."""
    parts = [part for rest in flat.rest if rest.kind in _SOMETIMES for part in rest.parts if part]
    return {name for part in parts for name in walk.flat(part).properties}


def _place(subschemas: model.Subschemas) -> tuple[str, object]:
    return subschemas[0].pointer, subschemas[0].schema


def _say_required(
    walk: walker.Walk, pair: walker.SchemaPair, before: model.FlatSchema, after: model.FlatSchema
) -> None:
    old, new = before.required, after.required
    for name in sorted(old ^ new):
        came = name in after.properties and name not in before.properties
        went = name in before.properties and name not in after.properties
        if (came and name in new) or (went and name in old):
            continue
        place = pair._replace(label=within(pair.label, name))
        pointer = (after if name in new else before).where("required")
        facet = "field-required" if name in new else "field-optional"
        relation = model.Relation.NARROWER if name in new else model.Relation.WIDER
        walk.say(facet, relation, place, pointer, keyword=name, before=name in old, after=name in new)


def _compare_further(
    walk: walker.Walk, pair: walker.SchemaPair, before: model.FlatSchema, after: model.FlatSchema
) -> None:
    """Compare the schemas for properties that neither names."""
    if _patterns_interfere(before, after):
        relation = walk.relation(pair.before, pair.after)
        pointer = after.where("patternProperties")
        values = {"before": sorted(before.by_pattern), "after": sorted(after.by_pattern)}
        if relation is not model.Relation.EQUAL:
            walk.say("choices", relation, pair, pointer, keyword="patternProperties", **values)
    for pattern in sorted(before.by_pattern.keys() & after.by_pattern.keys()):
        walk.push(
            walker.SchemaPair(
                before.by_pattern[pattern], after.by_pattern[pattern], within(pair.label, f"/{pattern}/")
            )
        )
    old, new = walk.flat(before.additional), walk.flat(after.additional)
    ends = [operations.anything(old), old.never, operations.anything(new), new.never]
    if not any(ends):
        walk.push(walker.SchemaPair(before.additional, after.additional, within(pair.label, "*")))
    elif ends[:2] != ends[2:]:
        relation = model.Relation.WIDER if old.never or operations.anything(new) else model.Relation.NARROWER
        pointer = (after if after.additional else before).where("additionalProperties")
        ends_shown = {"before": _allowed(before), "after": _allowed(after)}
        walk.say("extra", relation, pair, pointer, keyword="additionalProperties", **ends_shown)


def _allowed(flat: model.FlatSchema) -> object:
    return flat.additional[0].schema if flat.additional else True


def _patterns_interfere(before: model.FlatSchema, after: model.FlatSchema) -> bool:
    """Whether a pattern may have begun or ceased to apply to a property."""
    if before.by_pattern.keys() != after.by_pattern.keys():
        return True
    moved = before.properties.keys() ^ after.properties.keys()
    return any(writer.may_match(pattern, name) for pattern in before.by_pattern for name in moved)


def _compare_needs(
    walk: walker.Walk, pair: walker.SchemaPair, before: model.FlatSchema, after: model.FlatSchema
) -> None:
    for name in sorted(before.needs.keys() | after.needs.keys()):
        old, new = before.needs.get(name, frozenset()), after.needs.get(name, frozenset())
        if old != new:
            relation = (
                model.Relation.WIDER
                if new < old
                else model.Relation.NARROWER
                if old < new
                else model.Relation.CHANGED
            )
            place = pair._replace(label=within(pair.label, name))
            pointer = (after if new else before).where("dependentRequired")
            values = {"before": sorted(old), "after": sorted(new)}
            walk.say("keys", relation, place, pointer, keyword="dependentRequired", **values)
