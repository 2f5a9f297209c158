"""Chunks of a byte stream → newline-delimited frames, in linear time and bounded memory."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from toolbooth.limits import MAX_FRAME

HEAD = 4096  # enough of an oversized frame to read whose answer it is


class Frame(NamedTuple):
    """One complete line, without its line break."""

    data: bytes


class Oversized(NamedTuple):
    """The beginning of a line that passed the cap; the rest of it is skipped as it comes."""

    head: bytes


class Framer:
    """Feed it chunks as they arrive; it gives frames as they complete.

    Chunks are joined once per frame: the obvious `buffer += chunk` is quadratic in the frame's length.
    """

    def __init__(self, cap: int = MAX_FRAME) -> None:
        self._cap = cap
        self._parts: list[bytes] = []
        self._size = 0
        self.discarded = 0

    @property
    def mid_frame(self) -> bool:
        """A frame has begun and has not ended."""
        return bool(self._size or self.discarded)

    @property
    def remainder(self) -> bytes:
        """What has come of an unfinished frame."""
        return b"".join(self._parts)

    def skip_line(self) -> None:
        """What comes up to the next newline belongs to a frame whose beginning is not known."""
        self.discarded = max(self.discarded, 1)

    def feed(self, chunk: bytes) -> Iterable[Frame | Oversized]:
        """Take one chunk; gives what it completes. Most chunks are one whole frame, and that costs next to nothing."""
        if not self._size and not self.discarded and chunk.find(b"\n") == len(chunk) - 1 <= self._cap:
            return (Frame(chunk[:-2] if chunk.endswith(b"\r\n") else chunk[:-1]),) if chunk else ()
        return self._split(chunk)

    def _split(self, chunk: bytes) -> Iterator[Frame | Oversized]:
        *ended, rest = chunk.split(b"\n")
        for piece in ended:
            oversized = self._append(piece)
            if oversized:
                yield oversized
            if not self.discarded:
                yield Frame(self.remainder.removesuffix(b"\r"))
            self._reset()
        if rest and (oversized := self._append(rest)):
            yield oversized

    def _append(self, piece: bytes) -> Oversized | None:
        if self.discarded:
            self.discarded += len(piece)
            return None
        self._parts.append(piece)
        self._size += len(piece)
        if self._size <= self._cap:
            return None
        head = self.remainder[:HEAD]
        size = self._size
        self._reset()
        self.discarded = size
        return Oversized(head)

    def _reset(self) -> None:
        self._parts = []
        self._size = 0
        self.discarded = 0
