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


def through(value: Any, path: Path, visit: Visit) -> Any:
    """Visit every member; what comes back unchanged for all of them is the same object."""
    if isinstance(value, Summary) or not isinstance(value, (dict, list)):
        return value
    changed: Any = None
    for place, (key, member) in enumerate(members(value)):
        new = visit(member, (*path, key))
        if new is not member:
            if changed is None:
                changed = (
                    value.copy() if not isinstance(value, Picked) else Picked(list(value), value.indices)
                )
            changed[place if isinstance(value, list) else key] = new
    return value if changed is None else changed
