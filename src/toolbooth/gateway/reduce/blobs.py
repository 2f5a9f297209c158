"""Encoded data in an answer (base64 pictures and files), which no model reads → how long it is, and how to get it."""

import re
from typing import Any, Final

from toolbooth.gateway.reduce.hidden import Hidden, in_kb
from toolbooth.gateway.reduce.paths import Path, expression
from toolbooth.gateway.reduce.pieces import Piece, Pieces
from toolbooth.gateway.reduce.walk import through

_LEAST: Final = 512  # characters; keys, hashes and tokens are shorter
_KIND: Final = r"(?:data:([\w.+-]+/[\w.+-]+)[^,\s]{0,100},)?"
_RUN: Final = rf"[A-Za-z0-9+/_-]{{{_LEAST},}}"
_WRAPPED: Final = r"(?:[A-Za-z0-9+/]{60,76}\r?\n){8,}[A-Za-z0-9+/]*"
# Only where a run begins: else one that is a little too short would be tried again from each of its letters.
_BLOB: Final = re.compile(rf"(?<![A-Za-z0-9+/_-]){_KIND}(?:{_RUN}|{_WRAPPED})={{0,2}}")
_PLAIN: Final = re.compile(r"[a-z_]*|[A-Z_]*|[0-9]*|(.)\1*")


def drop_json(value: Any, path: Path = ()) -> Any:
    """Every string that is nothing but encoded data becomes its words."""
    if isinstance(value, str):
        found = _BLOB.fullmatch(value) if len(value) >= _LEAST else None
        if found is None or not _is_encoded(value):
            return value
        return Hidden(f"{_words(found)}, {in_kb(len(value))},", expression(path))
    return through(value, path, drop_json)


def drop_text(pieces: Pieces) -> Pieces:
    """Runs of encoded data inside a text."""
    shown: list[Piece] = []
    last = 0
    for found in _BLOB.finditer(pieces.text):
        if _is_encoded(found[0]):
            shown.append(Piece(last, found.start()))
            pieces.kinds[found.start()] = _words(found)
            last = found.end()
    return pieces.only([*shown, Piece(last, len(pieces.text))]) if last else pieces


def _words(found: "re.Match[str]") -> str:
    return f"base64 of {found[1]}" if found[1] else "base64"


def _is_encoded(text: str) -> bool:
    """Letters of both cases or digits mixed; a long rule of dashes or one repeated letter is no data."""
    head = text[-_LEAST:]
    return _PLAIN.fullmatch(head) is None and len(set(head)) > 12
