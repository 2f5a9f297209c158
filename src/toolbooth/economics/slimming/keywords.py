"""What the keywords of JSON Schema mean, draft by draft, as far as slimming has to know it."""

from enum import Enum
from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


class Draft(Enum):
    """The drafts that are slimmed; a schema of any other stays as it is."""

    D6 = "http://json-schema.org/draft-06/schema"
    D7 = "http://json-schema.org/draft-07/schema"
    D2019 = "https://json-schema.org/draft/2019-09/schema"
    D2020 = "https://json-schema.org/draft/2020-12/schema"

    @property
    def ref_hides_siblings(self) -> bool:
        """Up to draft 7 a validator reads nothing that stands beside `$ref`."""
        return self in (Draft.D6, Draft.D7)

    @property
    def checks_defs(self) -> bool:
        """Up to draft 7 `$defs` is an unknown keyword: references lead into it, but a fault there goes unseen."""
        return self not in (Draft.D6, Draft.D7)


class Holds(Enum):
    """How a keyword holds schemas."""

    ONE = 1
    LIST = 2
    MAP = 3
    ONE_OR_LIST = 4
    MAP_OF_SCHEMAS_OR_NAMES = 5


DEFINITIONS: Final = ("$defs", "definitions")

_ALWAYS: Final = {
    "additionalProperties": Holds.ONE,
    "not": Holds.ONE,
    "contains": Holds.ONE,
    "propertyNames": Holds.ONE,
    "anyOf": Holds.LIST,
    "allOf": Holds.LIST,
    "oneOf": Holds.LIST,
    "properties": Holds.MAP,
    "patternProperties": Holds.MAP,
    "$defs": Holds.MAP,
    "definitions": Holds.MAP,
}
_OLD_ITEMS: Final = {"items": Holds.ONE_OR_LIST, "additionalItems": Holds.ONE}
_CONDITIONS: Final = {"if": Holds.ONE, "then": Holds.ONE, "else": Holds.ONE}
_OLD_DEPENDENCIES: Final = {"dependencies": Holds.MAP_OF_SCHEMAS_OR_NAMES}

POSITIONS: Final[dict[Draft, dict[str, Holds]]] = {
    Draft.D6: _ALWAYS | _OLD_ITEMS | _OLD_DEPENDENCIES,
    Draft.D7: _ALWAYS | _OLD_ITEMS | _OLD_DEPENDENCIES | _CONDITIONS,
    Draft.D2019: _ALWAYS | _OLD_ITEMS | _CONDITIONS | {"dependentSchemas": Holds.MAP},
    Draft.D2020: _ALWAYS
    | _CONDITIONS
    | {"items": Holds.ONE, "prefixItems": Holds.LIST, "dependentSchemas": Holds.MAP},
}

# A schema with one of these gives or takes its meaning from afar (names, dynamic scope, what siblings have
# evaluated), so no local argument shows that a change is lossless: it stays as it is.
FAR_REACHING: Final = _words(
    "$anchor $dynamicAnchor $dynamicRef $recursiveAnchor $recursiveRef $vocabulary "
    "unevaluatedItems unevaluatedProperties"
)

# Values that are data: whatever stands in them is no schema and no reference.
DATA: Final = frozenset(("const", "enum", "default", "examples"))

# What a validator does not read. Keywords that no draft knows belong here too; see `is_annotation`.
ANNOTATIONS: Final = _words(
    "title description default examples deprecated readOnly writeOnly $comment $schema $id"
)

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
    frozenset(("if", "then", "else")),
)

# `$schema` of an older draft may only go where 2020-12 reads every keyword the same way. Formats and content
# keywords are asserted by many validators up to draft 7 and by few since.
_NOT_IN_OLD: Final = _words("$defs dependentRequired dependentSchemas minContains maxContains prefixItems")
_ASSERTED_IN_OLD: Final = _words("format contentEncoding contentMediaType contentSchema dependencies")
READ_OTHERWISE: Final[dict[Draft, frozenset[str]]] = {
    Draft.D6: _NOT_IN_OLD | _ASSERTED_IN_OLD | _CONDITIONS.keys(),
    Draft.D7: _NOT_IN_OLD | _ASSERTED_IN_OLD,
    Draft.D2019: frozenset(("prefixItems", "dependencies")),
    Draft.D2020: frozenset(),
}


def draft_of(schema_uri: object) -> Draft | None:
    """The draft that `$schema` names; MCP reads a schema without it as 2020-12. None if it is another one."""
    if schema_uri is None:
        return Draft.D2020
    if not isinstance(schema_uri, str):
        return None
    plain = schema_uri.removesuffix("#").replace("https://", "http://", 1)
    return next((draft for draft in Draft if draft.value.replace("https://", "http://", 1) == plain), None)


def is_annotation(word: str) -> bool:
    """Whether a validator reads nothing in a keyword."""
    return word in ANNOTATIONS or not (word in SPEAKS_OF or word in _EVERY_TYPE or word in DEFINITIONS)
