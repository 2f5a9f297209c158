"""The dialects of JSON Schema and the keywords of each.

A keyword means something only in a dialect that knows it; elsewhere its value is plain data. The tables here say
which keywords hold subschemas and in which shape, and name the keywords that several readers treat alike.
"""

from collections.abc import Mapping
from enum import Enum
from typing import Any, Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


class Dialect(Enum):
    """A published dialect, the oldest first. The value is its address and its draft number or year."""

    D3 = ("http://json-schema.org/draft-03/schema", 3)
    D4 = ("http://json-schema.org/draft-04/schema", 4)
    D6 = ("http://json-schema.org/draft-06/schema", 6)
    D7 = ("http://json-schema.org/draft-07/schema", 7)
    D2019 = ("https://json-schema.org/draft/2019-09/schema", 2019)
    D2020 = ("https://json-schema.org/draft/2020-12/schema", 2020)

    def __init__(self, uri: str, published: int) -> None:
        self.uri = uri
        self.ref_hides_siblings = published <= 7  # a validator reads nothing that stands beside `$ref`
        self.since_2019 = published >= 2019  # `$defs`, `dependentRequired`, `minContains`, `unevaluated…`
        self.has_conditions = published >= 7  # `if`, `then`, `else`
        self.items_may_be_list = published <= 2019
        self.definitions = "$defs" if self.since_2019 else "definitions"


_BY_URI: Final = {
    dialect.uri.replace("https://", "http://", 1): dialect
    for dialect in (Dialect.D6, Dialect.D7, Dialect.D2019, Dialect.D2020)
}
_BY_NAME: Final = {
    "draft-03": Dialect.D3,
    "draft-04": Dialect.D4,
    "draft-06": Dialect.D6,
    "draft-07": Dialect.D7,
    "2019-09": Dialect.D2019,
}


def dialect_of(schema: Mapping[str, Any]) -> Dialect | None:
    """The dialect that `$schema` names, draft 6 or later; None for any other.

    MCP reads a schema without `$schema` as 2020-12.
    """
    uri = schema.get("$schema", Dialect.D2020.uri)
    if not isinstance(uri, str):
        return None
    return _BY_URI.get(uri.removesuffix("#").replace("https://", "http://", 1))


def nearest_dialect(schema: Any) -> Dialect:
    """The oldest dialect that `$schema` mentions, for readers that must say something about every schema."""
    uri = schema.get("$schema") if isinstance(schema, Mapping) else None
    if not isinstance(uri, str):
        return Dialect.D2020
    return next((dialect for name, dialect in _BY_NAME.items() if name in uri), Dialect.D2020)


class Holds(Enum):
    """How a keyword holds subschemas."""

    ONE = 1
    LIST = 2
    MAP = 3
    ONE_OR_LIST = 4
    MAP_OF_SCHEMAS_OR_NAMES = 5


DEFINITIONS: Final = ("$defs", "definitions")

_ALWAYS: Final = {
    **dict.fromkeys(("additionalProperties", "not", "contains", "propertyNames"), Holds.ONE),
    **dict.fromkeys(("anyOf", "allOf", "oneOf"), Holds.LIST),
    **dict.fromkeys(("properties", "patternProperties", *DEFINITIONS), Holds.MAP),
}
_LISTED_ITEMS: Final = {"items": Holds.ONE_OR_LIST, "additionalItems": Holds.ONE}
_CONDITIONS: Final = dict.fromkeys(("if", "then", "else"), Holds.ONE)
_OLD_DEPENDENCIES: Final = {"dependencies": Holds.MAP_OF_SCHEMAS_OR_NAMES}
_SINCE_2019: Final = {
    **_CONDITIONS,
    "dependentSchemas": Holds.MAP,
    "unevaluatedItems": Holds.ONE,
    "unevaluatedProperties": Holds.ONE,
}

SUBSCHEMAS: Final[Mapping[Dialect, Mapping[str, Holds]]] = {
    Dialect.D6: _ALWAYS | _LISTED_ITEMS | _OLD_DEPENDENCIES,
    Dialect.D7: _ALWAYS | _LISTED_ITEMS | _OLD_DEPENDENCIES | _CONDITIONS,
    Dialect.D2019: _ALWAYS | _LISTED_ITEMS | _SINCE_2019,
    Dialect.D2020: _ALWAYS | _SINCE_2019 | {"items": Holds.ONE, "prefixItems": Holds.LIST},
}
"""Where a validator of each dialect looks for subschemas, and nowhere else."""

SUBSCHEMAS_IN_ANY: Final[Mapping[str, Holds]] = {
    **_ALWAYS,
    **_LISTED_ITEMS,
    **_OLD_DEPENDENCIES,
    **_SINCE_2019,
    "prefixItems": Holds.LIST,
    "contentSchema": Holds.ONE,  # described, never asserted
}
"""Where people write subschemas, whatever the dialect."""

TYPES: Final = _words("string integer number boolean null array object")
REFERENCES: Final = ("$ref", "$dynamicRef", "$recursiveRef")
# Following these needs the way by which a schema was reached.
DYNAMIC_REFERENCES: Final[Mapping[Dialect, frozenset[str]]] = {
    Dialect.D6: frozenset(),
    Dialect.D7: frozenset(),
    Dialect.D2019: frozenset(("$recursiveRef",)),
    Dialect.D2020: frozenset(("$dynamicRef",)),
}
UNEVALUATED: Final = ("unevaluatedProperties", "unevaluatedItems")
CONDITIONS: Final = frozenset(_CONDITIONS)
# Applied to the very value that their schema is applied to, not to a part of it.
IN_PLACE: Final = _words("$ref allOf anyOf oneOf not if then else dependentSchemas dependencies")
# Assertions without subschemas that draft 6 and 7 do not know.
ASSERTED_SINCE_2019: Final = _words("dependentRequired minContains maxContains")
# Asserted of a value, without a look at a subschema.
ASSERTIONS: Final = ASSERTED_SINCE_2019 | _words(
    "type enum const minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern "
    "minItems maxItems uniqueItems required minProperties maxProperties"
)
# Read by people and models; no validator reads them.
ANNOTATIONS: Final = _words("title description default examples deprecated readOnly writeOnly $comment")
# Say how the schema itself is to be read or reached.
IDENTITY: Final = _words("$schema $id id $anchor $dynamicAnchor $recursiveAnchor $vocabulary")
CONTENT: Final = ("contentEncoding", "contentMediaType")  # asserted by many validators up to draft 7
PATTERNS_OF_ANY_TEXT: Final = frozenset(("", "^", ".*", "^.*"))
