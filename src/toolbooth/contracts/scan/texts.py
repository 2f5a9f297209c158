"""A wire object → every text in it, keys included, each with its JSON pointer and what kind of text it is."""

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any, Final, NamedTuple

from toolbooth.limits import MAX_JSON_DEPTH, SCAN_POINTER_STEP


class TextKind(Enum):
    """How a model meets a text: as a name, as words about something, as a value, or beside the definition."""

    NAME = "name"  # of a tool, a prompt, a resource
    FIELD = "field"  # the name of an input or of a part of an answer
    PROSE = "prose"
    KEYWORD = "keyword"  # of JSON Schema: `string`, `date-time`
    VALUE = "value"
    META = "meta"

    @property
    def is_name(self) -> bool:
        """Whether it stands for something: then it must be what it looks like."""
        return self in (TextKind.NAME, TextKind.FIELD)


class FoundText(NamedTuple):
    """One text and where it stands."""

    path: str
    kind: TextKind
    text: str


class _PendingValue(NamedTuple):
    path: str
    depth: int
    key: str
    kind: TextKind | None  # of all that is inside, where that is settled
    value: Any


_HOLD_NAMES: Final = frozenset(
    {"properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependentRequired"}
)
_NAMES: Final = frozenset({"name", "required"})
_KEYWORDS: Final = frozenset({"type", "format", "contentMediaType", "contentEncoding", "mimeType"})
_VALUES: Final = frozenset(
    {
        "default",
        "enum",
        "const",
        "examples",
        "example",
        "pattern",
        "uri",
        "uriTemplate",
        "$ref",
        "$schema",
        "$id",
    }
)
_INSIDE: Final = {**dict.fromkeys(_VALUES, TextKind.VALUE), **dict.fromkeys(_KEYWORDS, TextKind.KEYWORD)}
_BESIDE: Final = frozenset({"_meta", "icons"})
# Keys that every definition has: as such they tell a model nothing.
KNOWN_KEYS: Final = (
    _HOLD_NAMES
    | _NAMES
    | _VALUES
    | _KEYWORDS
    | _BESIDE
    | {
        "description",
        "title",
        "inputSchema",
        "outputSchema",
        "annotations",
        "items",
        "anyOf",
        "oneOf",
        "allOf",
    }
    | {"additionalProperties", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"}
    | {"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint", "execution", "taskSupport"}
    | {"exclusiveMinimum", "exclusiveMaximum", "uniqueItems", "nullable", "not", "if", "then", "else"}
    | {"prompts", "resources", "templates", "instructions", "arguments", "propertyNames", "prefixItems"}
)


def texts_of(value: Any) -> Iterator[FoundText]:
    """Every text of any JSON value; nothing is too deep, and the order is that of the value."""
    waiting = [_PendingValue("", 0, "", None, value)]
    while waiting:
        at = waiting.pop()
        if isinstance(at.value, str):
            yield FoundText(at.path, at.kind or _kind(at.key), at.value)
        elif isinstance(at.value, Mapping):
            yield from _keys(at)
            waiting += reversed(
                [_below(at, str(key), _new(at, key, inner)) for key, inner in at.value.items()]
            )
        elif isinstance(at.value, list | tuple):
            waiting += reversed(
                [
                    _PendingValue(_path(at, str(i)), at.depth + 1, at.key, at.kind, v)
                    for i, v in enumerate(at.value)
                ]
            )


def _new(at: _PendingValue, key: Any, inner: Any) -> Any:
    """`required` without the names that stand in `properties`: nobody reads of the same name twice."""
    properties = at.value.get("properties") if key == "required" else None
    if not isinstance(inner, list) or not isinstance(properties, Mapping):
        return inner
    return [None if isinstance(name, str) and name in properties else name for name in inner]


def _keys(at: _PendingValue) -> Iterator[FoundText]:
    named = at.key in _HOLD_NAMES
    for key in map(str, at.value):
        if named or key not in KNOWN_KEYS:
            yield FoundText(_path(at, key), at.kind or TextKind.FIELD, key)


def _below(at: _PendingValue, key: str, value: Any) -> _PendingValue:
    return _PendingValue(_path(at, key), at.depth + 1, *_inside(at, key), value)


def _inside(at: _PendingValue, key: str) -> tuple[str, TextKind | None]:
    """The key that decides on what is inside, and its kind where all of it is of one."""
    if at.kind is not None:
        return key, at.kind
    if at.key in _HOLD_NAMES:
        return "", None  # a property may be called `default` or `properties`; it is a schema all the same
    if key in _BESIDE:
        return key, TextKind.META
    return key, _INSIDE.get(key)


def _kind(key: str) -> TextKind:
    if key == "required":
        return TextKind.FIELD
    return TextKind.NAME if key == "name" else TextKind.PROSE


def _path(at: _PendingValue, step: str) -> str:
    """A pointer one step longer; beyond our depth it stays, or a hostile nest would cost its square."""
    if at.depth >= MAX_JSON_DEPTH:
        return at.path
    return f"{at.path}/{step[:SCAN_POINTER_STEP].replace('~', '~0').replace('/', '~1')}"
