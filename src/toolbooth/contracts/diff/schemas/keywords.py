"""The keywords of one schema object, read into a flat schema.

What applies in place beside them (`allOf`, `$ref`, choices) is followed in `flatten`.
"""

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Final

from toolbooth import catalog
from toolbooth.contracts.diff.schemas.model import Bound, FlatSchema, Rest, Subschemas, atoms_of
from toolbooth.contracts.digest import canonical_bytes
from toolbooth.contracts.words import word_set
from toolbooth.schema import ANNOTATIONS, CONTENT, PATTERNS_OF_ANY_TEXT, UNEVALUATED, Subschema

COUNTS: Final = ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties")
# What validators that check formats know; any other is a word to readers, and compared as one.
FORMATS: Final = word_set(
    "date-time date time duration email idn-email hostname idn-hostname ipv4 ipv6 uri "
    "uri-reference iri iri-reference uuid uri-template json-pointer relative-json-pointer regex"
)
_IDLE: Final[dict[str, Any]] = {
    "required": [],
    "uniqueItems": False,
    "minLength": 0,
    "minItems": 0,
    "minProperties": 0,
    "properties": {},
    "additionalProperties": True,
}

Reads = Callable[[FlatSchema, Subschema, Mapping[str, Any]], None]
READS: Final[list[Reads]] = []


def reads(function: Reads) -> Reads:
    """Enter one group of keywords into the table."""
    READS.append(function)
    return function


def flat_of_keywords(subschema: Subschema) -> FlatSchema:
    """The constraints of this object's own keywords, without its subschemas in place."""
    flat = FlatSchema(subschema.pointer)
    if subschema.schema is False:
        flat.types = frozenset()
    elif isinstance(subschema.schema, Mapping):
        flat.at = {word: f"{subschema.pointer}/{word}" for word in subschema.schema}
        for function in READS:
            function(flat, subschema, subschema.schema)
    elif subschema.schema is not True:
        odd(flat, subschema, "", subschema.schema)
    return flat


def odd(flat: FlatSchema, subschema: Subschema, word: str, value: Any) -> None:
    """A keyword with a value that has no meaning; it equals only itself."""
    flat.rest += (Rest("odd", (), f"{word} {catalog.canonical(value)}", subschema.pointer),)


@reads
def _types(flat: FlatSchema, subschema: Subschema, schema: Mapping[str, Any]) -> None:
    if "type" in schema:
        names = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        known = [atoms_of(name) for name in names]
        if not all(known) or not known:
            odd(flat, subschema, "type", schema["type"])
        else:
            flat.types = frozenset().union(*known)
    if "const" in schema:
        flat.values = _by_key([schema["const"]])
        flat.at["enum"] = f"{subschema.pointer}/const"
    if isinstance(schema.get("enum"), list):
        listed = _by_key(schema["enum"])
        flat.values = listed if flat.values is None else {k: v for k, v in listed.items() if k in flat.values}
    elif "enum" in schema:
        odd(flat, subschema, "enum", schema["enum"])


def _by_key(values: list[Any]) -> dict[str, Any]:
    """Values by their JSON identity: 1 equals 1.0, but 1 does not equal true."""
    return {canonical_bytes(value).decode("utf-8", "surrogatepass"): value for value in values}


@reads
def _numbers(flat: FlatSchema, subschema: Subschema, schema: Mapping[str, Any]) -> None:
    for word, exclusive, tighter in (
        ("minimum", "exclusiveMinimum", max),
        ("maximum", "exclusiveMaximum", min),
    ):
        ends = []
        inclusive = _number(schema.get(word))
        if inclusive is not None:
            ends.append(Bound(schema[word], inclusive, schema.get(exclusive) is True))
        beyond = _number(schema.get(exclusive))
        if beyond is not None:
            ends.append(Bound(schema[exclusive], beyond, True))
        for name, read in ((word, inclusive), (exclusive, beyond)):
            if name in schema and read is None and not isinstance(schema[name], bool):
                odd(flat, subschema, name, schema[name])
        if ends:
            end = tighter(ends, key=lambda bound: (bound.exact, bound.exclusive == (tighter is max)))
            setattr(flat, word, end)
            flat.at[word] = (
                f"{subschema.pointer}/{exclusive if end.exclusive and beyond is not None else word}"
            )
    if "multipleOf" in schema:
        step = _number(schema["multipleOf"])
        if step is None or step <= 0:
            odd(flat, subschema, "multipleOf", schema["multipleOf"])
        else:
            flat.multiples = frozenset((step,))


