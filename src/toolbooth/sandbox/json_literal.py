"""JSON data → the same as a Python literal, which no code can hide in."""

import math
from typing import Any, Final

_DEPTH: Final = 64  # levels: Python's own parser reads a hundred
_DIGITS: Final = 4_300  # of an integer: Python reads no longer ones


class NotLiteral(ValueError):
    """Something in it is not JSON; the message says what."""


def literal(value: Any) -> str:
    """Raises NotLiteral. Only the plain types count: a subclass could write itself as anything."""
    check(value, _DEPTH)
    return repr(value)


def is_json(value: Any) -> bool:
    """Whether `literal` would write it."""
    try:
        check(value, _DEPTH)
    except NotLiteral:
        return False
    return True


def check(value: Any, depth: int) -> None:
    """Raises NotLiteral where there is something else than JSON, or more than `depth` levels of it."""
    kind = type(value)
    if kind in (list, dict) and depth == 0:
        raise NotLiteral(f"they are nested deeper than {_DEPTH} levels")
    if kind is list:
        for each in value:
            check(each, depth - 1)
    elif kind is dict:
        for key, each in value.items():
            if type(key) is not str:
                raise NotLiteral("a key is not text")
            check(key, depth)
            check(each, depth - 1)
    elif kind is float:
        if not math.isfinite(value):
            raise NotLiteral("a number is not finite")
    elif kind is int:
        if value.bit_length() * 0.30103 >= _DIGITS - 1:
            raise NotLiteral("a number is too long")
    elif kind is str:
        if not value.isascii() and value != value.encode("utf-8", "replace").decode():
            raise NotLiteral("a text holds half a character")
    elif value is not None and kind is not bool:
        raise NotLiteral(f"{kind.__name__} is no type of JSON")
