"""JSON data written as a Python literal, in which no code can hide."""

import math
from typing import Any, Final

_DEPTH: Final = 64  # levels: Python's own parser reads about a hundred
_DIGITS: Final = 4_300  # of an integer: Python does not read longer ones


class NotLiteral(ValueError):
    """Part of the value is not JSON; the message names it."""


def literal(value: Any) -> str:
    """The value of a JSON literal in Python code; raises NotLiteral.

    Only the plain types are allowed: a subclass could write itself as anything.
    """
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
    """Raises NotLiteral for anything that is not JSON, or nested deeper than `depth` levels."""
    kind = type(value)
    if kind in (list, dict) and depth == 0:
        raise NotLiteral(f"they are nested more than {_DEPTH} levels deep")
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
            raise NotLiteral("a string contains a lone surrogate (half of a UTF-16 pair)")
    elif value is not None and kind is not bool:
        raise NotLiteral(f"{kind.__name__} is not a JSON type")
