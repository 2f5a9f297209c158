"""Flat schemas written as JSON Schema 2020-12, and the validation engine's verdict on which of two accepts more.

The written form is nearly the same for every notation of one meaning, so equal texts need no engine.
"""

import json
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Final

from toolbooth import catalog, limits
from toolbooth.contracts.diff.schemas.flatten import Flattener
from toolbooth.contracts.diff.schemas.model import (
    ATOMS,
    NUMBERS,
    ComparisonTooLarge,
    FlatSchema,
    Key,
    Relation,
    Rest,
    Subschemas,
    key_of,
    type_words,
)

PER_WRITTEN: Final = 5  # parts that could be read in the time in which one is written


@dataclass(frozen=True)
class Written:
    """A schema as JSON. Only a `closed` one, without cycles and unresolved references, can be given to an engine."""

    schema: Any
    closed: bool

    @cached_property
    def text(self) -> str:
        """The canonical text: equal texts have equal meaning, and mostly the reverse."""
        return catalog.canonical(self.schema)


class Writer:
    """Writes the schemas of one comparison."""

    def __init__(self, flattener: Flattener) -> None:
        self._flattener = flattener
        self._known: dict[Hashable, Written | None] = {}
        self._path: list[Key] = []
        self._left = 0
        self._closed = True

    def write(self, what: Subschemas | Rest) -> Written | None:
        """The schema as normalized JSON; None if it would be too long."""
        key = (what.kind, what.text, *map(key_of, what.parts)) if isinstance(what, Rest) else key_of(what)
        if key not in self._known:
            self._known[key] = self._write(what)
        return self._known[key]

    def _write(self, what: Subschemas | Rest) -> Written | None:
        self._path, self._left, self._closed = [], limits.MAX_WRITTEN_PARTS, True
        try:
            made = self._rest(what) if isinstance(what, Rest) else self._schema(what)
        except ComparisonTooLarge:
            return None
        return Written(made, self._closed)

    def _schema(self, subschemas: Subschemas) -> Any:
        key = self._flattener.key(subschemas)
        if key and key in self._path:
            self._closed = False
            return {"$ref": f"up {len(self._path) - self._path.index(key)}"}
        self._flattener.spend(PER_WRITTEN)
        self._left -= 1
        if self._left < 0 or len(self._path) > limits.MAX_SCHEMA_LEVELS:
            raise ComparisonTooLarge
        self._path.append(key)
        made = self._of_flat(self._flattener.flat(subschemas))
        self._path.pop()
        return made

    def _of_flat(self, flat: FlatSchema) -> Any:
        if flat.never:
            return False
        made: dict[str, Any] = dict(flat.counts)
        made |= _types(flat) | _numbers(flat)
        if flat.unique:
            made["uniqueItems"] = True
        self._put_parts(made, flat)
        every: list[Any] = [{"pattern": each} for each in sorted(flat.patterns)]
        every += [{"format": each} for each in sorted(flat.formats)]
        # An encoding, which the engine does not see
        self._closed &= not any(" " in each for each in flat.formats)
        every += [{"multipleOf": plain_number(step)} for step in sorted(flat.multiples)]
        every += _sorted([self._rest(rest) for rest in flat.rest], once=True)
        return made | ({"allOf": every} if every else {})

    def _put_parts(self, made: dict[str, Any], flat: FlatSchema) -> None:
        if flat.prefix:
            made["prefixItems"] = [self._schema(part) for part in flat.prefix]
        for word, part in (
            ("items", flat.items),
            ("additionalProperties", flat.additional),
            ("propertyNames", flat.names),
        ):
            inner = self._schema(part) if part else {}
            if inner not in ({}, {"type": ["string"]} if word == "propertyNames" else {}):
                made[word] = inner
        for word, table in (("properties", flat.properties), ("patternProperties", flat.by_pattern)):
            if table:
                made[word] = {name: self._schema(part) for name, part in table.items()}
        if flat.required:
            made["required"] = sorted(flat.required)
        if flat.needs:
            made["dependentRequired"] = {name: sorted(needed) for name, needed in flat.needs.items()}

    def _rest(self, rest: Rest) -> Mapping[str, Any]:
        parts = [self._schema(part) for part in rest.parts]
        match rest.kind:
            case "anyOf" | "oneOf":
                return {rest.kind: _sorted(parts, once=rest.kind == "anyOf")}
            case "not" | "unevaluatedProperties" | "unevaluatedItems":
                return {rest.kind: parts[0]}
            case "if":
                return dict(zip(("if", "then", "else"), parts, strict=True))
            case "contains":
                least, most = json.loads(rest.text)
                return {"contains": parts[0], "minContains": least} | (
                    {} if most is None else {"maxContains": most}
                )
            case "dependentSchemas":
                return {"dependentSchemas": {rest.text: parts[0]}}
            case "additionalProperties":
                names, patterns = json.loads(rest.text)
                open_names = {
                    "properties": dict.fromkeys(names, True),
                    "patternProperties": dict.fromkeys(patterns, True),
                }
                return {**open_names, "additionalProperties": parts[0]}
        self._closed = False
        return {"$ref": f"{rest.kind} {rest.text}"}


