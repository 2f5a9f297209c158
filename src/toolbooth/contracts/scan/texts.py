"""Every text in a raw object, keys included, each with its JSON pointer and kind."""

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any, Final, NamedTuple

from toolbooth import limits


class TextKind(Enum):
    """The part that a text plays for a model: a name, prose, a keyword, a value, or metadata."""

    NAME = "name"  # of a tool, a prompt, a resource
    FIELD = "field"  # the name of an input or of a field of an answer
    PROSE = "prose"
    KEYWORD = "keyword"  # of JSON Schema: `string`, `date-time`
    VALUE = "value"
    META = "meta"

    @property
    def is_name(self) -> bool:
        """Whether the text identifies something, so that it must be what it looks like."""
        return self in (TextKind.NAME, TextKind.FIELD)


class FoundText(NamedTuple):
    """One text, its JSON pointer and its kind."""

    path: str
    kind: TextKind
    text: str


class _PendingValue(NamedTuple):
    path: str
    depth: int
    key: str
    kind: TextKind | None  # of everything inside; None until it is known
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
# Keys that definitions commonly have. They carry no text of the server.
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
    """Every text of a JSON value of any depth, in the order of the value."""
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
    """`required` without the names that `properties` has, so that no name is reported twice."""
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
    """The key that determines what is inside, and the kind if everything inside has the same one."""
    if at.kind is not None:
        return key, at.kind
    if at.key in _HOLD_NAMES:
        return "", None  # a property may be named `default` or `properties`, and is still a schema
    if key in _BESIDE:
        return key, TextKind.META
    return key, _INSIDE.get(key)


def _kind(key: str) -> TextKind:
    if key == "required":
        return TextKind.FIELD
    return TextKind.NAME if key == "name" else TextKind.PROSE


def _path(at: _PendingValue, step: str) -> str:
    """A pointer that is one step longer. Beyond our depth it stays, or deep nesting would cost quadratic time."""
    if at.depth >= limits.MAX_JSON_DEPTH:
        return at.path
    return f"{at.path}/{step[: limits.SCAN_POINTER_STEP].replace('~', '~0').replace('/', '~1')}"
