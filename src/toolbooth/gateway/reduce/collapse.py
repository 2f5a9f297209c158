"""An array of items with the same keys → the first few in full, the rest by what names them, ranges and counts."""

from collections.abc import Sequence
from typing import Any, Final

from toolbooth.catalog.config import Reduction
from toolbooth.gateway.reduce.columns import described, is_scalar
from toolbooth.gateway.reduce.hidden import NOT_SHOWN, Hidden, Picked, Summary, in_kb, weight
from toolbooth.gateway.reduce.paths import Path, expression
from toolbooth.gateway.reduce.walk import through

IDENTITY: Final = ("id", "name", "title", "slug", "key", "label")
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
        return sum(map(len, items)) * 2 >= len(union) * len(items)
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
    summary = Summary({NOT_SHOWN: Hidden(f"{len(rest)} of {len(items)} items ({in_kb(size)})", where)})
    summary.update(_about(items, shown))
    return summary if forced or weight(summary) <= size * _WORTH else None


def _about(items: list[Any], shown: int) -> dict[str, Any]:
    """The rest by name, and all of them in ranges and counts."""
    rows = [_as_item(item) for item in items]
    if not all(isinstance(row, dict) for row in rows):
        return {}
    about: dict[str, Any] = {}
    names = _naming(rows)
    listed, complete = _listed(rows[shown:], names)
    if listed:
        about[f"rest by {', '.join(names)}"] = listed
    columns = described(rows, names if complete else ())
    if columns:
        about[f"all {len(items)}"] = columns
    return about


def _as_item(item: Any) -> Any:
    """A row of a table as an object: its columns by their numbers."""
    return {f"[{index}]": cell for index, cell in enumerate(item)} if isinstance(item, list) else item


def _naming(rows: Sequence[dict[str, Any]]) -> tuple[str, ...]:
    """The columns that tell one item from another."""
    named = tuple(
        name for name in IDENTITY if any(name in row for row in rows[:20]) and _all_scalar(rows, name)
    )
    return named or next(((name,) for name in rows[0] if _tells_apart(rows, name)), ())


def _all_scalar(rows: Sequence[dict[str, Any]], name: str) -> bool:
    return all(is_scalar(row.get(name)) for row in rows)


def _tells_apart(rows: Sequence[dict[str, Any]], name: str) -> bool:
    """Short, there in every row, and never twice the same."""
    values = [row.get(name) for row in rows]
    plain = all(isinstance(value, (str, int)) and len(str(value)) <= _NAME for value in values)
    return plain and len(set(values)) == len(values)


def _listed(rest: Sequence[dict[str, Any]], names: Sequence[str]) -> tuple[Any, bool]:
    """The rest by name, as many as fit, and whether that is all of them."""
    if not names:
        return None, True
    if len(names) == 1:
        numbers = [row.get(names[0]) for row in rest]
        if all(type(number) is int for number in numbers) and numbers == list(
            range(numbers[0], numbers[0] + len(numbers))  # type: ignore[arg-type, operator]
        ):
            return f"{numbers[0]}…{numbers[-1]}", True
    listed: list[Any] = []
    room = _LISTED
    for row in rest:
        entry = _entry(row, names)
        room -= weight(entry) + 1
        if room < 0:
            return [*listed, f"and {len(rest) - len(listed)} more"], False
        listed.append(entry)
    return listed, True


def _entry(row: dict[str, Any], names: Sequence[str]) -> Any:
    cells = [_short(row.get(name)) for name in names]
    return cells[0] if len(cells) == 1 else cells


def _short(value: Any) -> Any:
    return f"{value[: _NAME - 1]}…" if isinstance(value, str) and len(value) > _NAME else value
