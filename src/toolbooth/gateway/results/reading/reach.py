"""A kept text × a path, a query or both → what stands there, in the right form for either."""

from typing import Any

from toolbooth.gateway.results.lines import Lines
from toolbooth.gateway.results.payload import payload
from toolbooth.gateway.results.reading.by_path import NothingThere, at_path
from toolbooth.gateway.results.reading.by_query import Search, search_text, search_value
from toolbooth.gateway.results.reading.pages import page
from toolbooth.gateway.results.reading.wish import Wish


def reach(whole: Lines, wish: Wish) -> str:
    """A query looks through JSON by its elements, and through anything else by its lines."""
    value: Any = None
    if wish.path:
        try:
            value, text = at_path(whole.text, wish.path)
        except NothingThere as nothing:
            return str(nothing)
        whole = Lines(text)
    elif not _has_range(wish):
        value = payload(whole.text).value
    if not wish.query:
        return page(whole, wish)
    search = Search(wish.query, wish.max_bytes, wish.ref, wish.path, wish.start)
    if isinstance(value, (dict, list)) and not _has_range(wish):
        return search_value(search, value)
    lines = len(whole) if wish.lines is None else wish.lines
    return search_text(search, whole.part(wish.start, lines))


def _has_range(wish: Wish) -> bool:
    return wish.start > 1 or wish.lines is not None
