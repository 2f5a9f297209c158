"""The values in the text of a result (JSON, JSON lines, Python literals, a table), and a value as compact text."""

import ast
import csv
import json
import re
from collections.abc import Sequence
from math import isfinite
from typing import Any, Final, NamedTuple

import orjson

from toolbooth import catalog, limits, sandbox

_DELIMITERS: Final = (",", "\t", ";", "|")
_LEAST_ROWS: Final = 4
_INTRODUCTION: Final = 5  # lines before the table
_LOOKED_AT: Final = 40  # lines that decide whether the rest is worth reading
_NAME: Final = re.compile(r"[^\W\d][\w .#%()/-]{0,39}")
_RULE: Final = frozenset("|-:+= \t\r")  # between the head and the body of a table in Markdown
# Two decimals everywhere: 3.10 is an amount, not a version
_PRICE: Final = re.compile(r"-?(?:0|[1-9]\d{0,9})\.\d\d")
_WHOLE: Final = re.compile(r"0|-?[1-9]\d{0,14}")
# Written again it is the same: version 3.10 is not 3.1.
_DECIMAL: Final = re.compile(r"-?(?:0|[1-9]\d{0,6})\.(?:0|\d{0,7}[1-9])")
Rows = list[dict[str, Any]]


class Table(NamedTuple):
    """The rows, and the text before the line that names the columns."""

    before: str
    rows: Rows


def table(text: str) -> Table | None:
    """None if it is not a table: every line must have as many cells as there are names in the first."""
    if text.count("\n") > limits.MAX_TABLE_ROWS:
        return None
    beginning = text[:20_000].split("\n", _LOOKED_AT)[:_LOOKED_AT]
    for skipped in range(min(_INTRODUCTION, len(beginning))):
        names = _names(beginning, skipped)
        if names is not None:
            lines = text.split("\n")
            rows = _rows(lines[skipped:], *names)
            return None if rows is None else Table("".join(f"{line}\n" for line in lines[:skipped]), rows)
    return None


def _names(lines: Sequence[str], at: int) -> tuple[str, list[str]] | None:
    """The delimiter and the names in this line, if the next few lines match it."""
    for delimiter in _DELIMITERS:
        if lines[at].count(delimiter) == 0:
            continue
        names = _cells(lines[at], delimiter)
        following = _first_rows(lines[at + 1 :], delimiter)
        fits = all(len(row) == len(names) for row in following)
        if len(names) > 1 and len(set(names)) == len(names) and all(map(_NAME.fullmatch, names)) and fits:
            return (delimiter, names) if len(following) >= _LEAST_ROWS else None
    return None


def _first_rows(lines: Sequence[str], delimiter: str) -> list[list[str]]:
    """The next few rows; the last one that was read may continue after it, and is left out."""
    try:
        return _all_cells(list(lines), delimiter)[:_LEAST_ROWS]
    except csv.Error:
        return []


def _is_rule(line: str) -> bool:
    return "--" in line and _RULE.issuperset(line)


def _cells(line: str, delimiter: str) -> list[str]:
    if delimiter == "|":
        return [cell.strip() for cell in line.strip().strip("|").split("|")]
    try:
        return next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:  # a carriage return in the middle, or a cell of more than 128 KB
        return []


def _rows(lines: list[str], delimiter: str, names: list[str]) -> Rows | None:
    try:
        cells = _all_cells(lines[1:], delimiter)
    except csv.Error:
        return None
    if len(cells) < _LEAST_ROWS or any(len(row) != len(names) for row in cells):
        return None
    columns = [_typed(column) for column in zip(*cells, strict=True)]
    return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]


def _all_cells(lines: list[str], delimiter: str) -> list[list[str]]:
    if delimiter == "|":
        return [_cells(line, delimiter) for line in lines if line.strip() and not _is_rule(line)]
    whole = (line + "\n" for line in lines)  # a cell in quotes may cover several lines
    return [row for row in csv.reader(whole, delimiter=delimiter, strict=True) if row]


def _typed(column: Sequence[str]) -> Sequence[Any]:
    """Numbers if all of a column are; an empty cell among them is null. 007 is not one, and 3.10 only among prices."""
    filled = [cell for cell in column if cell]
    if filled and all(map(_PRICE.fullmatch, filled)):
        return [float(cell) if cell else None for cell in column]
    if filled and all(map(_WHOLE.fullmatch, filled)):
        return [int(cell) if cell else None for cell in column]
    if filled and all(_DECIMAL.fullmatch(cell) or _WHOLE.fullmatch(cell) for cell in filled):
        return [(float(cell) if "." in cell else int(cell)) if cell else None for cell in column]
    return column


_OPENINGS: Final = ("{", "[")
_AROUND: Final = 2_000  # characters before JSON, or after it
_TRIED: Final = 3  # places where it may end
_BEGINNING: Final = re.compile(r"^[\[{]", re.MULTILINE)
_ENDING: Final = re.compile(r"[}\]](?=[ \t\r]*(?:\n|\Z))")
_LITERAL: Final = re.compile(r"[\[{(\s]*(?:'|\d|None\b|True\b|False\b)")
_LITERAL_BYTES: Final = 128 * limits.KIB  # Python's reader takes 15 ms and 15 MB for 100 KB
_PLAIN: Final = (str, int, float, bool, type(None))


class Payload(NamedTuple):
    """A text, and its value if it has one; the rows of a table, or JSON lines, are a list.

    `before` and `after` are the text around the document. `is_json` is false if the text itself is written
    otherwise.
    """

    text: str
    value: Any = None
    before: str = ""
    after: str = ""
    is_json: bool = False

    @property
    def has_value(self) -> bool:
        """Whether a path can reach into it; a bare number or string is text."""
        return self.value is not None


def payload(text: str) -> Payload:
    """Read a text; more than one document with a little text around it is plain text."""
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
        value = catalog.decode(text.encode())
    except (catalog.NotJson, UnicodeEncodeError):  # half a surrogate pair is not valid JSON either
        return None
    return value if isinstance(value, (dict, list)) else None


def _one_a_line(text: str) -> list[Any] | None:
    """JSON lines: two or more, each of them an object or a list."""
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
    """One document with a few words around it: "Found 250 issues:", a Markdown fence, "next page: 2"."""
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
    """What Python prints for lists and dicts, as many servers answer: `[{'id': 7, 'note': None}]`."""
    if len(text) > _LITERAL_BYTES or not _LITERAL.match(text):
        return None
    try:
        return _as_json(ast.literal_eval(sandbox.parse_expression(text.strip())), limits.MAX_JSON_DEPTH)
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return None


def _as_json(value: Any, depth: int) -> Any:
    """Tuples become lists; what JSON cannot represent raises ValueError."""
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


_BETWEEN: Final = ",\n"
_SHORT: Final = 80  # characters of a list that stays on one line
_COMPACT: Final = (",", ":")


def as_text(value: Any) -> str:
    """The whole text is JSON: a line break between two items is whitespace, and costs no token more."""
    if not isinstance(value, list):
        return compact(value)
    items = list(map(compact, value))
    short = sum(map(len, items)) + len(items) <= _SHORT
    return f"[{(',' if short else _BETWEEN).join(items)}]"


def compact(value: Any) -> str:
    """On one line; integers over 64 bits, which orjson refuses, keep every digit."""
    try:
        return orjson.dumps(value).decode()
    except TypeError:
        return json.dumps(value, ensure_ascii=not _is_unicode(value), separators=_COMPACT)


def _is_unicode(value: Any) -> bool:
    """Half a surrogate pair is written as its escape."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True
