"""The text of an answer → the values it holds, where it holds any: JSON, JSON lines, Python literals, a table."""

import ast
import re
from math import isfinite
from typing import Any, Final, NamedTuple

from toolbooth.catalog import NotJson, decode
from toolbooth.gateway.results.tables import table
from toolbooth.limits import KIB, MAX_JSON_DEPTH

_OPENINGS: Final = ("{", "[")
_AROUND: Final = 2_000  # characters before JSON, or behind it
_TRIED: Final = 3  # places where it may end
_BEGINNING: Final = re.compile(r"^[\[{]", re.MULTILINE)
_ENDING: Final = re.compile(r"[}\]](?=[ \t\r]*(?:\n|\Z))")
_LITERAL: Final = re.compile(r"[\[{(\s]*(?:'|\d|None\b|True\b|False\b)")
_LITERAL_BYTES: Final = 128 * KIB  # Python's reader takes 15 ms and 15 MB for 100 KB
_PLAIN: Final = (str, int, float, bool, type(None))


class Payload(NamedTuple):
    """A text, and its value where it has one; rows of a table and JSON lines are a list.

    `before` and `after` are the words around the document. `is_json` is false where the text itself is written
    otherwise.
    """

    text: str
    value: Any = None
    before: str = ""
    after: str = ""
    is_json: bool = False

    @property
    def has_value(self) -> bool:
        """Whether it can be reached into by a path; a bare number or string is text."""
        return self.value is not None


def payload(text: str) -> Payload:
    """Read a text; what holds more than one document and a few words is plain text."""
    if text.lstrip()[:1].startswith(_OPENINGS):
        whole = _container(text)
        if whole is not None:
            return Payload(text, whole, is_json=True)
        listed = _one_a_line(text)
        listed = _literal(text) if listed is None else listed
        if listed is not None:
            return Payload(text, listed)
    found = _among_words(text)
    return found if found is not None else _tabular(text)


def _container(text: str) -> Any:
    try:
        value = decode(text.encode())
    except (NotJson, UnicodeEncodeError):  # half a surrogate pair is no JSON text, either
        return None
    return value if isinstance(value, (dict, list)) else None


def _one_a_line(text: str) -> list[Any] | None:
    """JSON lines: two or more, every one of them an object or a list."""
    lines = [line for line in text.split("\n") if line.strip()]
    if len(lines) < 2 or not all(line.lstrip().startswith(_OPENINGS) for line in lines):
        return None
    values = []
    for line in lines:
        value = _container(line)
        if value is None:
            return None
        values.append(value)
    return values


def _among_words(text: str) -> Payload | None:
    """A few words, one document, a few words: "Found 250 issues:", a Markdown fence, "next page: 2"."""
    begun = _BEGINNING.search(text, 0, _AROUND)
    if begun is None:
        return None
    start = begun.start()
    ends = [found.end() for found in _ENDING.finditer(text, max(start, len(text) - _AROUND))]
    for end in ends[: -_TRIED - 1 : -1]:
        value = _container(text[start:end])
        if value is not None:
            return Payload(text, value, text[:start], text[end:], is_json=True)
    return None


def _tabular(text: str) -> Payload:
    found = table(text)
    return Payload(text) if found is None else Payload(text, found.rows, found.before)


def _literal(text: str) -> Any:
    """What Python prints of lists and dicts, as many servers answer: `[{'id': 7, 'note': None}]`."""
    if len(text) > _LITERAL_BYTES or not _LITERAL.match(text):
        return None
    try:
        return _as_json(ast.literal_eval(text.strip()), MAX_JSON_DEPTH)
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return None


def _as_json(value: Any, depth: int) -> Any:
    """Tuples are lists; what JSON cannot say raises ValueError."""
    if isinstance(value, float) and not isfinite(value):
        raise ValueError("an infinite number")
    if isinstance(value, str):
        value.encode()  # half a surrogate pair raises, too
    if isinstance(value, _PLAIN):
        return value
    if depth and isinstance(value, (list, tuple)):
        return [_as_json(inner, depth - 1) for inner in value]
    if depth and isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return {_as_json(key, 0): _as_json(inner, depth - 1) for key, inner in value.items()}
    raise ValueError(type(value).__name__)
