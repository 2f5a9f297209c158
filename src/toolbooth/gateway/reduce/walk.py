"""A container × what is to be done with each member → the container itself, or a new one where a member changed."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from toolbooth.gateway.reduce.hidden import Picked, Summary
from toolbooth.gateway.reduce.paths import Path

Visit = Callable[[Any, Path], Any]
Key = str | int


class Member(NamedTuple):
    """One value of a container, under its key in the whole answer."""

    key: Key
    value: Any


def members(value: Any) -> Iterator[Member]:
    """Of objects and arrays; the words behind what was picked are nobody's, and a summary has no members."""
    if isinstance(value, Summary):
        return
    if isinstance(value, dict):
        yield from (Member(*each) for each in value.items())
    elif isinstance(value, Picked):
        yield from (Member(*each) for each in zip(value.indices, value, strict=False))
    elif isinstance(value, list):
        yield from (Member(*each) for each in enumerate(value))


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
