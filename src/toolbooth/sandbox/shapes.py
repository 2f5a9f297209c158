"""An output schema, or an answer itself → its keys in one short line: `{total, tickets:[{key, title, …+5}]}`.

Code is written before its answers are seen: whoever writes it has to know what they are made of.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from toolbooth.catalog import resolve_local
from toolbooth.limits import MAX_REFS
from toolbooth.safetext import for_terminal

_DEPTH: Final = 4  # of objects in lists in objects
_KEYS: Final = 12  # of one object
_KEY: Final = 40  # characters
_LINE: Final = 300  # characters of all


def value_shape(value: Any) -> str:
    """Of a list its first item stands for all; empty for what has no keys."""
    return _cut(_of_value(value, _DEPTH))


def schema_shape(schema: Mapping[str, Any] | None) -> str:
    """The same from what a server declares; empty where it declares nothing."""
    return _cut(_of_schema(schema, schema, _DEPTH)) if schema else ""


def _of_value(value: Any, depth: int) -> str:
    if isinstance(value, Mapping):
        return _object(value.items(), len(value), lambda each: _of_value(each, depth - 1), depth)
    if isinstance(value, list):
        return f"[{_of_value(value[0], depth - 1) if value and depth else ''}]"
    return ""


def _of_schema(schema: Any, root: Any, depth: int) -> str:
    schema = _resolved(schema, root)
    if not isinstance(schema, Mapping):
        return ""
    members = schema.get("properties")
    if isinstance(members, Mapping) and members:
        return _object(members.items(), len(members), lambda each: _of_schema(each, root, depth - 1), depth)
    if "items" in schema or schema.get("type") == "array":
        return f"[{_of_schema(schema.get('items'), root, depth - 1) if depth else ''}]"
    for joined in ("anyOf", "oneOf", "allOf"):
        parts = schema.get(joined)
        found = (
            (_of_schema(each, root, depth - 1) for each in parts) if isinstance(parts, list) and depth else ()
        )
        shape = next(filter(None, found), "")
        if shape:
            return shape
    return ""


def _resolved(schema: Any, root: Any) -> Any:
    for _ in range(MAX_REFS):
        ref = schema.get("$ref") if isinstance(schema, Mapping) else None
        if ref is None:
            return schema
        schema = resolve_local(root, ref)
    return None


def _object(members: Iterable[tuple[Any, Any]], count: int, inside: Callable[[Any], str], depth: int) -> str:
    if not depth:
        return "{…}"
    shown: list[str] = []
    for name, each in members:
        if len(shown) == _KEYS:
            shown.append(f"…+{count - _KEYS}")
            break
        shape = inside(each)
        key = for_terminal(str(name), _KEY)
        shown.append(f"{key}:{shape}" if shape else key)
    return f"{{{', '.join(shown)}}}"


def _cut(shape: str) -> str:
    return shape if len(shape) <= _LINE else f"{shape[: _LINE - 1]}…"
