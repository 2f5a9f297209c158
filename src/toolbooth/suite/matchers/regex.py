"""`regex`: a pattern somewhere in a text, found in linear time."""

from typing import Any

from toolbooth.suite.linear_regex import NoPattern, found_in
from toolbooth.suite.matchers.registry import BadArgument, Fits, matcher


@matcher(
    "regex",
    "A text in which this pattern is found (no look-around, no back-references).",
    {"type": "string"},
)
def compile_regex(argument: Any) -> Fits:
    """What is no text does not fit."""
    if not isinstance(argument, str):
        raise BadArgument("regex takes a pattern as text")
    try:
        return found_in(argument)
    except NoPattern as error:
        raise BadArgument(str(error)) from None
