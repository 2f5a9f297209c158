"""The slices of a text that are shown, with a placeholder for every gap, and the sections to choose slices from."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Final, NamedTuple

from toolbooth import limits
from toolbooth.gateway.reduce.hidden import Hidden, Unshown, in_kb
from toolbooth.gateway.results.lines import Lines, fitting, size

_HEAD: Final = 0.6
GAP_WORDS: Final = 110  # bytes of a placeholder in a gap
_LONG_LINE: Final = (
    2_000  # characters: a cut inside a line is better than leaving so much of the budget unused
)


class Piece(NamedTuple):
    """A slice of a text, by offsets."""

    start: int
    end: int


@dataclass(frozen=True)
class Pieces(Unshown):
    """The slices of a text that are shown, in order and apart. `path` leads to the text if it is in JSON.

    `kinds` describes gaps that are not ordinary text, by where they start.
    """

    text: str
    shown: tuple[Piece, ...]
    path: str = ""
    kinds: dict[int, str] = field(default_factory=dict)

    @classmethod
    def whole(cls, text: str, path: str = "") -> "Pieces":
        """The whole text as one piece."""
        return cls(text, (Piece(0, len(text)),) if text else (), path)

    @cached_property
    def lines(self) -> Lines:
        """The text by lines, as `read_result` counts them."""
        return Lines(self.text)

    @property
    def complete(self) -> bool:
        """Whether everything is shown."""
        return sum(end - start for start, end in self.shown) == len(self.text)

    def size(self, piece: Piece) -> int:
        """The number of bytes of a slice."""
        return size(self.text[piece.start : piece.end])

    def only(self, pieces: Iterable[Piece]) -> "Pieces":
        """These slices and no others; neighbours become one."""
        joined: list[Piece] = []
        for piece in pieces:
            if joined and joined[-1].end >= piece.start:
                joined[-1] = Piece(joined[-1].start, max(joined[-1].end, piece.end))
            elif piece.end > piece.start:
                joined.append(piece)
        return Pieces(self.text, tuple(joined), self.path, self.kinds)

    # -- the head and the tail ---------------------------------------------------------------------------
    def truncated(self, budget: int) -> "Pieces":
        """60 % of the budget from the head, 40 % from the tail, at line boundaries if possible."""
        budget -= GAP_WORDS * len(self.shown)
        if sum(map(self.size, self.shown)) <= budget:
            return self
        budget = max(budget, 0)
        head = list(self._head(int(budget * _HEAD)))
        tail = list(self._tail(budget - int(budget * _HEAD)))[::-1]
        last = head[-1].end if head else 0
        return self.only(
            [*head, *(Piece(max(piece.start, last), piece.end) for piece in tail if piece.end > last)]
        )

    def _head(self, budget: int) -> Iterator[Piece]:
        for start, end in self.shown:
            fits = fitting(self.text[start : min(end, start + budget)], budget)
            if fits >= end - start:
                budget -= size(self.text[start:end])
                yield Piece(start, end)
                continue
            cut = start + fits
            newline = self.text.rfind("\n", max(start, cut - _LONG_LINE), cut) + 1
            yield Piece(start, newline or cut)
            return

    def _tail(self, budget: int) -> Iterator[Piece]:
        for start, end in reversed(self.shown):
            fits = fitting(self.text[max(start, end - budget) : end], budget, from_the_end=True)
            if fits >= end - start:
                budget -= size(self.text[start:end])
                yield Piece(start, end)
                continue
            cut = end - fits
            newline = self.text.find("\n", cut - 1, cut + _LONG_LINE) + 1 if cut else 0
            yield Piece(newline if 0 < newline < end else cut, end)
            return

    # -- rendering -----------------------------------------------------------------------------------------
    def gaps(self) -> Iterator[tuple[Piece, Hidden]]:
        """What is not shown: each gap, and how to read it."""
        last = 0
        for start, end in (*self.shown, Piece(len(self.text), len(self.text))):
            if start > last:
                yield Piece(last, start), self._hidden(Piece(last, start))
            last = end

    def _hidden(self, gap: Piece) -> Hidden:
        """Whole lines that contain the gap: if it begins or ends inside a line, that line is read again."""
        first = self.lines.at(gap.start)
        count = self.lines.at(gap.end - 1) - first + 1
        known = self.kinds.get(gap.start)
        many = f"{count} line{'s' if count != 1 else ''}" if known is None else known
        return Hidden(f"{many}, {in_kb(self.size(gap))},", self.path, first, count)

    def words(self, ref: str) -> str:
        """What a reader sees: placeholders on lines of their own, except for a gap inside a line."""
        parts: list[str] = []
        last = 0
        for gap, hidden in self.gaps():
            parts.append(self.text[last : gap.start])
            before = "" if gap.start == 0 or self.text[gap.start - 1] == "\n" else " "
            after = "\n" if self.text[gap.end - 1] == "\n" else " "
            parts.append(f"{before}{hidden.words(ref)}{after if gap.end < len(self.text) else ''}")
            last = gap.end
        return "".join([*parts, self.text[last:]])


_LEAST: Final = 500  # bytes of a section, and four times that at most
_MOST: Final = 4 * _LEAST
_HEADING: Final = re.compile(
    r"^(?:#{1,6} |[ \t]*<(?:h[1-6]|section|article|table|nav|footer|header)\b)", re.MULTILINE
)
# What begins an entry of a log: a date, a time, or a level in brackets. The lines of a trace belong to the
# last one.
_ENTRY: Final = re.compile(
    r"^(?:\[?\d{4}-\d\d-\d\d[T ]|\[?\d\d:\d\d:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:"
    r"|\[[A-Z]{4,8}\]|(?:DEBUG|INFO|WARN|ERROR)\b)",
    re.MULTILINE,
)
_BLANK: Final = re.compile(r"(?<=\n)(?=[ \t]*\n)")
_SOME: Final = 3


def sections(text: str) -> list[Piece]:
    """Cut before headings, else before entries of a log, else at blank lines."""
    for mark in (_HEADING, _ENTRY, _BLANK):
        cuts = [found.start() for found in mark.finditer(text)]
        if len(cuts) >= _SOME:
            return [part for piece in _joined(text, cuts) for part in _divided(text, piece)]
    return _divided(text, Piece(0, len(text)))


def entries(text: str) -> list[Piece]:
    """The entries of a log, or the lines of a list, one by one; empty if there are neither."""
    if text.count("\n") > limits.MAX_ENTRIES or len(_first(_HEADING, text)) >= _SOME:
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
    """Join neighbours until they are long enough."""
    pieces: list[Piece] = []
    start = 0
    for cut in (*cuts, len(text)):
        if cut - start >= _LEAST or cut == len(text):
            if cut > start:
                pieces.append(Piece(start, cut))
            start = cut
    return pieces


def _divided(text: str, piece: Piece) -> list[Piece]:
    """Divide a long one at blank lines, or at any line; a line that is longer than a section may be cut, too."""
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
    """The offset after the last mark between two others; 0 if there is none."""
    found = text.rfind(mark, start, end)
    return found + len(mark) if found >= 0 else 0
