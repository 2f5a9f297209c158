"""An input schema → the input that limits how many items an answer has, and the most it allows."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from toolbooth.schema import resolve_local

_WORDS: Final = (
    "limit maxresults maxitems pagesize perpage pagelimit pagelen pagelength itemsperpage resultsperpage "
    "numresults numitems numrows maxrecords maxrows maxcount maxentries maxhits maxmatches resultlimit "
    "rowlimit topk topn"
)
_VAGUE_WORDS: Final = "take count first top rows size n k"
# Written without `_`, `-` and capitals; earlier names are surer, and the first that has a maximum counts.
TELLING: Final = tuple(_WORDS.split())
# These may mean anything: they count only where no telling name takes a number.
VAGUE: Final = tuple(_VAGUE_WORDS.split())
LIMIT_INPUTS: Final = TELLING + VAGUE
# A library's largest integer (2^31, 2^53) or a number nobody pages by bounds nothing.
MOST_ITEMS: Final = 1_000_000
MAX_DEPTH: Final = 8
_IN_PLACE: Final = ("anyOf", "oneOf", "allOf")


class LimitInput(NamedTuple):
    """An input by its name on the wire, and the largest value that its schema accepts."""

    name: str
    maximum: int


def limit_input(schema: Mapping[str, Any] | None) -> LimitInput | None:
    """The surest pagination input that has a maximum; None where there is none."""
    for name, most in _pagination_inputs(schema):
        if most is not None and 0 <= most <= MOST_ITEMS:
            return LimitInput(name, most)
    return None


def open_limit_input(schema: Mapping[str, Any] | None) -> str | None:
    """The surest pagination input, where none of them has a maximum: it asks for a bound and lets any through."""
    found = [name for name, _ in _pagination_inputs(schema)]
    return found[0] if found and limit_input(schema) is None else None


def _pagination_inputs(schema: Mapping[str, Any] | None) -> Iterator[tuple[str, int | None]]:
    """Names with their maximum, the surest first."""
    properties = schema.get("properties") if schema else None
    if not schema or not isinstance(properties, Mapping):
        return
    by_word = {_plain(name): name for name in reversed(list(properties)) if isinstance(name, str)}
    told = False
    for word in LIMIT_INPUTS:
        if word in by_word and not (told and word in VAGUE):
            bounds = list(_bounds(properties[by_word[word]], schema, 0))
            told = told or (bool(bounds) and word in TELLING)
            yield by_word[word], _largest(bounds)


def _plain(name: str) -> str:
    return name.lower().replace("_", "").replace("-", "")


def _largest(bounds: Sequence[int | None]) -> int | None:
    """The largest number that passes; None as soon as one branch of a union lets any number through."""
    return None if not bounds or None in bounds else max(bound for bound in bounds if bound is not None)


def _bounds(schema: Any, root: Mapping[str, Any], depth: int) -> Iterator[int | None]:
    """One bound for each branch that accepts numbers; None for a branch without one."""
    if not isinstance(schema, Mapping) or depth > MAX_DEPTH:
        yield None
        return
    own = _own_bound(schema)
    if own is not None:
        yield own
        return
    inner = [part for key in _IN_PLACE for part in _list(schema.get(key))]
    if "$ref" in schema:
        inner.append(resolve_local(root, schema["$ref"]))
    if inner:
        for part in inner:
            yield from _bounds(part, root, depth + 1)
    elif _accepts_numbers(schema):
        yield None


def _own_bound(schema: Mapping[str, Any]) -> int | None:
    found: list[int] = []
    most, below = _number(schema.get("maximum")), _number(schema.get("exclusiveMaximum"))
    if most is not None:
        found.append(math.ceil(most) - 1 if schema.get("exclusiveMaximum") is True else math.floor(most))
    if below is not None:
        found.append(math.ceil(below) - 1)
    values = [value for value in _list(schema.get("enum")) or [schema.get("const")] if value is not None]
    numbers = [number for number in map(_number, values) if number is not None]
    if numbers and len(numbers) == len(values):
        found.append(math.floor(max(numbers)))
    return min(found, default=None)


def _accepts_numbers(schema: Mapping[str, Any]) -> bool:
    kinds = schema.get("type")
    named = [kinds] if isinstance(kinds, str) else _list(kinds)
    return not named or bool({"integer", "number"} & {kind for kind in named if isinstance(kind, str)})


def _number(value: Any) -> float | None:
    usable = isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 2**63
    return value if usable else None


def _list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else []
