"""A JSON value → compact text; the items of a long list stand on lines of their own, so that it can be paged."""

import json
from typing import Any, Final

import orjson

_BETWEEN: Final = ",\n"
_SHORT: Final = 80  # characters of a list that stays on one line
_COMPACT: Final = (",", ":")


def as_text(value: Any) -> str:
    """The text is JSON as a whole: a line break between two items is a blank, and costs no token more."""
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
