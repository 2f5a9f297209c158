"""A query × a kept text, or JSON in it → the places that answer it best, in order, each with where it stands."""

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from toolbooth.gateway.results.elements import Element, elements
from toolbooth.gateway.results.excerpt import excerpt
from toolbooth.gateway.results.lines import size
from toolbooth.gateway.results.nearest import nearest_words
from toolbooth.gateway.results.placeholder import more_places
from toolbooth.gateway.results.relevance import scores
from toolbooth.gateway.results.windows import Windows
from toolbooth.safetext import for_terminal

_LEAST: Final = 0.25  # of the best place's relevance; what is below has only the common words of the query
_MOST_PLACES: Final = 40
_SHOWN_QUERY: Final = 80


class Search(NamedTuple):
    """What is looked for within so many bytes, and under which ref and path a reader goes on."""

    query: str
    cap: int
    ref: str
    path: str = ""


def search_value(search: Search, value: Any) -> str:
    """The elements of JSON that answer best, each with its path."""
    found = list(elements(value, search.path))
    relevance = scores(search.query, [f"{each.path} {each.text}" for each in found])
    shown: dict[int, str] = {}
    room = search.cap
    best = _best(relevance)
    for index in best:
        text = _written(found[index], search.query)
        if size(text) < room or not shown:
            shown[index] = text
            room -= size(text) + 1
    if not shown:
        return _nothing(search.query, (each.text for each in found))
    return _ended([shown[index] for index in sorted(shown)], search, len(best) - len(shown))


def search_text(search: Search, text: str, before: int = 0) -> str:
    """The lines that answer best, with a few around them; `before` lines come before the text."""
    windows = Windows(text, search.query)
    best = _best(windows.relevance)
    taken = [index for index in best if windows.take(index, search.cap)]
    if not taken:
        return _nothing(search.query, (text,))
    return _ended(windows.blocks(before), search, len(best) - len(taken))


def _best(relevance: Sequence[float]) -> list[int]:
    """The most relevant first."""
    least = _LEAST * max(relevance, default=0.0)
    found = [index for index, score in enumerate(relevance) if score > 0 and score >= least]
    return sorted(found, key=lambda index: -relevance[index])[:_MOST_PLACES]


def _written(element: Element, query: str) -> str:
    path, start, lines, text = element
    if not start:
        return f"{path}: {text}"
    where = f"{path} lines {start}-{start + lines - 1}:\n"
    return where + "\n".join(excerpt(line, query) for line in text.rstrip("\n").split("\n"))


def _ended(blocks: Iterable[str], search: Search, more: int) -> str:
    ending = [more_places(search.ref, more, search.query, search.path, search.cap)] if more else []
    return "\n".join([*blocks, *ending])


def _nothing(query: str, texts: Iterable[str]) -> str:
    said = f'nothing matches "{for_terminal(query, _SHOWN_QUERY)}"'
    near = nearest_words(query, texts)
    return f"{said}; near to it are: {', '.join(near)}" if near else said
