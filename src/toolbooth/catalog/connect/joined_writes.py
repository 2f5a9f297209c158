"""Joined writes: what one chunk of input leads to takes two system calls for each pipe, however much it is.

The first piece goes at once, and the others together when all frames of the chunk are taken. Each system call
wakes the reader at the other end, which costs more than the rest of a small call. A chunk with a single frame
changes nothing.
"""

from collections.abc import Callable, Iterable
from contextlib import ExitStack
from contextvars import ContextVar
from typing import TypeVar

Event = TypeVar("Event")
_LARGE = 1 << 16  # longer pieces are not copied


class _Chunk:
    """The pipes that were written to while a chunk is taken. Tasks that begin meanwhile outlive it."""

    __slots__ = ("taken", "written")

    def __init__(self) -> None:
        self.written: list[JoinedWrites] = []
        self.taken = False


_current: ContextVar[_Chunk | None] = ContextVar("chunk", default=None)


class JoinedWrites:
    """Passes pieces to `write`, in order."""

    def __init__(self, write: Callable[[bytes | memoryview], object]) -> None:
        self._write = write
        self._held: list[bytes | memoryview] = []
        self._chunk: _Chunk | None = None

    def add(self, piece: bytes | memoryview) -> None:
        """Write a piece, once the chunk is taken at the latest."""
        chunk = _current.get()
        if chunk is None or chunk.taken or len(piece) >= _LARGE:
            self.flush()
            self._write(piece)
        elif self._chunk is chunk:
            self._held.append(piece)
        else:
            self.flush()  # a chunk around this one may have held some
            self._chunk = chunk
            chunk.written.append(self)
            self._write(piece)

    def flush(self) -> None:
        """Write everything that was held back."""
        if self._held:
            held, self._held = self._held, []
            self._write(b"".join(held))

    def end(self, chunk: _Chunk) -> None:
        """The chunk is taken: write what is held."""
        if self._chunk is chunk:
            self._chunk = None
        self.flush()


def take_all(events: Iterable[Event], take: Callable[[Event], object]) -> None:
    """Take the events of one chunk in order, and write together what they lead to."""
    if isinstance(events, tuple):  # a single one
        for event in events:
            take(event)
        return
    chunk = _Chunk()
    before = _current.set(chunk)
    try:
        for event in events:
            take(event)
    finally:
        _current.reset(before)
        chunk.taken = True
        _end_all(chunk)


def _end_all(chunk: _Chunk) -> None:
    """A pipe that cannot be written to keeps nothing of the others back."""
    with ExitStack() as ends:
        for writes in reversed(chunk.written):
            ends.callback(writes.end, chunk)
