"""An array of items with the same keys, collapsed: the first few in full, the rest by names, ranges and counts."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any, Final, NamedTuple

from toolbooth.catalog.config import Reduction
from toolbooth.gateway.reduce.hidden import NOT_SHOWN, Hidden, Picked, Summary, through, weight
from toolbooth.gateway.results.read_request import JsonPath, expression

Column = Sequence[Any]
ABSENT: Final = object()  # in place of a key that an item does not have
_FEW: Final = 6  # different values that are counted one by one
_SHORT: Final = 40  # characters of such a value
_MOST: Final = 24  # columns; an item with more is not summarized further
_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d.*)?")
_SCALARS: Final = frozenset((str, int, float, bool, type(None), type(ABSENT)))
_WORDS: Final = {None: "null", True: "true", False: "false"}


def columns(items: Sequence[Any]) -> dict[str, Column]:
    """The columns of objects by their keys, of rows by their numbers; none if the items are neither."""
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
    """Objects in a column become columns of their own."""
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
    """Whether a value is not a container."""
    return type(value) in _SCALARS


def all_scalar(column: Column) -> bool:
    """Whether every value in the column is a scalar."""
    return set(map(type, column)) <= _SCALARS


def distinguishes(column: Column, most: int) -> bool:
    """Whether a column could identify the items: short, present in each, and never the same twice."""
    if not set(map(type, column)) <= {str, int} or len(set(column)) < len(column):
        return False
    return max((len(value) for value in column if type(value) is str), default=0) <= most


IDENTITY: Final = ("id", "name", "title", "slug", "key", "label")
_TELLING: Final = frozenset(("name", "title", "label"))  # a number or a slug alone says little
_INSTEAD: Final = ("subject", "summary", "message", "path", "filename", "username", "login", "email", "url")
_LISTED: Final = 1_500  # bytes of the names of the rest; if they are longer, a range is shown
_NAME: Final = 80  # characters of one name
_WORTH: Final = 0.75  # the summary of the rest may be at most this part of it
_LEAST: Final = 400  # bytes of a rest that is worth a placeholder


def collapse(value: Any, settings: Reduction, path: JsonPath = ()) -> Any:
    """Collapse arrays at any depth; returns the same object if there is nothing to collapse."""
    if isinstance(value, list) and not isinstance(value, Picked):
        shown = _shown(value, settings)
        summary = _summary(value, shown, settings, path) if shown < len(value) else None
        if summary is not None:
            kept = through(value[:shown], path, lambda inner, where: collapse(inner, settings, where))
            return [*kept, summary]
    return through(value, path, lambda inner, where: collapse(inner, settings, where))


def _shown(items: list[Any], settings: Reduction) -> int:
    """How many items are shown; all of them if nothing is to be done."""
    many = settings.limit if settings.limit is not None and len(items) > settings.limit else len(items)
    if settings.collapse and len(items) > settings.collapse_over and _uniform(items):
        return min(many, settings.collapse_over)
    return many


def _uniform(items: list[Any]) -> bool:
    """Objects of the same keys, though a few may be missing here and there; or rows of the same length."""
    first = items[0]
    if isinstance(first, dict):
        if not all(isinstance(item, dict) for item in items):
            return False
        keys = first.keys()
        if all(item.keys() == keys for item in items):
            return bool(keys)
        union = set().union(*items)
        return sum(map(len, items)) * 5 >= len(union) * len(items) * 4
    if isinstance(first, list) and first:
        return all(isinstance(item, list) and len(item) == len(first) for item in items) and all(
            is_scalar(cell) for cell in first
        )
    return False


def _summary(items: list[Any], shown: int, settings: Reduction, path: JsonPath) -> Summary | None:
    """The summary of the items from `shown` on; None if it would not be worth a second call."""
    rest = items[shown:]
    size = weight(rest)
    forced = settings.limit is not None and len(items) > settings.limit
    if size < _LEAST and not forced:
        return None
    sliced = shown > 0 and None not in rest  # a slice of JMESPath drops null
    where = expression(path, shown) if sliced else expression(path)
    summary = Summary({NOT_SHOWN: Hidden(f"{len(rest)} of {len(items)} items", where)})
    summary.update(_about(items, shown))
    return summary if forced or weight(summary) <= size * _WORTH else None


def about_all(items: list[Any]) -> dict[str, Any]:
    """Uniform items in ranges and counts; empty for others."""
    said = described(columns(items)) if _uniform(items) else {}
    return {f"all {len(items)}": said} if said else {}


def _about(items: list[Any], shown: int) -> dict[str, Any]:
    """The rest by name, and all items in ranges and counts."""
    found = columns(items)
    if not found:
        return {}
    about: dict[str, Any] = {}
    names = _naming(found)
    listed = _listed([found[name][shown:] for name in names])
    if listed.names:
        about[f"rest by {', '.join(names)}"] = listed.names
    said = described(found, names if listed.complete else ())
    if said:
        about[f"all {len(items)}"] = said
    return about


def _naming(found: Mapping[str, Column]) -> tuple[str, ...]:
    """The columns that distinguish one item from another."""
    named = tuple(name for name in IDENTITY if name in found and all_scalar(found[name]))
    if not _TELLING.isdisjoint(named):
        return named
    telling = next((name for name in _INSTEAD if name in found and all_scalar(found[name])), None)
    if telling is not None:
        return (*named, telling)
    return named or next(((name,) for name, column in found.items() if distinguishes(column, _NAME)), ())


class _Listed(NamedTuple):
    """Items by name, as many as fit, and whether that is all of them."""

    names: Any = None
    complete: bool = True


def _listed(rest: Sequence[Column]) -> _Listed:
    if not rest:
        return _Listed()
    if len(rest) == 1 and _in_sequence(rest[0]):
        return _Listed(f"{rest[0][0]}…{rest[0][-1]}")
    listed: list[Any] = []
    budget = _LISTED
    for cells in zip(*rest, strict=True):
        entry = [_short(cell) for cell in cells] if len(cells) > 1 else _short(cells[0])
        budget -= weight(entry) + 1
        if budget < 0:
            return _Listed([*listed, f"and {len(rest[0]) - len(listed)} more"], complete=False)
        listed.append(entry)
    return _Listed(listed)


def _in_sequence(column: Column) -> bool:
    """Whole numbers, each one more than the last."""
    whole = len(column) > 1 and set(map(type, column)) == {int}
    return (
        whole
        and column[-1] - column[0] == len(column) - 1
        and list(column) == list(range(column[0], column[-1] + 1))
    )


def _short(value: Any) -> Any:
    if not isinstance(value, str):
        return None if value is ABSENT else value
    line = value.split("\n", 1)[0]
    return value if len(value) <= _NAME and line == value else f"{line[: _NAME - 1]}…"
