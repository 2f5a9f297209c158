"""A text × which slices of it are shown → what is read, with words in place of every gap."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, NamedTuple

from toolbooth.gateway.reduce.hidden import Hidden, Unshown, in_kb
from toolbooth.gateway.results.lines import Lines, fitting, size

_HEAD: Final = 0.6
GAP_WORDS: Final = 110  # bytes of what stands in a gap
_LONG_LINE: Final = 2_000  # characters: a cut rather falls inside a line than leave so much of the room empty


class Piece(NamedTuple):
    """A slice of a text, by offsets."""

    start: int
    end: int


@dataclass(frozen=True)
class Pieces(Unshown):
    """The slices of a text that are shown, in order and apart. `path` leads to the text where it stands in JSON.

    `kinds` are the words for gaps that are no common text, by where they start.
    """

    text: str
    shown: tuple[Piece, ...]
    path: str = ""
    kinds: dict[int, str] = field(default_factory=dict)

    @classmethod
    def whole(cls, text: str, path: str = "") -> "Pieces":
        """All of it."""
        return cls(text, (Piece(0, len(text)),) if text else (), path)

    @cached_property
    def lines(self) -> Lines:
        """The text by lines, as `read_result` counts them."""
        return Lines(self.text)

    @property
    def complete(self) -> bool:
        """Whether nothing stays behind."""
        return sum(end - start for start, end in self.shown) == len(self.text)

    def size(self, piece: Piece) -> int:
        """Bytes of a slice."""
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
    def truncated(self, room: int) -> "Pieces":
        """60 % of the room from the head, 40 % from the tail, at line boundaries where there are any."""
        room -= GAP_WORDS * len(self.shown)
        if sum(map(self.size, self.shown)) <= room:
            return self
        room = max(room, 0)
        head = list(self._head(int(room * _HEAD)))
        tail = list(self._tail(room - int(room * _HEAD)))[::-1]
        last = head[-1].end if head else 0
        return self.only(
            [*head, *(Piece(max(piece.start, last), piece.end) for piece in tail if piece.end > last)]
        )

    def _head(self, room: int) -> Iterator[Piece]:
        for start, end in self.shown:
            fits = fitting(self.text[start : min(end, start + room)], room)
            if fits >= end - start:
                room -= size(self.text[start:end])
                yield Piece(start, end)
                continue
            cut = start + fits
            newline = self.text.rfind("\n", max(start, cut - _LONG_LINE), cut) + 1
            yield Piece(start, newline or cut)
            return

    def _tail(self, room: int) -> Iterator[Piece]:
        for start, end in reversed(self.shown):
            fits = fitting(self.text[max(start, end - room) : end], room, from_the_end=True)
            if fits >= end - start:
                room -= size(self.text[start:end])
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
        """Whole lines that hold the gap: where it begins or ends inside a line, that line is read again."""
        first = self.lines.at(gap.start)
        count = self.lines.at(gap.end - 1) - first + 1
        known = self.kinds.get(gap.start)
        many = f"{count} line{'s' if count != 1 else ''}" if known is None else known
        return Hidden(f"{many}, {in_kb(self.size(gap))},", self.path, first, count)

    def words(self, ref: str) -> str:
        """What a reader sees: words on lines of their own, but for a gap inside a line."""
        parts: list[str] = []
        last = 0
        for gap, hidden in self.gaps():
            parts.append(self.text[last : gap.start])
            before = "" if gap.start == 0 or self.text[gap.start - 1] == "\n" else " "
            after = "\n" if self.text[gap.end - 1] == "\n" else " "
            parts.append(f"{before}{hidden.words(ref)}{after if gap.end < len(self.text) else ''}")
            last = gap.end
        return "".join([*parts, self.text[last:]])
