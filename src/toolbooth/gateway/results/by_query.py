"""Searching a kept text, or JSON in it: the parts that match a query best, in order, each with its path or line
numbers.

JSON is searched by its elements, anything else by its lines. A query that matches nothing is answered with
similar words.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from toolbooth import safetext
from toolbooth.gateway.results import by_path, excerpts, read_request
from toolbooth.gateway.results.lines import LineGroups, Lines, size
from toolbooth.gateway.results.payload import as_text, compact, payload
from toolbooth.gateway.results.relevance import case_folded, read_terms, weigh

_WHOLE: Final = 1_500  # bytes up to which an element is shown in one piece
_TOGETHER: Final = 10  # plain members of one object that are shown together
_SHORT: Final = 100  # characters of a plain text
_DEEPEST: Final = 12  # levels that are taken apart: each writes what is below it once more
_LINES: Final = 8  # of a long text, shown together
# A path after which a step can be appended directly; all others need a pipe.
_SIMPLE: Final = re.compile(r'(?:\.?[A-Za-z_]\w*|\.?"(?:[^"\\]|\\.)*"|\[-?\d+\])+')


class Element(NamedTuple):
    """A part of a value: where it is, which lines of the text there (0: all), and how it is shown."""

    path: str
    start: int
    lines: int
    text: str


def elements(value: Any, base: str) -> Iterator[Element]:
    """In order; together they are all of the value at `base`."""
    for path, part in _taken_apart(value, read_request.ROOT):
        where = _joined(base, path)
        text = compact(part)
        if len(text) <= _WHOLE:
            yield Element(where, 0, 0, text)
        else:
            yield from _of_text(where, part if isinstance(part, str) else as_text(part))


def _taken_apart(value: Any, path: read_request.JsonPath) -> Iterator[tuple[read_request.JsonPath, Any]]:
    """Small containers and scalars; a few plain members of a large object stay together."""
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


def _stays_whole(value: Any, path: read_request.JsonPath) -> bool:
    if not value or not isinstance(value, (dict, list)) or len(path) > _DEEPEST:
        return True
    is_the_list = isinstance(value, list) and not path
    return not is_the_list and len(compact(value)) <= _WHOLE


def _is_plain(value: Any) -> bool:
    return not isinstance(value, (dict, list)) and not (isinstance(value, str) and len(value) > _SHORT)


def _of_text(path: str, text: str) -> Iterator[Element]:
    groups = LineGroups(text, _LINES)
    for index in range(len(groups)):
        yield Element(path, *groups[index])


def _joined(base: str, path: read_request.JsonPath) -> str:
    below = read_request.expression(path)
    if not base or base == "@":
        return below
    if below == "@":
        return base
    if _SIMPLE.fullmatch(base):
        return f"{base}{below}" if below.startswith("[") else f"{base}.{below}"
    return f"{base} | {below}"


_WORD: Final = re.compile(r"[^\W\d_]{3,40}")
_ESCAPE: Final = re.compile(r"\\[nrt]")  # in JSON as it is written
_READ: Final = 1 << 20  # characters of the texts that are searched, from the beginning
_PIECE: Final = 1 << 16  # characters at once: more would block the event loop
_ASKED: Final = 8  # words of the query
_OFFERED: Final = 5
_LIKENESS: Final = 0.6  # of 1: `tiemout` and `timeout` have 0.86


def nearest_words(query: str, texts: Iterable[str]) -> list[str]:
    """A few, the most similar first."""
    from rapidfuzz.distance import OSA
    from rapidfuzz.process import extract

    words = sorted(_words(texts))
    near: dict[str, float] = {}
    for term in read_terms(query)[:_ASKED]:
        likeness = OSA.normalized_similarity
        for word, alike, _ in extract(
            term.word, words, scorer=likeness, score_cutoff=_LIKENESS, limit=_OFFERED
        ):
            near[word] = max(alike, near.get(word, 0.0))
    best = sorted(near, key=lambda word: (-near[word], word))[:_OFFERED]
    return [safetext.for_terminal(word) for word in best]


def _words(texts: Iterable[str]) -> set[str]:
    found: set[str] = set()
    budget = _READ
    for text in texts:
        for at in range(0, min(len(text), budget), _PIECE):
            found.update(_WORD.findall(_ESCAPE.sub(" ", case_folded(text[at : at + _PIECE]))))
        budget -= len(text)
        if budget <= 0:
            break
    return found


_COUNTED: Final = 3  # places; the number of further ones is shown
_BYTES_A_PLACE: Final = 100  # of the size that may be used: 16 KiB show up to 160 places
_SHOWN_QUERY: Final = 80
_SHOWN_ABSENT: Final = 5


class ResultSearch(NamedTuple):
    """What is searched for, within how many bytes, under which ref and path, and from which line on."""

    query: str
    cap: int
    ref: str
    path: str = ""
    start: int = 1

    @property
    def most(self) -> int:
        """The most places in one answer."""
        return 1 + self.cap // _BYTES_A_PLACE


def search_value(search: ResultSearch, value: Any) -> str:
    """The elements of JSON that match best, each with its path."""
    found = list(elements(value, search.path))
    relevance, held, absent = weigh(search.query, [f"{each.path} {each.text}" for each in found])
    chosen = excerpts.best(relevance, held)
    shown: dict[int, str] = {}
    budget = search.cap
    for index in chosen.wanted[: search.most]:
        text = _written(found[index], search.query)
        if size(text) < budget or not shown:
            shown[index] = text
            budget -= size(text) + 1
    if not shown:
        return _nothing(search.query, (each.text for each in found))
    return _with_counts(search, chosen, absent, [shown[index] for index in sorted(shown)], len(shown))


def search_text(search: ResultSearch, text: str) -> str:
    """The lines that match best, with a few around them; the text begins with the line `start`."""
    windows = excerpts.MatchWindows(text, search.query)
    chosen = excerpts.best(windows.relevance, windows.held)
    taken = windows.take_all(chosen, search.most, search.cap)
    if not taken:
        return _nothing(search.query, (text,))
    return _with_counts(search, chosen, windows.absent, windows.blocks(search.start - 1), taken)


def _written(element: Element, query: str) -> str:
    path, start, lines, text = element
    if not start:
        return f"{path}: {text}"
    where = f"{path} lines {start}-{start + lines - 1}:\n"
    return where + "\n".join(excerpts.excerpt(line, query) for line in text.rstrip("\n").split("\n"))


def _with_counts(
    search: ResultSearch, chosen: excerpts.BestParts, absent: Sequence[str], blocks: Sequence[str], shown: int
) -> str:
    """Words that occur nowhere are named first, or a reader takes what follows for places that have them."""
    begun = []
    if absent:
        missing = ", ".join(
            f'"{safetext.for_terminal(word, _SHOWN_QUERY)}"' for word in absent[:_SHOWN_ABSENT]
        )
        begun.append(f"[no {missing} in it; places with the other words:]")
    if len(chosen.matching) + len(chosen.in_part) > _COUNTED:
        begun.append(str(chosen))
    more = len(chosen.wanted) - shown
    ending = (
        [read_request.more_places(search.ref, more, search.query, search.path, search.start, search.cap)]
        if more
        else []
    )
    return "\n".join([*begun, *blocks, *ending])


def _nothing(query: str, texts: Iterable[str]) -> str:
    said = f'nothing matches "{safetext.for_terminal(query, _SHOWN_QUERY)}"'
    near = nearest_words(query, texts)
    return f"{said}; similar words are: {', '.join(near)}" if near else said


def read_part(whole: Lines, request: read_request.ReadRequest) -> str:
    """A query searches JSON by its elements, and anything else by its lines."""
    value: Any = None
    if request.path:
        try:
            value, text = by_path.at_path(whole.text, request.path)
        except by_path.NothingThere as nothing:
            return str(nothing)
        whole = Lines(text)
    elif not _has_range(request):
        value = payload(whole.text).value
    if not request.query:
        return read_request.page(whole, request)
    search = ResultSearch(request.query, request.max_bytes, request.ref, request.path, request.start)
    if isinstance(value, (dict, list)) and not _has_range(request):
        return search_value(search, value)
    lines = len(whole) if request.lines is None else request.lines
    return search_text(search, whole.part(request.start, lines))


def _has_range(request: read_request.ReadRequest) -> bool:
    return request.start > 1 or request.lines is not None
