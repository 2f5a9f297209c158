"""A container × what is to be done with each member → the container itself, or a new one where a member changed."""

from collections.abc import Callable
from typing import Any

from toolbooth.gateway.reduce.hidden import Picked
from toolbooth.gateway.reduce.paths import Path

Visit = Callable[[Any, Path], Any]


def through(value: Any, path: Path, visit: Visit, strings: int = 0) -> Any:
    """Visit every container in this one, and strings of at least so many characters, if any.

    What comes back unchanged for all of them is the same object.
    """
    if type(value) is dict:
        return _through_object(value, path, visit, strings)
    if not isinstance(value, list):
        return value
    changed: list[Any] | None = None
    keys = value.indices if isinstance(value, Picked) else range(len(value))
    for place, (key, member) in enumerate(zip(keys, value, strict=False)):
        kind = type(member)
        if (
            kind is dict
            or kind is list
            or kind is Picked
            or (strings and kind is str and len(member) >= strings)
        ):
            new = visit(member, (*path, key))
            if new is not member:
                changed = changed or _copy(value)
                changed[place] = new
    return value if changed is None else changed


def _through_object(value: dict[str, Any], path: Path, visit: Visit, strings: int) -> dict[str, Any]:
    changed: dict[str, Any] | None = None
    for key, member in value.items():
        kind = type(member)
        if (
            kind is dict
            or kind is list
            or kind is Picked
            or (strings and kind is str and len(member) >= strings)
        ):
            new = visit(member, (*path, key))
            if new is not member:
                changed = changed or value.copy()
                changed[key] = new
    return value if changed is None else changed


def _copy(value: list[Any]) -> list[Any]:
    return Picked(list(value), value.indices) if isinstance(value, Picked) else value.copy()
