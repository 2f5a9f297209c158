"""The keys of an answer in one short line, `{total, tickets:[{key, title, …+5}]}`, from a schema or from a value.

Code is written before its answers are seen, so its author has to know their structure in advance.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from toolbooth import safetext
from toolbooth.schema import resolved

_DEPTH: Final = 4  # levels, of objects in lists in objects
_KEYS: Final = 12  # keys of one object
_KEY: Final = 40  # characters
_JOINED: Final = ("anyOf", "oneOf", "allOf")
_VISITS: Final = 1_000  # parts of a schema that are read: 1 ms
_LINE: Final = 300  # characters of the whole line


def value_shape(value: Any) -> str:
    """The shape of a value; the first item of a list counts for all. Empty for a value without keys."""
    return _cut(_of_value(value, _DEPTH))


def schema_shape(schema: Mapping[str, Any] | None) -> str:
    """The shape that a server declares; empty where it declares nothing."""
    return _cut(_Schema(schema).shape(schema, _DEPTH)) if schema else ""


def _of_value(value: Any, depth: int) -> str:
    if isinstance(value, Mapping):
        return _object(value.items(), len(value), lambda each: _of_value(each, depth - 1), depth)
    if isinstance(value, list):
        return f"[{_of_value(value[0], depth - 1) if value and depth else ''}]"
    return ""


class _Schema:
    """Reads a bounded number of parts, because references may lead to the same ones again and again."""

    def __init__(self, root: Any) -> None:
        self._root, self._visits = root, _VISITS

    def shape(self, schema: Any, depth: int) -> str:
        self._visits -= 1
        schema = resolved(self._root, schema) if self._visits >= 0 else None
        if not isinstance(schema, Mapping):
            return ""
        members = schema.get("properties")
        if isinstance(members, Mapping) and members:
            return _object(members.items(), len(members), lambda each: self.shape(each, depth - 1), depth)
        if "items" in schema or schema.get("type") == "array":
            return f"[{self.shape(schema.get('items'), depth - 1) if depth else ''}]"
        parts = (each for key in _JOINED for each in _listed(schema.get(key)) if depth)
        return next(filter(None, (self.shape(each, depth - 1) for each in parts)), "")


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _object(members: Iterable[tuple[Any, Any]], count: int, inside: Callable[[Any], str], depth: int) -> str:
    if not depth:
        return "{…}"
    shown: list[str] = []
    for name, each in members:
        if len(shown) == _KEYS:
            shown.append(f"…+{count - _KEYS}")
            break
        shape = inside(each)
        key = safetext.for_terminal(str(name), _KEY)
        shown.append(f"{key}:{shape}" if shape else key)
    return f"{{{', '.join(shown)}}}"


def _cut(shape: str) -> str:
    return shape if len(shape) <= _LINE else f"{shape[: _LINE - 1]}…"
