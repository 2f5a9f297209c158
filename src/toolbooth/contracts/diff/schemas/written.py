"""A flat → the plainest schema of 2020-12 that asks for the same: one text for all notations of one thing."""

import json
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Final

from toolbooth.catalog import canonical
from toolbooth.contracts.diff.schemas.difference import TooMuch
from toolbooth.contracts.diff.schemas.flat import ATOMS, NUMBERS, Flat, Rest, type_words
from toolbooth.contracts.diff.schemas.flatten import Flattener
from toolbooth.contracts.diff.schemas.spot import Key, Spots, key_of
from toolbooth.limits import MAX_SCHEMA_LEVELS, MAX_WRITTEN_PARTS

PER_WRITTEN: Final = 5  # parts that could be read in the time in which one is written


@dataclass(frozen=True)
class Written:
    """`schema` can be judged by an engine only if it is `closed`: without circles and lost references."""

    schema: Any
    closed: bool

    @cached_property
    def text(self) -> str:
        """The same for the same meaning, mostly; the same only for the same meaning."""
        return canonical(self.schema)


class Writer:
    """Writes the schemas of one comparison."""

    def __init__(self, flattener: Flattener) -> None:
        self._flattener = flattener
        self._known: dict[Hashable, Written | None] = {}
        self._path: list[Key] = []
        self._left = 0
        self._closed = True

    def write(self, what: Spots | Rest) -> Written | None:
        """None where it would be too long."""
        key = (what.kind, what.text, *map(key_of, what.parts)) if isinstance(what, Rest) else key_of(what)
        if key not in self._known:
            self._known[key] = self._write(what)
        return self._known[key]

    def _write(self, what: Spots | Rest) -> Written | None:
        self._path, self._left, self._closed = [], MAX_WRITTEN_PARTS, True
        try:
            made = self._rest(what) if isinstance(what, Rest) else self._schema(what)
        except TooMuch:
            return None
        return Written(made, self._closed)

    def _schema(self, spots: Spots) -> Any:
        key = self._flattener.key(spots)
        if key and key in self._path:
            self._closed = False
            return {"$ref": f"up {len(self._path) - self._path.index(key)}"}
        self._flattener.spend(PER_WRITTEN)
        self._left -= 1
        if self._left < 0 or len(self._path) > MAX_SCHEMA_LEVELS:
            raise TooMuch
        self._path.append(key)
        made = self._of_flat(self._flattener.flat(spots))
        self._path.pop()
        return made

    def _of_flat(self, flat: Flat) -> Any:
        if flat.never:
            return False
        made: dict[str, Any] = dict(flat.counts)
        made |= _types(flat) | _numbers(flat)
        if flat.unique:
            made["uniqueItems"] = True
        self._put_parts(made, flat)
        every: list[Any] = [{"pattern": each} for each in sorted(flat.patterns)]
        every += [{"format": each} for each in sorted(flat.formats)]
        self._closed &= not any(
            " " in each for each in flat.formats
        )  # an encoding, which the engine does not see
        every += [{"multipleOf": plain_number(step)} for step in sorted(flat.multiples)]
        every += _sorted([self._rest(rest) for rest in flat.rest], once=True)
        return made | ({"allOf": every} if every else {})

    def _put_parts(self, made: dict[str, Any], flat: Flat) -> None:
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
    """By their text, where asked each once: what holds twice holds."""
    texts = sorted((canonical(schema), index) for index, schema in enumerate(schemas))
    first = dict(reversed(texts))
    return [schemas[index] for text, index in texts if not once or first[text] == index]


def _types(flat: Flat) -> dict[str, Any]:
    made: dict[str, Any] = {}
    if flat.values is not None:
        made["enum"] = [flat.values[key] for key in sorted(flat.values)]
    elif flat.types != ATOMS:
        made["type"] = type_words(flat.types)
    if flat.types & NUMBERS == {"fraction"}:
        made["not"] = {"type": "integer"}
    return made


def _numbers(flat: Flat) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for word, exclusive, end in (
        ("minimum", "exclusiveMinimum", flat.minimum),
        ("maximum", "exclusiveMaximum", flat.maximum),
    ):
        if end is not None:
            made[exclusive if end.exclusive else word] = plain_number(end.exact)
    return made


def plain_number(number: Fraction) -> float | str:
    """As JSON writes it; what no double can hold is a text, which an engine refuses."""
    if number.denominator == 1:
        return number.numerator
    try:
        return float(number)
    except OverflowError:
        return str(number)
