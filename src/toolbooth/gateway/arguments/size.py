"""Arguments → how many values and characters they hold, without a look at more than can be checked."""

from typing import Any, NamedTuple

from toolbooth.limits import MAX_JSON_DEPTH

_CONTAINERS = (dict, list)  # `dict | list` takes three times as long


class TooDeep(ValueError):
    """Arguments that nest deeper than any real call."""


class Size(NamedTuple):
    """Values, characters of text (names of members included), and levels."""

    values: int
    text: int
    depth: int


def measure(arguments: Any, most: int) -> Size | None:
    """The size; None where there are more than `most` values. Raises TooDeep."""
    values, text = 1, 0
    level: list[Any] = [arguments]
    for depth in range(1, MAX_JSON_DEPTH + 1):
        below: list[Any] = []
        for value in level:
            if isinstance(value, str):
                text += len(value)
            elif isinstance(value, _CONTAINERS):
                values += len(value)
                if values > most:
                    return None
                below += value
                if isinstance(value, dict):
                    below += value.values()
        if not below:
            return Size(values, text, depth)
        level = below
    raise TooDeep(f"the arguments nest deeper than {MAX_JSON_DEPTH} levels")
