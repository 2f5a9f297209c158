"""Splitting a byte stream into frames, one per line, in linear time and bounded memory."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from toolbooth import limits

HEAD = 4096  # enough of an oversized frame to find the id in it


class Frame(NamedTuple):
    """One complete line without its line break; a large one is the buffer itself, not a copy."""

    data: bytes | bytearray


class Oversized(NamedTuple):
    """The beginning of a line that is longer than the cap; the rest of the line is skipped."""

    head: bytes


class Framer:
    """Takes chunks as they arrive and returns the frames that they complete.

    Unfinished frames are kept in a bytearray, which grows in place: `bytes` would be copied with every chunk, and a
    list of chunks once more at the end.
    """

    def __init__(self, cap: int = limits.MAX_FRAME) -> None:
        self._cap = cap
        self._gathered = bytearray()
        self.discarded = 0

    @property
    def mid_frame(self) -> bool:
        """Whether a frame has begun and not ended."""
        return bool(self._gathered or self.discarded)

    @property
    def head(self) -> bytes:
        """The beginning of an unfinished frame."""
        return bytes(self._gathered[:HEAD])

    @property
    def remainder(self) -> bytes:
        """All that has arrived of an unfinished frame."""
        return bytes(self._gathered)

    def skip_line(self) -> None:
        """Skip everything up to the next newline: it belongs to a frame whose beginning is unknown."""
        self.discarded = max(self.discarded, 1)

    def feed(self, chunk: bytes) -> Iterable[Frame | Oversized]:
        """The frames that this chunk completes. Most chunks are exactly one frame, which is the fast case."""
        if not self._gathered and not self.discarded and chunk.find(b"\n") == len(chunk) - 1 <= self._cap:
            return (Frame(chunk[:-2] if chunk.endswith(b"\r\n") else chunk[:-1]),) if chunk else ()
        return self._split(chunk)

    def _split(self, chunk: bytes) -> Iterator[Frame | Oversized]:
        *ended, rest = chunk.split(b"\n")
        for piece in ended:
            oversized = self._append(piece)
            if oversized:
                yield oversized
            if not self.discarded:
                yield Frame(self._whole())
            self.discarded = 0
        if rest and (oversized := self._append(rest)):
            yield oversized

    def _append(self, piece: bytes) -> Oversized | None:
        if self.discarded:
            self.discarded += len(piece)
            return None
        self._gathered += piece
        if len(self._gathered) <= self._cap:
            return None
        head, self.discarded = self.head, len(self._gathered)
        self._gathered = bytearray()
        return Oversized(head)

    def _whole(self) -> bytes | bytearray:
        whole, self._gathered = self._gathered, bytearray()
        if whole.endswith(b"\r"):
            del whole[-1:]
        return whole if len(whole) >= limits.RAW_FRAME else bytes(whole)
