"""Encoded data in an answer (base64 pictures and files), which no model reads → how long it is, and how to get it."""

import re
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from toolbooth.gateway.reduce.hidden import Hidden, in_kb
from toolbooth.gateway.reduce.paths import Path, expression
from toolbooth.gateway.reduce.pieces import Piece, Pieces
from toolbooth.gateway.reduce.walk import through

_LEAST: Final = 512  # characters; keys, hashes and tokens are shorter
_KIND: Final = r"(?:data:(?P<kind>[\w.+-]+/[\w.+-]+)[^,\s]{0,100},)?"
_RUN: Final = rf"[A-Za-z0-9+/_-]{{{_LEAST},}}"
_WRAPPED: Final = r"(?:[A-Za-z0-9+/]{60,76}\r?\n){8,}[A-Za-z0-9+/]*"
# Only where a run begins: else one that is a little too short would be tried again from each of its letters.
_BLOB: Final = re.compile(rf"(?<![A-Za-z0-9+/_-]){_KIND}(?:{_RUN}|{_WRAPPED})={{0,2}}")
# What a page brings along for browsers only. Scripts of JSON are data, and stay.
_OPENING: Final = re.compile(r"<(style|script|svg)\b(?![^>]*json)[^>]{0,2000}>", re.IGNORECASE)
_PLAIN: Final = re.compile(r"[a-z_]*|[A-Z_]*|[0-9]*|(.)\1*")


def drop_json(value: Any, path: Path = ()) -> Any:
    """Every string that is nothing but encoded data becomes its words."""
    if isinstance(value, str):
        found = _BLOB.fullmatch(value) if len(value) >= _LEAST else None
        if found is None or not _is_encoded(value):
            return value
        return Hidden(f"{_words(found)}, {in_kb(len(value))},", expression(path))
    return through(value, path, drop_json)


class _Found(NamedTuple):
    start: int
    end: int
    kind: str


def drop_text(pieces: Pieces) -> Pieces:
    """Runs of encoded data inside what is shown of a text, and what a page brings along for browsers only."""
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
    for found in _BLOB.finditer(text, *piece):
        if _is_encoded(found[0]):
            yield _Found(found.start(), found.end(), _words(found))


def _for_browsers(text: str, piece: Piece) -> Iterator[_Found]:
    last = piece.start
    open_ended: set[str] = set()  # where the first has no end, no later one has: it is looked for once
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
    """Letters of both cases or digits mixed; a long rule of dashes or one repeated letter is no data."""
    head = text[-_LEAST:]
    return _PLAIN.fullmatch(head) is None and len(set(head)) > 12
