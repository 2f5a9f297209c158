"""What `_meta` tells clients that search tools themselves: which tools to load at once, and words to find the rest.

A model never reads `_meta`, so it costs no tokens, and clients that do not know a key pass over it.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final
from weakref import WeakKeyDictionary

from toolbooth import catalog, search

ALWAYS_LOAD: Final = "anthropic/alwaysLoad"
SEARCH_HINT: Final = "anthropic/searchHint"
_hints: WeakKeyDictionary[catalog.Tool, str] = WeakKeyDictionary()


def always_loaded(definition: Mapping[str, Any]) -> dict[str, Any]:
    """The definition of a tool of a short menu: a client that defers it would have to search for the search."""
    return _with_meta(definition, ALWAYS_LOAD, True)


def findable(tool: catalog.Tool, definition: Mapping[str, Any]) -> dict[str, Any]:
    """The definition with words to find it by, unless its server gave some itself or there is nothing to add."""
    given = (definition.get("_meta") or {}).get(SEARCH_HINT)
    hint = "" if given is not None else _hint(tool)
    return _with_meta(definition, SEARCH_HINT, hint) if hint else dict(definition)


def hints_ahead(tools: Iterable[catalog.Tool]) -> None:
    """Find the words for these tools now, in a thread: 4,000 tools take half a second."""
    for tool in tools:
        _hint(tool)


def _hint(tool: catalog.Tool) -> str:
    known = _hints.get(tool)
    if known is None:
        known = _hints[tool] = search.search_hint(tool)
    return known


def _with_meta(definition: Mapping[str, Any], key: str, value: Any) -> dict[str, Any]:
    return {**definition, "_meta": {**(definition.get("_meta") or {}), key: value}}
