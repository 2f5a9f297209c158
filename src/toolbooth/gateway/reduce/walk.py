"""A container × what is to be done with each member → the container itself, or a new one where a member changed."""

from collections.abc import Callable, Iterable
from typing import Any

from toolbooth.gateway.reduce.hidden import Picked
from toolbooth.gateway.reduce.paths import Path

Visit = Callable[[Any, Path], Any]


def through(value: Any, path: Path, visit: Visit, strings: int = 0) -> Any:
    """Visit every container in this one, and strings of at least so many characters, if any.

    What comes back unchanged for all of them is the same object.
    """
    is_object = type(value) is dict
    if not is_object and not isinstance(value, list):
        return value
    changed: Any = None
    for place, (key, member) in enumerate(value.items() if is_object else _numbered(value)):
        kind = type(member)
        if (
            kind is dict
            or kind is list
            or kind is Picked
            or (strings and kind is str and len(member) >= strings)
        ):
            new = visit(member, (*path, key))
            if new is not member:
                changed = _copy(value) if changed is None else changed
                changed[key if is_object else place] = new
    return value if changed is None else changed


def _numbered(value: list[Any]) -> Iterable[tuple[int, Any]]:
    """Items under their numbers in the whole answer; the words behind what was picked are nobody's."""
    return zip(value.indices, value, strict=False) if isinstance(value, Picked) else enumerate(value)


def _copy(value: Any) -> Any:
    return Picked(list(value), value.indices) if isinstance(value, Picked) else value.copy()
