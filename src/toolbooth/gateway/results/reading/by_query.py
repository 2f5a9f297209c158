"""A query × a kept text, or JSON in it → the places that answer it best, in order, each with where it stands."""

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from toolbooth.gateway.results.lines import size
from toolbooth.gateway.results.reading.best import Best, best
from toolbooth.gateway.results.reading.elements import Element, elements
from toolbooth.gateway.results.reading.excerpt import excerpt
from toolbooth.gateway.results.reading.nearest import nearest_words
from toolbooth.gateway.results.reading.placeholder import more_places
from toolbooth.gateway.results.reading.windows import Windows
from toolbooth.gateway.results.relevance import weigh
from toolbooth.safetext import for_terminal

_COUNTED: Final = 3  # places; of more it is said how many there are
_BYTES_A_PLACE: Final = 100  # of the size that may be used: 16 KiB show up to 160 places
_SHOWN_QUERY: Final = 80
_SHOWN_ABSENT: Final = 5


class Search(NamedTuple):
    """What is looked for, within how many bytes, and under which ref and path, from which line on."""

    query: str
    cap: int
    ref: str
    path: str = ""
    start: int = 1

    @property
    def most(self) -> int:
        """Places in one answer."""
        return 1 + self.cap // _BYTES_A_PLACE


def search_value(search: Search, value: Any) -> str:
    """The elements of JSON that answer best, each with its path."""
    found = list(elements(value, search.path))
    relevance, held, absent = weigh(search.query, [f"{each.path} {each.text}" for each in found])
    chosen = best(relevance, held)
    shown: dict[int, str] = {}
    room = search.cap
    for index in chosen.wanted[: search.most]:
        text = _written(found[index], search.query)
        if size(text) < room or not shown:
            shown[index] = text
            room -= size(text) + 1
    if not shown:
        return _nothing(search.query, (each.text for each in found))
    return _told(search, chosen, absent, [shown[index] for index in sorted(shown)], len(shown))


def search_text(search: Search, text: str) -> str:
    """The lines that answer best, with a few around them; the text begins with the line `start`."""
    windows = Windows(text, search.query)
    chosen = best(windows.relevance, windows.held)
    taken = windows.take_all(chosen, search.most, search.cap)
    if not taken:
        return _nothing(search.query, (text,))
    return _told(search, chosen, windows.absent, windows.blocks(search.start - 1), taken)


def _written(element: Element, query: str) -> str:
    path, start, lines, text = element
    if not start:
        return f"{path}: {text}"
    where = f"{path} lines {start}-{start + lines - 1}:\n"
    return where + "\n".join(excerpt(line, query) for line in text.rstrip("\n").split("\n"))


def _told(search: Search, chosen: Best, absent: Sequence[str], blocks: Sequence[str], shown: int) -> str:
    """Words that are nowhere are said first, or a reader takes what follows for places that have them."""
    begun = []
    if absent:
        missing = ", ".join(f'"{for_terminal(word, _SHOWN_QUERY)}"' for word in absent[:_SHOWN_ABSENT])
        begun.append(f"[no {missing} in it; places with the other words:]")
    if len(chosen.matching) + len(chosen.in_part) > _COUNTED:
        begun.append(str(chosen))
    more = len(chosen.wanted) - shown
    ending = (
        [more_places(search.ref, more, search.query, search.path, search.start, search.cap)] if more else []
    )
    return "\n".join([*begun, *blocks, *ending])


def _nothing(query: str, texts: Iterable[str]) -> str:
    said = f'nothing matches "{for_terminal(query, _SHOWN_QUERY)}"'
    near = nearest_words(query, texts)
    return f"{said}; near to it are: {', '.join(near)}" if near else said
