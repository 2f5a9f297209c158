"""`contains`, `icontains`, `contains-all`: a part of a text, or an item of a list."""

from typing import Any

from toolbooth.suite.matchers.registry import BadArgument, Fits, matcher
from toolbooth.suite.matchers.same import same


def _has(found: Any, part: Any) -> bool:
    if isinstance(found, str):
        return str(part) in found
    if isinstance(found, dict):
        return isinstance(part, str) and part in found
    return isinstance(found, list | tuple) and any(same(item, part) for item in found)


def _folded(value: Any) -> Any:
    if isinstance(value, str):
        return value.casefold()
    return [_folded(item) for item in value] if isinstance(value, list | tuple) else value


@matcher("contains", "A text with this part, or a list with this item.", {})
def compile_contains(argument: Any) -> Fits:
    """As it stands, capitals and all."""
    return lambda found: _has(found, argument)


@matcher("icontains", "The same without regard to capitals.", {"type": "string"})
def compile_icontains(argument: Any) -> Fits:
    """Text only."""
    if not isinstance(argument, str):
        raise BadArgument("icontains takes text")
    part = argument.casefold()
    return lambda found: _has(_folded(found), part)


@matcher(
    "contains-all",
    "A text with all these parts, or a list with all these items.",
    {"type": "array", "minItems": 1},
)
def compile_contains_all(argument: Any) -> Fits:
    """A list of parts."""
    if not isinstance(argument, list) or not argument:
        raise BadArgument("contains-all takes a list of parts")
    return lambda found: all(_has(found, part) for part in argument)
