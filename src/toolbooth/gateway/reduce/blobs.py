"""Encoded data in a result (base64 pictures and files), which no model reads, replaced by its size and how to
get it.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from toolbooth import limits
from toolbooth.gateway.reduce.hidden import HiddenText, in_kb, through
from toolbooth.gateway.reduce.pieces import Piece, Pieces
from toolbooth.gateway.results.read_request import JsonPath, expression

_LEAST: Final = 512  # characters; keys, hashes and tokens are shorter
_KIND: Final = r"(?:data:(?P<kind>[\w.+-]+/[\w.+-]+)[^,\s]{0,100},)?"
_RUN: Final = rf"[A-Za-z0-9+/_-]{{{_LEAST},}}"
_WRAPPED: Final = r"(?:[A-Za-z0-9+/]{60,76}\r?\n){8,}[A-Za-z0-9+/]*"
_BLOB: Final = re.compile(rf"{_KIND}(?:{_RUN}|{_WRAPPED})={{0,2}}")
_PREFIX: Final = re.compile(r"data:[\w.+-]+/[\w.+-]+[^,\s]{0,100},\Z")
_LONGEST_PREFIX: Final = 240
_LONGEST_LINE: Final = 80
_WINDOW: Final = 256 * limits.KIB
_LETTERS: Final = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-"
_ONE_LETTER: Final = bytes.maketrans(_LETTERS + b"\r", b"A" * len(_LETTERS) + b"\n")
_LONG: Final = b"A" * _LEAST
_LONG_LINE: Final = b"A" * 60 + b"\n"
# Parts of a page that only browsers use. Scripts of JSON are data, and stay.
_OPENING: Final = re.compile(r"<(style|script|svg)\b(?![^<>]*json)[^<>]*>", re.IGNORECASE)
_PLAIN: Final = re.compile(r"[a-z_]*|[A-Z_]*|[0-9]*|(.)\1*")


def drop_json(value: Any, path: JsonPath = ()) -> Any:
    """Every string that is nothing but encoded data becomes a placeholder."""
    if isinstance(value, str):
        found = _BLOB.fullmatch(value) if len(value) >= _LEAST else None
        if found is None or not _is_encoded(value):
            return value
        return HiddenText(f"{_words(found)}, {in_kb(len(value))},", expression(path))
    return through(value, path, drop_json, strings=_LEAST)


class _Found(NamedTuple):
    start: int
    end: int
    kind: str


def drop_text(pieces: Pieces) -> Pieces:
    """Remove runs of encoded data from what is shown of a text, and the parts of a page that only browsers use."""
    return _without(_without(pieces, _for_browsers), _encoded)


def _without(pieces: Pieces, find: Callable[[str, Piece], Iterator[_Found]]) -> Pieces:
    shown: list[Piece] = []
    for piece in pieces.shown:
        last = piece.start
        for start, end, kind in find(pieces.text, piece):
            shown.append(Piece(last, start))
            pieces.kinds[start] = kind
            last = end
        shown.append(Piece(last, piece.end))
    return pieces.only(shown) if len(shown) > len(pieces.shown) else pieces


def _encoded(text: str, piece: Piece) -> Iterator[_Found]:
    """Searched in a copy with one character for all letters, at memory speed; the pattern only finds the ends.

    Window by window: a copy of 16 MB would delay other threads.
    """
    at = piece.start
    while at < piece.end:
        window = Piece(at, min(at + _WINDOW, piece.end))
        for found in _in_window(text, window, piece.end):
            at = found.end
            if found.kind:
                yield found
        at = max(at, window.end)


def _in_window(text: str, window: Piece, end: int) -> Iterator[_Found]:
    """Runs that begin in the window, wherever they end; those that are not data after all have no kind.

    The search extends a little beyond the window, so that a run at its end is found.
    """
    runs = _Runs(text[window.start : min(window.end + _LEAST, end)])
    at = 0
    while (run := runs.following(at)) is not None and window.start + run < window.end:
        begun = window.start + run
        prefix = _PREFIX.search(text, max(window.start + at, begun - _LONGEST_PREFIX), begun)
        found = _BLOB.match(text, prefix.start() if prefix else begun, end)
        if found:
            yield _Found(found.start(), found.end(), _words(found) if _is_encoded(found[0]) else "")
        at = max(run + 1, found.end() - window.start) if found else runs.end(run)


class _Runs:
    """Where runs of letters begin that may be data: long ones, and lines of letters only."""

    def __init__(self, text: str) -> None:
        self._flat = text.encode("ascii", "replace").translate(_ONE_LETTER)
        # Each is searched for once
        self._next = {mark: self._flat.find(mark) for mark in (_LONG, _LONG_LINE)}

    def following(self, at: int) -> int | None:
        for mark, place in self._next.items():
            if 0 <= place < at:
                self._next[mark] = self._flat.find(mark, at)
        found = min((place for place in self._next.values() if place >= 0), default=None)
        if found is None:
            return None
        window = self._flat[max(at, found - _LONGEST_LINE) : found]
        return found - (len(window) - len(window.rstrip(b"A")))

    def end(self, run: int) -> int:
        rest = self._flat[run : run + _LEAST]
        return run + max(1, len(rest) - len(rest.lstrip(b"A")))


def may_hold_some(text: str) -> bool:
    """Whether a text may contain any; False avoids a scan of all of it."""
    return any(
        _Runs(text[at : at + _WINDOW + _LEAST]).following(0) is not None
        for at in range(0, len(text), _WINDOW)
    )


def _for_browsers(text: str, piece: Piece) -> Iterator[_Found]:
    last = piece.start
    open_ended: set[str] = set()  # if the first has no end, no later one has: it is searched for once
    for opening in _OPENING.finditer(text, *piece):
        name = opening[1].lower()
        if opening.start() < last or name in open_ended:
            continue
        closing = re.compile(rf"</{name}\s*>", re.IGNORECASE).search(text, opening.end(), piece.end)
        if closing is None:
            open_ended.add(name)
        elif closing.end() - opening.start() >= _LEAST:
            last = closing.end()
            yield _Found(opening.start(), last, name)


def _words(found: "re.Match[str]") -> str:
    return f"base64 of {found['kind']}" if found["kind"] else "base64"


def _is_encoded(text: str) -> bool:
    """Letters of both cases, or letters and digits; a row of dashes or of one repeated letter is not data."""
    head = text[-_LEAST:]
    return _PLAIN.fullmatch(head) is None and len(set(head)) > 12