def _number(value: Any) -> Fraction | None:
    """The exact number as written: 0.1 is one tenth, not the nearest double."""
    if isinstance(value, int) and not isinstance(value, bool):
        return Fraction(value)
    return Fraction(repr(value)) if isinstance(value, float) and math.isfinite(value) else None


@reads
def _counts(flat: FlatSchema, subschema: Subschema, schema: Mapping[str, Any]) -> None:
    for word in COUNTS:
        if word in schema:
            number = _number(schema[word])
            if number is None or number.denominator != 1 or number < 0:
                odd(flat, subschema, word, schema[word])
            elif number or word.startswith("max"):
                flat.counts[word] = int(number)


@reads
def _strings(flat: FlatSchema, subschema: Subschema, schema: Mapping[str, Any]) -> None:
    pattern, form = schema.get("pattern"), schema.get("format")
    if isinstance(pattern, str):
        flat.patterns = frozenset((pattern,)) - PATTERNS_OF_ANY_TEXT
    elif "pattern" in schema:
        odd(flat, subschema, "pattern", pattern)
    if isinstance(form, str) and form in FORMATS:
        flat.formats = frozenset((form,))
    for word in CONTENT:
        if isinstance(schema.get(word), str):
            flat.formats |= {f"{word} {schema[word]}"}


@reads
def _arrays(flat: FlatSchema, subschema: Subschema, schema: Mapping[str, Any]) -> None:
    may_list = subschema.dialect.items_may_be_list
    listed = "items" if may_list and isinstance(schema.get("items"), list) else "prefixItems"
    if isinstance(schema.get(listed), list) and (listed == "items" or not may_list):
        flat.prefix = tuple(_part(subschema, listed, index) for index in range(len(schema[listed])))
    further = "additionalItems" if listed == "items" else "items"
    flat.items = _part(subschema, further)
    flat.unique = schema.get("uniqueItems") is True
    if "contains" in schema:
        counted = subschema.dialect.since_2019
        least, most = (schema.get("minContains"), schema.get("maxContains")) if counted else (None, None)
        if least != 0 or most is not None:
            text = catalog.canonical([1 if least is None else least, most])
            flat.rest += (
                Rest("contains", ((subschema.at("contains"),),), text, f"{subschema.pointer}/contains"),
            )


@reads
def _objects(flat: FlatSchema, subschema: Subschema, schema: Mapping[str, Any]) -> None:
    for word, table in (("properties", flat.properties), ("patternProperties", flat.by_pattern)):
        inner = schema.get(word)
        if isinstance(inner, Mapping):
            table.update({str(name): (subschema.at(word, name),) for name in inner})
        elif word in schema:
            odd(flat, subschema, word, inner)
    flat.additional = _part(subschema, "additionalProperties")
    flat.names = _part(subschema, "propertyNames")
    required = schema.get("required", [])
    if isinstance(required, list) and all(isinstance(name, str) for name in required):
        flat.required = frozenset(required)
    elif not isinstance(required, bool):  # `required: true` on a property, as in draft 3, says nothing
        odd(flat, subschema, "required", required)


@reads
def _dependents(flat: FlatSchema, subschema: Subschema, schema: Mapping[str, Any]) -> None:
    for word in (
        "dependencies",
        *(("dependentRequired", "dependentSchemas") if subschema.dialect.since_2019 else ()),
    ):
        table = schema.get(word, {})
        if not isinstance(table, Mapping):
            odd(flat, subschema, word, table)
            continue
        for name, needed in table.items():
            if isinstance(needed, list):
                flat.needs[name] = flat.needs.get(name, frozenset()) | frozenset(map(str, needed))
            elif _part(subschema, word, name):
                pointer = subschema.at(word, name).pointer
                flat.rest += (Rest("dependentSchemas", (_part(subschema, word, name),), str(name), pointer),)


@reads
def _unevaluated(flat: FlatSchema, subschema: Subschema, _schema: Mapping[str, Any]) -> None:
    for word in UNEVALUATED:
        if subschema.dialect.since_2019 and _part(subschema, word):
            flat.rest += (Rest(word, (_part(subschema, word),), "", f"{subschema.pointer}/{word}"),)


def _part(subschema: Subschema, *steps: str | int) -> Subschemas:
    """The subschema of a keyword; empty if it is missing or accepts everything."""
    if isinstance(subschema.schema, Mapping) and steps[0] in subschema.schema:
        inner = subschema.at(*steps)
        return () if inner.schema is True or _says_nothing(inner.schema) else (inner,)
    return ()


def _says_nothing(schema: Any) -> bool:
    """Whether every keyword is an annotation or always satisfied."""
    return isinstance(schema, Mapping) and all(
        word in ANNOTATIONS or (word in _IDLE and _IDLE[word] == value) for word, value in schema.items()
    )
