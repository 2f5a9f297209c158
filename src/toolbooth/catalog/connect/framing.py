"""Chunks of a byte stream → newline-delimited frames, in linear time and bounded memory."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from toolbooth.limits import MAX_FRAME, RAW_FRAME

HEAD = 4096  # enough of an oversized frame to read whose answer it is


class Frame(NamedTuple):
    """One complete line, without its line break; a large one is the very buffer in which it was gathered."""

    data: bytes | bytearray


class Oversized(NamedTuple):
    """The beginning of a line that passed the cap; the rest of it is skipped as it comes."""

    head: bytes


class Framer:
    """Feed it chunks as they arrive; it gives frames as they complete.

    A bytearray grows in place: `bytes` would be copied with every chunk, and a list of chunks once more at the end.
    """

    def __init__(self, cap: int = MAX_FRAME) -> None:
        self._cap = cap
        self._gathered = bytearray()
        self.discarded = 0

    @property
    def mid_frame(self) -> bool:
        """A frame has begun and has not ended."""
        return bool(self._gathered or self.discarded)

    @property
    def head(self) -> bytes:
        """The beginning of an unfinished frame."""
        return bytes(self._gathered[:HEAD])

    @property
    def remainder(self) -> bytes:
        """What has come of an unfinished frame."""
        return bytes(self._gathered)

    def skip_line(self) -> None:
        """What comes up to the next newline belongs to a frame whose beginning is not known."""
        self.discarded = max(self.discarded, 1)

    def feed(self, chunk: bytes) -> Iterable[Frame | Oversized]:
        """Take one chunk; gives what it completes. Most chunks are one whole frame, and that costs next to nothing."""
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
        return whole if len(whole) >= RAW_FRAME else bytes(whole)
