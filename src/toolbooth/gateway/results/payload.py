"""The text of an answer → the values it holds, where it holds any: JSON, JSON lines, Python literals, a table."""

import ast
import re
from typing import Any, Final, NamedTuple

from toolbooth.catalog import NotJson, decode
from toolbooth.gateway.results.tables import table
from toolbooth.limits import KIB, MAX_JSON_DEPTH

_OPENINGS: Final = ("{", "[")
_INTRODUCTION: Final = 2_000  # characters before JSON: "Found 250 issues:" and the like
_BEGINNING: Final = re.compile(r"^[\[{]", re.MULTILINE)
_FENCE: Final = re.compile(r"\n```\s*\Z")
_LITERAL: Final = re.compile(r"[\[{(\s]*(?:'|\d|None\b|True\b|False\b)")
_LITERAL_BYTES: Final = 512 * KIB  # Python's reader takes 15 ms and 15 MB for 100 KB
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
    if not text.lstrip()[:1].startswith(_OPENINGS):
        found = _introduced(text)
        return found if found is not None else _tabular(text)
    whole = _container(text)
    if whole is not None:
        return Payload(text, whole, is_json=True)
    listed = _one_a_line(text)
    return Payload(text, _literal(text) if listed is None else listed)


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


def _introduced(text: str) -> Payload | None:
    """A few words, then one document to the end, perhaps in a Markdown fence."""
    begun = _BEGINNING.search(text, 0, _INTRODUCTION)
    if begun is None:
        return None
    before, rest = text[: begun.start()], text[begun.start() :]
    fence = _FENCE.search(rest) if "```" in before else None
    document = rest[: fence.start()] if fence else rest
    value = _container(document)
    return None if value is None else Payload(text, value, before, rest[len(document) :], is_json=True)


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
    if isinstance(value, _PLAIN):
        return value
    if depth and isinstance(value, (list, tuple)):
        return [_as_json(inner, depth - 1) for inner in value]
    if depth and isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return {key: _as_json(inner, depth - 1) for key, inner in value.items()}
    raise ValueError(type(value).__name__)
