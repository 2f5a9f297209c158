"""A text → its sections: runs of whole lines that belong together, of about the same size."""

import re
from collections.abc import Iterable
from itertools import islice
from typing import Final

from toolbooth.gateway.reduce.pieces import Piece
from toolbooth.limits import MAX_ENTRIES

_LEAST: Final = 500  # bytes of a section, and four times that at most
_MOST: Final = 4 * _LEAST
_HEADING: Final = re.compile(
    r"^(?:#{1,6} |[ \t]*<(?:h[1-6]|section|article|table|nav|footer|header)\b)", re.MULTILINE
)
# What begins an entry of a log: a date, a time, or a level in brackets. The lines of a trace belong to the last one.
_ENTRY: Final = re.compile(
    r"^(?:\[?\d{4}-\d\d-\d\d[T ]|\[?\d\d:\d\d:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:"
    r"|\[[A-Z]{4,8}\]|(?:DEBUG|INFO|WARN|ERROR)\b)",
    re.MULTILINE,
)
_BLANK: Final = re.compile(r"(?<=\n)(?=[ \t]*\n)")
_SOME: Final = 3


def sections(text: str) -> list[Piece]:
    """Cut before headings, or before entries of a log, or at blank lines: at what there is of these."""
    for mark in (_HEADING, _ENTRY, _BLANK):
        cuts = [found.start() for found in mark.finditer(text)]
        if len(cuts) >= _SOME:
            return [part for piece in _joined(text, cuts) for part in _divided(text, piece)]
    return _divided(text, Piece(0, len(text)))


def entries(text: str) -> list[Piece]:
    """One by one what stands for itself: the entries of a log, or the lines of a list; none where there are neither."""
    if text.count("\n") > MAX_ENTRIES or len(_first(_HEADING, text)) >= _SOME:
        return []
    cuts = [found.start() for found in _ENTRY.finditer(text)]
    if len(cuts) < _SOME and not _first(_BLANK, text.strip()):
        cuts = [found.end() for found in re.finditer("\n", text)]
    if len(cuts) < _SOME:
        return []
    ends = [*cuts, len(text)]
    return [Piece(start, end) for start, end in zip([0, *cuts], ends, strict=True) if end > start]


def _first(mark: "re.Pattern[str]", text: str) -> list[int]:
    return [found.start() for found in islice(mark.finditer(text), _SOME)]


def _joined(text: str, cuts: Iterable[int]) -> list[Piece]:
    """Neighbours together until they are long enough."""
    pieces: list[Piece] = []
    start = 0
    for cut in (*cuts, len(text)):
        if cut - start >= _LEAST or cut == len(text):
            if cut > start:
                pieces.append(Piece(start, cut))
            start = cut
    return pieces


def _divided(text: str, piece: Piece) -> list[Piece]:
    """A long one at blank lines, or at any line; a line that is longer than a section may be cut, too."""
    start, end = piece
    parts: list[Piece] = []
    while end - start > _MOST:
        cut = _last(text, "\n\n", start + _LEAST, start + _MOST) or _last(
            text, "\n", start + _LEAST, start + _MOST
        )
        cut = cut or start + _MOST
        parts.append(Piece(start, cut))
        start = cut
    return [*parts, Piece(start, end)]


def _last(text: str, mark: str, start: int, end: int) -> int:
    """The offset behind the last mark between two others; 0 where there is none."""
    found = text.rfind(mark, start, end)
    return found + len(mark) if found >= 0 else 0
