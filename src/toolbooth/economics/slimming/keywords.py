"""The keywords of JSON Schema as far as slimming has to know them beyond `toolbooth.schema`."""

from typing import Final

from toolbooth import schema


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# A schema with one of these gives or takes its meaning from afar (names, dynamic scope, what siblings have
# evaluated), so no local argument shows that a change is lossless: it stays as it is.
FAR_REACHING: Final = _words(
    "$anchor $dynamicAnchor $dynamicRef $recursiveAnchor $recursiveRef $vocabulary "
    "unevaluatedItems unevaluatedProperties"
)

# Values that are data: whatever stands in them is no schema and no reference.
DATA: Final = frozenset(("const", "enum", "default", "examples"))

# What a validator does not read. Keywords that no dialect knows belong here too; see `is_annotation`.
_UNREAD: Final = schema.ANNOTATIONS | {"$schema", "$id"}

_STRING: Final = frozenset(("string",))
_NUMBER: Final = frozenset(("integer", "number"))
_ARRAY: Final = frozenset(("array",))
_OBJECT: Final = frozenset(("object",))

# The only types that a keyword says anything about; of every other type it accepts all.
SPEAKS_OF: Final[dict[str, frozenset[str]]] = {
    **dict.fromkeys(("minLength", "maxLength", "pattern", "contentEncoding", "contentMediaType"), _STRING),
    "format": _STRING | _NUMBER,  # OpenAPI has formats of numbers; a model would take them for the string's
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"), _NUMBER),
    **dict.fromkeys(
        _words(
            "items prefixItems additionalItems contains minContains maxContains minItems maxItems uniqueItems"
        ),
        _ARRAY,
    ),
    **dict.fromkeys(
        _words(
            "properties patternProperties additionalProperties propertyNames required minProperties "
            "maxProperties dependencies dependentRequired dependentSchemas"
        ),
        _OBJECT,
    ),
}

_EVERY_TYPE: Final = _words("type enum const $ref not anyOf allOf oneOf if then else")

# Keywords that read each other: both sides of a merge may not have one of the same group.
GROUPS: Final = (
    frozenset(("properties", "patternProperties", "additionalProperties")),
    _words("items prefixItems additionalItems contains minContains maxContains"),
    schema.CONDITIONS,
)

# `$schema` of an older dialect may only go where 2020-12 reads every keyword the same way. Formats and content
# keywords are asserted by many validators up to draft 7 and by few since.
_NOT_IN_OLD: Final = schema.ASSERTED_SINCE_2019 | {"$defs", "dependentSchemas", "prefixItems"}
_ASSERTED_IN_OLD: Final = _words("format contentEncoding contentMediaType contentSchema dependencies")
READ_OTHERWISE: Final[dict[schema.Dialect, frozenset[str]]] = {
    schema.Dialect.D6: _NOT_IN_OLD | _ASSERTED_IN_OLD | schema.CONDITIONS,
    schema.Dialect.D7: _NOT_IN_OLD | _ASSERTED_IN_OLD,
    schema.Dialect.D2019: frozenset(("prefixItems", "dependencies")),
    schema.Dialect.D2020: frozenset(),
}


def is_annotation(word: str) -> bool:
    """Whether a validator reads nothing in a keyword."""
    return word in _UNREAD or not (word in SPEAKS_OF or word in _EVERY_TYPE or word in schema.DEFINITIONS)
