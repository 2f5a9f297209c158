"""Joined writes: what is written in one turn of the event loop takes two system calls, however much it is.

The first piece of a turn goes at once, so that a single call waits for nothing. The others are held and go
together at the end of the turn. Each system call wakes the reader at the other end, which costs more than
all the rest of a small call.
"""

import asyncio
from collections.abc import Callable

_LARGE = 1 << 16  # longer pieces are not copied


class JoinedWrites:
    """Passes pieces to `write`, in order."""

    def __init__(self, write: Callable[[bytes | memoryview], object]) -> None:
        self._write = write
        self._held: list[bytes | memoryview] = []
        self._in_turn = False

    def add(self, piece: bytes | memoryview) -> None:
        """Write a piece, at the end of this turn at the latest."""
        if self._in_turn and len(piece) < _LARGE:
            self._held.append(piece)
            return
        self.flush()
        self._write(piece)
        if not self._in_turn:
            self._in_turn = True
            asyncio.get_running_loop().call_soon(self._end_turn)

    def flush(self) -> None:
        """Write what is held."""
        if self._held:
            held, self._held = self._held, []
            self._write(b"".join(held))

    def _end_turn(self) -> None:
        self._in_turn = False
        self.flush()