def _sorted(schemas: Sequence[Any], *, once: bool) -> list[Any]:
    """Schemas sorted by their text, without duplicates if `once`."""
    texts = sorted((catalog.canonical(schema), index) for index, schema in enumerate(schemas))
    first = dict(reversed(texts))
    return [schemas[index] for text, index in texts if not once or first[text] == index]


def _types(flat: FlatSchema) -> dict[str, Any]:
    made: dict[str, Any] = {}
    if flat.values is not None:
        made["enum"] = [flat.values[key] for key in sorted(flat.values)]
    elif flat.types != ATOMS:
        made["type"] = type_words(flat.types)
    if flat.types & NUMBERS == {"fraction"}:
        made["not"] = {"type": "integer"}
    return made


def _numbers(flat: FlatSchema) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for word, exclusive, end in (
        ("minimum", "exclusiveMinimum", flat.minimum),
        ("maximum", "exclusiveMaximum", flat.maximum),
    ):
        if end is not None:
            made[exclusive if end.exclusive else word] = plain_number(end.exact)
    return made


def plain_number(number: Fraction) -> float | str:
    """The number for JSON. One beyond the range of doubles becomes a string, which the engine rejects."""
    if number.denominator == 1:
        return number.numerator
    try:
        return float(number)
    except OverflowError:
        return str(number)


_MANY: Final = 24  # parts that hold at once: their intersection takes time that grows with the square
_IN_PLACE: Final = ("anyOf", "oneOf")


def contained(before: Written | None, after: Written | None) -> Relation:
    """The engine's verdict; UNCLEAR if it cannot decide, or would take too long."""
    if before is None or after is None or not (before.closed and after.closed):
        return Relation.UNCLEAR
    if max(_cases(before.schema), _cases(after.schema)) > limits.MAX_ENGINE_CASES:
        return Relation.UNCLEAR
    answers = {_asked(before.schema, after.schema, formats=formats) for formats in (True, False)}
    return _agreed(answers)


def _agreed(answers: set[Relation]) -> Relation:
    """The verdict that is true with and without format checks, since validators differ in that."""
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
    """How many cases the engine may have to distinguish. Choices that apply together multiply."""
    if isinstance(schema, list):
        return max(map(_cases, schema), default=1)
    if not isinstance(schema, dict):
        return 1
    cases = max((_cases(inner) for word, inner in schema.items() if word not in ("allOf", "enum")), default=1)
    parts = schema.get("allOf", ())
    if len(parts) > _MANY:
        return limits.MAX_ENGINE_CASES + 1
    for part in parts:
        branches = [inner for word in _IN_PLACE for inner in part.get(word, ())]
        own = sum(map(_cases, branches)) if branches else _cases(part)
        cases *= 3 * own if "if" in part else own * 2 if "oneOf" in part else max(1, own)
    return cases


def may_match(pattern: str, name: str) -> bool:
    """Whether the pattern may match the name; one that the engine does not support may match anything."""
    import jsonschema_rs as engine

    try:
        judge = engine.Draft202012Validator({"pattern": pattern}, pattern_options=engine.RegexOptions())
    except (ValueError, engine.ValidationError):
        return True
    return judge.is_valid(name)
