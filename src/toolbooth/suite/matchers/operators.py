"""`>=`, `>`, `<=`, `<`, `==`, `!=`: a number against a number; the last two also take text."""

import operator
from collections.abc import Callable
from typing import Any, Final

from toolbooth.suite.matchers.registry import BadArgument, Fits, matcher
from toolbooth.suite.matchers.same import same

_ORDERS: Final[dict[str, Callable[[Any, Any], bool]]] = {
    ">=": operator.ge,
    ">": operator.gt,
    "<=": operator.le,
    "<": operator.lt,
}
_SAMES: Final[dict[str, bool]] = {"==": True, "!=": False}


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _register_order(word: str, holds: Callable[[Any, Any], bool]) -> None:
    @matcher(word, f"A number that is {word} this one.", {"type": "number"})
    def compile_order(argument: Any) -> Fits:
        if not _is_number(argument):
            raise BadArgument(f"{word} takes a number")
        return lambda found: _is_number(found) and holds(found, argument)


def _register_same(word: str, wanted: bool) -> None:
    @matcher(word, f"A value that is {word} this one.", {})
    def compile_same(argument: Any) -> Fits:
        return lambda found: same(found, argument) is wanted


for _word, _holds in _ORDERS.items():
    _register_order(_word, _holds)
for _word, _wanted in _SAMES.items():
    _register_same(_word, _wanted)
