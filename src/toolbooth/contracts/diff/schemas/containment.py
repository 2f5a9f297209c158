"""Two written schemas → whether one accepts all that the other does, by the engine that also validates calls."""

from typing import Any, Final

from toolbooth.contracts.diff.schemas.difference import Relation
from toolbooth.contracts.diff.schemas.written import Written
from toolbooth.limits import MAX_ENGINE_CASES

_MANY: Final = 24  # parts that hold at once: their intersection takes time that grows with the square
_IN_PLACE: Final = ("anyOf", "oneOf")


def contained(before: Written | None, after: Written | None) -> Relation:
    """UNCLEAR where the engine cannot tell, or where asking it would take long."""
    if before is None or after is None or not (before.closed and after.closed):
        return Relation.UNCLEAR
    if max(_cases(before.schema), _cases(after.schema)) > MAX_ENGINE_CASES:
        return Relation.UNCLEAR
    answers = {_asked(before.schema, after.schema, formats=formats) for formats in (True, False)}
    return _agreed(answers)


def _agreed(answers: set[Relation]) -> Relation:
    """What holds whether or not formats are checked, which some validators do."""
    certain = answers - {Relation.EQUAL}
    if not certain:
        return Relation.EQUAL
    return certain.pop() if len(certain) == 1 else Relation.UNCLEAR


def _asked(before: Any, after: Any, *, formats: bool) -> Relation:
    import jsonschema_rs as engine

    try:
        old, new = (
            engine.canonicalize(each, validate_formats=formats, offline=True) for each in (before, after)
        )
        wider, narrower = str(new.covers(old)), str(old.covers(new))
    except (ValueError, AttributeError):  # what it cannot model, or a version that has no such question
        return Relation.UNCLEAR
    if wider == "yes":
        return Relation.EQUAL if narrower == "yes" else Relation.WIDER
    if narrower == "yes":
        return Relation.NARROWER
    return Relation.CHANGED if (wider, narrower) == ("no", "no") else Relation.UNCLEAR


def _cases(schema: Any) -> int:
    """How many cases the engine may have to tell apart: choices that hold at once multiply."""
    if isinstance(schema, list):
        return max(map(_cases, schema), default=1)
    if not isinstance(schema, dict):
        return 1
    cases = max((_cases(inner) for word, inner in schema.items() if word not in ("allOf", "enum")), default=1)
    parts = schema.get("allOf", ())
    if len(parts) > _MANY:
        return MAX_ENGINE_CASES + 1
    for part in parts:
        branches = [inner for word in _IN_PLACE for inner in part.get(word, ())]
        own = sum(map(_cases, branches)) if branches else _cases(part)
        cases *= 3 * own if "if" in part else own * 2 if "oneOf" in part else max(1, own)
    return cases


def may_match(pattern: str, name: str) -> bool:
    """By the engine's linear patterns; one that it does not understand may match anything."""
    import jsonschema_rs as engine

    try:
        judge = engine.Draft202012Validator({"pattern": pattern}, pattern_options=engine.RegexOptions())
    except (ValueError, engine.ValidationError):
        return True
    return judge.is_valid(name)
