"""The Python type that a type checker holds one argument against, made from its JSON Schema.

A type may accept more than the schema, never less: the schema itself judges the call when it is made.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from toolbooth import limits
from toolbooth.schema import resolved

ANYTHING: Final = "Any"
_PLAIN: Final = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
_LONGEST: Final = 2_000  # characters of one type
_VISITS: Final = 100  # schemas looked at for one type: a kilobyte of shared choices unfolds into millions
_LISTED: Final = 1_000  # values of an enum that are looked at


def type_of(schema: Any, root: Any) -> str:
    """`root` is where its references lead."""
    text = _Unfolding(root).type(schema, limits.STUB_DEPTH)
    return text if len(text) <= _LONGEST else ANYTHING


class _Unfolding:
    """One schema with all that it refers to; beyond the limits, its type is `Any`."""

    def __init__(self, root: Any) -> None:
        self._root, self._visits = root, _VISITS

    def type(self, schema: Any, depth: int) -> str:
        self._visits -= 1
        schema = resolved(self._root, schema) if self._visits >= 0 else None
        if not isinstance(schema, Mapping) or depth == 0:
            return ANYTHING
        if "const" in schema:
            return _literal([schema["const"]])
        if isinstance(schema.get("enum"), list):
            return _literal(schema["enum"])
        for joined in ("anyOf", "oneOf"):
            if isinstance(schema.get(joined), list):
                return _union(self.type(each, depth - 1) for each in schema[joined][: _VISITS + 1])
        kinds = schema.get("type")
        kinds = [kinds] if isinstance(kinds, str) else kinds
        if not isinstance(kinds, list) or len(kinds) > _VISITS or "allOf" in schema:
            return ANYTHING
        return _union(self._kind(kind, schema, depth) for kind in kinds)

    def _kind(self, kind: Any, schema: Mapping[str, Any], depth: int) -> str:
        if kind == "object":
            return "dict[str, Any]"
        if kind != "array":
            return _PLAIN.get(kind, ANYTHING) if isinstance(kind, str) else ANYTHING
        items = self.type(schema.get("items"), depth - 1)
        return "list[float] | list[int]" if items == "float" else f"list[{items}]"


def _literal(values: list[Any]) -> str:
    """The values themselves; for floats, objects and long lists only their types."""
    if len(values) > _LISTED or any(isinstance(value, float | dict | list) for value in values):
        return ANYTHING
    if not values or len(values) > limits.STUB_CHOICES or any(_is_long(value) for value in values):
        return _union(type(value).__name__ if value is not None else "None" for value in values)
    return f"Literal[{', '.join(ascii(value) for value in values)}]"


def _is_long(value: Any) -> bool:
    return (isinstance(value, str) and len(value) > 100) or (isinstance(value, int) and abs(value) > 10**15)


def _union(types: Iterable[str]) -> str:
    different = list(dict.fromkeys(types)) or [ANYTHING]
    return ANYTHING if ANYTHING in different else " | ".join(different)
