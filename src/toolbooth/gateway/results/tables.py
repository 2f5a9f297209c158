"""A text that is a table (CSV, tabs, bars) → its rows as objects, so that columns can be summed up and asked for."""

import csv
import re
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from toolbooth.limits import MAX_TABLE_ROWS

_DELIMITERS: Final = (",", "\t", ";", "|")
_LEAST_ROWS: Final = 4
_INTRODUCTION: Final = 5  # lines before the table
_LOOKED_AT: Final = 40  # lines that decide whether the rest is worth reading
_NAME: Final = re.compile(r"[^\W\d][\w .#%()/-]{0,39}")
_RULE: Final = frozenset("|-:+= \t\r")  # between the head and the body of a table in Markdown
_PRICE: Final = re.compile(
    r"-?(?:0|[1-9]\d{0,9})\.\d\d"
)  # two decimals everywhere: 3.10 is an amount, no version
_WHOLE: Final = re.compile(r"0|-?[1-9]\d{0,14}")
# Written again it is the same: version 3.10 is not 3.1.
_DECIMAL: Final = re.compile(r"-?(?:0|[1-9]\d{0,6})\.(?:0|\d{0,7}[1-9])")
Rows = list[dict[str, Any]]


class Table(NamedTuple):
    """The rows, and the words before the line that names the columns."""

    before: str
    rows: Rows


def table(text: str) -> Table | None:
    """None where it is none: every line has as many cells as the names in the first."""
    if text.count("\n") > MAX_TABLE_ROWS:
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
    """The sign between cells, and the names in this line, where the next few lines fit to it."""
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
    """The next few; the last that was looked at may go on behind it, and is not among them."""
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
    whole = (line + "\n" for line in lines)  # a cell in quotes may go over several lines
    return [row for row in csv.reader(whole, delimiter=delimiter, strict=True) if row]


def _typed(column: Sequence[str]) -> Sequence[Any]:
    """Numbers where all of a column are; an empty cell among them is null. 007 is none, and 3.10 only among prices."""
    filled = [cell for cell in column if cell]
    if filled and all(map(_PRICE.fullmatch, filled)):
        return [float(cell) if cell else None for cell in column]
    if filled and all(map(_WHOLE.fullmatch, filled)):
        return [int(cell) if cell else None for cell in column]
    if filled and all(_DECIMAL.fullmatch(cell) or _WHOLE.fullmatch(cell) for cell in filled):
        return [(float(cell) if "." in cell else int(cell)) if cell else None for cell in column]
    return column
