"""An array of items with the same keys → the first few in full, the rest by what names them, ranges and counts."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from toolbooth.catalog.config import Reduction
from toolbooth.gateway.reduce.columns import (
    ABSENT,
    Column,
    all_scalar,
    columns,
    described,
    is_scalar,
    tells_apart,
)
from toolbooth.gateway.reduce.hidden import NOT_SHOWN, Hidden, Picked, Summary, weight
from toolbooth.gateway.reduce.paths import Path, expression
from toolbooth.gateway.reduce.walk import through

IDENTITY: Final = ("id", "name", "title", "slug", "key", "label")
_TELLING: Final = frozenset(("name", "title", "label"))  # a number or a slug alone tells little
_INSTEAD: Final = ("subject", "summary", "message", "path", "filename", "username", "login", "email", "url")
_LISTED: Final = 1_500  # bytes of the rest's names; more of them are a range
_NAME: Final = 80  # characters of one name
_WORTH: Final = 0.75  # what stands for the rest is at most this part of it
_LEAST: Final = 400  # bytes of a rest that is worth a placeholder


def collapse(value: Any, settings: Reduction, path: Path = ()) -> Any:
    """Arrays at any depth; the same object where there is nothing to collapse."""
    if isinstance(value, list) and not isinstance(value, Picked):
        shown = _shown(value, settings)
        summary = _summary(value, shown, settings, path) if shown < len(value) else None
        if summary is not None:
            kept = through(value[:shown], path, lambda inner, where: collapse(inner, settings, where))
            return [*kept, summary]
    return through(value, path, lambda inner, where: collapse(inner, settings, where))


def _shown(items: list[Any], settings: Reduction) -> int:
    """How many items are shown; all of them where nothing is to be done."""
    many = settings.limit if settings.limit is not None and len(items) > settings.limit else len(items)
    if settings.collapse and len(items) > settings.collapse_over and _uniform(items):
        return min(many, settings.collapse_over)
    return many


def _uniform(items: list[Any]) -> bool:
    """Objects of the same keys, though a few may be left out here and there; or rows of the same length."""
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


def _summary(items: list[Any], shown: int, settings: Reduction, path: Path) -> Summary | None:
    """What stands for the items from `shown` on; None where that would not be worth a second call."""
    rest = items[shown:]
    size = weight(rest)
    forced = settings.limit is not None and len(items) > settings.limit
    if size < _LEAST and not forced:
        return None
    sliced = shown > 0 and None not in rest  # a slice of JMESPath loses what is null
    where = expression(path, shown) if sliced else expression(path)
    summary = Summary({NOT_SHOWN: Hidden(f"{len(rest)} of {len(items)} items", where)})
    summary.update(_about(items, shown))
    return summary if forced or weight(summary) <= size * _WORTH else None


def about_all(items: list[Any]) -> dict[str, Any]:
    """Uniform items in ranges and counts; nothing of others."""
    said = described(columns(items)) if _uniform(items) else {}
    return {f"all {len(items)}": said} if said else {}


def _about(items: list[Any], shown: int) -> dict[str, Any]:
    """The rest by name, and all of them in ranges and counts."""
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
    """The columns that tell one item from another."""
    named = tuple(name for name in IDENTITY if name in found and all_scalar(found[name]))
    if not _TELLING.isdisjoint(named):
        return named
    telling = next((name for name in _INSTEAD if name in found and all_scalar(found[name])), None)
    if telling is not None:
        return (*named, telling)
    return named or next(((name,) for name, column in found.items() if tells_apart(column, _NAME)), ())


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
    room = _LISTED
    for cells in zip(*rest, strict=True):
        entry = [_short(cell) for cell in cells] if len(cells) > 1 else _short(cells[0])
        room -= weight(entry) + 1
        if room < 0:
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
