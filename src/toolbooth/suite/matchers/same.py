"""Two JSON values → whether they are the same; true is not 1 here, unlike in Python."""

from typing import Any


def same(one: Any, other: Any) -> bool:
    """At every depth; lists and tuples are one kind."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(value, other[key]) for key, value in one.items())
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other) and isinstance(one, bool) == isinstance(other, bool)
