"""The items of a uniform array → what can be said of all of them in a few words: ranges and counts."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

Item = dict[str, Any]
_FEW: Final = 6  # different values that are counted one by one
_SHORT: Final = 40  # characters of such a value
_MOST: Final = 24  # columns; an item with more is not summed up further
_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d.*)?")
_SCALARS: Final = (str, int, float, bool, type(None))


def described(items: Sequence[Item], without: Sequence[str] = ()) -> dict[str, Any]:
    """Column by column: `{"open": 12, "closed": 238}`, `"0.5…99"`, `"250 different"`."""
    found: dict[str, Any] = {}
    for name, values in _columns(items):
        if name not in without and len(found) < _MOST:
            said = _described(values, len(items))
            if said is not None:
                found[name] = said
    return found


def _columns(items: Sequence[Item]) -> Iterator[tuple[str, list[Any]]]:
    """Names in the order of the first item that has them; objects in a column give columns of their own."""
    names = dict.fromkeys(name for item in _sample(items) for name in item)
    for name in names:
        values = [item[name] for item in items if name in item]
        inner = [value for value in values if isinstance(value, dict)]
        if (
            inner
            and len(inner) * 2 > len(values)
            and all(isinstance(value, (dict, type(None))) for value in values)
        ):
            for below in dict.fromkeys(key for value in _sample(inner) for key in value):
                yield f"{name}.{below}", [value[below] for value in inner if below in value]
        else:
            yield name, values


def _sample(items: Sequence[Item]) -> Sequence[Item]:
    return [*items[:20], *items[20 :: max(1, len(items) // 20)]]


def _described(values: list[Any], of: int) -> Any:
    kinds = set(map(type, values))
    if not values or dict in kinds:
        return None
    if list in kinds:
        lengths = [len(value) for value in values if isinstance(value, list)]
        return f"lists of {_range(min(lengths), max(lengths))}"
    if kinds <= {int, float} and len(set(values)) > _FEW:
        return _range(min(values), max(values))
    counted = Counter(map(_key, values))
    if len(counted) == 1 and len(values) == of:
        return f"all {next(iter(counted))}"
    if len(counted) <= _FEW and all(len(key) <= _SHORT for key in counted):
        return dict(counted.most_common())
    texts = [value for value in values if isinstance(value, str)]
    if len(texts) == len(values) and all(_DATE.fullmatch(text) for text in texts):
        return _range(min(texts), max(texts))
    return f"{len(counted)} different"


def _key(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return str(value)


def _range(least: Any, most: Any) -> str:
    return f"{least}" if least == most else f"{least}…{most}"


def is_scalar(value: Any) -> bool:
    """Whether a value is no container."""
    return isinstance(value, _SCALARS)
