"""The fields that a call asks for (`items[].id`): JSON reduced to them, in the same shape, as the first step."""

import re
from collections.abc import Iterable
from typing import Any, Final

from toolbooth.errors import WrongArguments
from toolbooth.safetext import for_terminal

Wanted = dict[str, "Wanted"]
_STEP: Final = re.compile(r'\.?("(?:[^"\\]|\\.)*"|[^.\[\]"]+)|\[\*?\]')
_NOTHING: Final = object()


def project(value: Any, fields: Iterable[str]) -> Any:
    """Every item of a list keeps its index, so that paths into the whole answer stay valid; None if no field exists."""
    wanted: Wanted = {}
    for field in fields:
        _enter(wanted, field)
    found = _projected(value, wanted)
    return None if found is _NOTHING else found


def _enter(wanted: Wanted, field: str) -> None:
    """Lists need no marker: `items[].id` and `items.id` are the same."""
    at = 0
    here = wanted
    while at < len(field):
        step = _STEP.match(field, at)
        if step is None:
            raise WrongArguments(
                f"`fields` cannot be read at {for_terminal(field[at:], 40)!r}; write fields like items[].id"
            )
        at = step.end()
        name = step[1]
        if name is not None:
            plain = name.strip() if not name.startswith('"') else _unquoted(name)
            here = here.setdefault(plain, {})


def _unquoted(name: str) -> str:
    return re.sub(r"\\(.)", r"\1", name[1:-1])


def _projected(value: Any, wanted: Wanted) -> Any:
    if not wanted:
        return value
    if isinstance(value, list):
        items = [_projected(item, wanted) for item in value]
        if all(item is _NOTHING for item in items):
            return _NOTHING
        return [{} if item is _NOTHING else item for item in items]
    if not isinstance(value, dict):
        return _NOTHING
    found = {name: _projected(value[name], inner) for name, inner in wanted.items() if name in value}
    kept = {name: inner for name, inner in found.items() if inner is not _NOTHING}
    return kept or _NOTHING


def names_in(value: Any) -> list[str]:
    """The fields that exist, as a call would name them: the first level of objects, through lists."""
    if isinstance(value, list):
        return [f"[].{name}" for name in names_in(value[0])] if value else []
    if not isinstance(value, dict):
        return []
    found: list[str] = []
    for name, inner in list(value.items())[:20]:
        below = names_in(inner) if isinstance(inner, list) else []
        found += [f"{name}{each}" for each in below] or [name]
    return found
