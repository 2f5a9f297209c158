"""JSON → its elements, small enough to be shown one by one, each with the JMESPath expression that reads it."""

import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from toolbooth.gateway.reduce.paths import ROOT, Path, expression
from toolbooth.gateway.results.reading.compact_json import as_text, compact
from toolbooth.gateway.results.reading.groups import Groups

_WHOLE: Final = 1_500  # bytes up to which an element is shown in one piece
_TOGETHER: Final = 10  # plain members of one object that are shown together
_SHORT: Final = 100  # characters of a text that is plain
_DEEPEST: Final = 12  # levels that are taken apart: each writes once more what is below it
_LINES: Final = 8  # of a long text, shown together
# A path behind which a step can be written as it is; behind all others it needs a pipe.
_SIMPLE: Final = re.compile(r'(?:\.?[A-Za-z_]\w*|\.?"(?:[^"\\]|\\.)*"|\[-?\d+\])+')


class Element(NamedTuple):
    """A part of a value: where it is, which lines of the text there (0: all), and how it looks."""

    path: str
    start: int
    lines: int
    text: str


def elements(value: Any, base: str) -> Iterator[Element]:
    """In order; together they are all of the value that `base` leads to."""
    for path, part in _taken_apart(value, ROOT):
        where = _joined(base, path)
        text = compact(part)
        if len(text) <= _WHOLE:
            yield Element(where, 0, 0, text)
        else:
            yield from _of_text(where, part if isinstance(part, str) else as_text(part))


def _taken_apart(value: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    """Containers that are small, and all that is none; a few plain members of a large object stay together."""
    if _stays_whole(value, path):
        yield path, value
        return
    members = value.items() if isinstance(value, dict) else enumerate(value)
    plain: dict[Any, Any] = {}
    for key, member in members:
        if isinstance(value, list) or not _is_plain(member):
            yield from _taken_apart(member, (*path, key))
            continue
        plain[key] = member
        if len(plain) == _TOGETHER:
            yield path, plain
            plain = {}
    if plain:
        yield path, plain


def _stays_whole(value: Any, path: Path) -> bool:
    if not value or not isinstance(value, (dict, list)) or len(path) > _DEEPEST:
        return True
    is_the_list = isinstance(value, list) and not path
    return not is_the_list and len(compact(value)) <= _WHOLE


def _is_plain(value: Any) -> bool:
    return not isinstance(value, (dict, list)) and not (isinstance(value, str) and len(value) > _SHORT)


def _of_text(path: str, text: str) -> Iterator[Element]:
    groups = Groups(text, _LINES)
    for index in range(len(groups)):
        yield Element(path, *groups[index])


def _joined(base: str, path: Path) -> str:
    below = expression(path)
    if not base or base == "@":
        return below
    if below == "@":
        return base
    if _SIMPLE.fullmatch(base):
        return f"{base}{below}" if below.startswith("[") else f"{base}.{below}"
    return f"{base} | {below}"
