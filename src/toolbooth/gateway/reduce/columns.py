"""The items of a uniform array → what can be said of all of them in a few words: ranges and counts."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any, Final

Column = Sequence[Any]
ABSENT: Final = object()  # in the place of a key that an item has not
_FEW: Final = 6  # different values that are counted one by one
_SHORT: Final = 40  # characters of such a value
_MOST: Final = 24  # columns; an item with more is not summed up further
_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d.*)?")
_SCALARS: Final = frozenset((str, int, float, bool, type(None), type(ABSENT)))
_WORDS: Final = {None: "null", True: "true", False: "false"}


def columns(items: Sequence[Any]) -> dict[str, Column]:
    """Of objects by their keys, of rows by their numbers; none where they are neither."""
    first = items[0]
    if isinstance(first, list):
        if not all(isinstance(item, list) and len(item) == len(first) for item in items):
            return {}
        return {f"[{index}]": column for index, column in enumerate(zip(*items, strict=True))}
    if not all(isinstance(item, dict) for item in items):
        return {}
    names = dict.fromkeys(name for item in _sample(items) for name in item)
    if all(item.keys() == names.keys() for item in items):
        return {name: list(map(itemgetter(name), items)) for name in names}
    return {name: [item.get(name, ABSENT) for item in items] for name in names}


def _sample(items: Sequence[Any]) -> Sequence[Any]:
    return [*items[:20], *items[20 :: max(1, len(items) // 20)]]


def described(found: Mapping[str, Column], without: Sequence[str] = ()) -> dict[str, Any]:
    """Column by column: `{"open": 12, "closed": 238}`, `"0.5…99"`, `"250 different"`."""
    said: dict[str, Any] = {}
    for name, column in _flattened(found):
        if name not in without and len(said) < _MOST:
            words = _described(column)
            if words is not None:
                said[name] = words
    return said


def _flattened(found: Mapping[str, Column]) -> Iterator[tuple[str, Column]]:
    """Objects in a column give columns of their own."""
    for name, column in found.items():
        kinds = set(map(type, column))
        inner = [value for value in column if type(value) is dict] if dict in kinds else []
        if len(inner) * 2 > len(column) and kinds <= {dict, type(None), type(ABSENT)}:
            yield from ((f"{name}.{below}", values) for below, values in columns(inner).items())
        else:
            yield name, column


def _described(column: Column) -> Any:
    values = [value for value in column if value is not ABSENT]
    kinds = set(map(type, values))
    if not values or dict in kinds:
        return None
    if list in kinds:
        lengths = [len(value) for value in values if isinstance(value, list)]
        return f"lists of {_range(min(lengths), max(lengths))}"
    if kinds <= {int, float} and len(set(values)) > _FEW:
        return _range(min(values), max(values))
    counted = Counter(values if len(kinds) == 1 else map(_word, values))
    if len(counted) == 1 and len(values) == len(column):
        return f"all {_word(values[0])}"
    if len(counted) <= _FEW and all(len(_word(key)) <= _SHORT for key in counted):
        return {_word(key): count for key, count in counted.most_common()}
    if kinds == {str} and _DATE.fullmatch(values[0]) and all(map(_DATE.fullmatch, values)):
        return _range(min(values), max(values))
    return f"{len(counted)} different"


def _word(value: Any) -> str:
    return _WORDS[value] if value is None or isinstance(value, bool) else str(value)


def _range(least: Any, most: Any) -> str:
    return f"{least}" if least == most else f"{least}…{most}"


def is_scalar(value: Any) -> bool:
    """Whether a value is no container."""
    return type(value) in _SCALARS


def all_scalar(column: Column) -> bool:
    """The same of every value in it."""
    return set(map(type, column)) <= _SCALARS


def tells_apart(column: Column, most: int) -> bool:
    """Whether a column could name the items: short, there in every one, and never twice the same."""
    if not set(map(type, column)) <= {str, int} or len(set(column)) < len(column):
        return False
    return max((len(value) for value in column if type(value) is str), default=0) <= most
