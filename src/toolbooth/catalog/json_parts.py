"""The objects, arrays and values in JSON, counted as its bytes come and before anything is built of them.

A byte of JSON can become forty of memory: 500,000 small objects in 13 MB took 490. Strings are skipped, so a long text
counts as one value whatever it holds.
"""

import re
from typing import Final

from toolbooth.limits import COUNTED_JSON, KIB, MAX_JSON_ARRAYS, MAX_JSON_OBJECTS, MAX_JSON_VALUES

_PIECE: Final = 64 * KIB
_LINE_END: Final = re.compile(rb"[\r\n]")
_BLANKS: Final = (b"\n\n", b"\r\r", b"\n\r\n")
_BLANK_LINE: Final = re.compile(rb"\n\r?\n|\r\r")


def too_many_parts(data: bytes | bytearray) -> str:
    """What there is too much of in one message; empty where it is fine."""
    return PartCount().add(data) if len(data) > COUNTED_JSON else ""


class PartCount:
    """Counts by a cheap upper bound, brackets and commas in strings included, until that is passed.

    What was counted so is held, to be counted again; in events nothing is, since one of comments has no end.
    """

    def __init__(self, *, by_line: bool = False) -> None:
        """`by_line`: no string goes on in the next line, as in an event, where a quote may stand in a comment."""
        self._by_line = by_line
        self._held: list[bytes | bytearray] = []
        self._objects = self._arrays = self._commas = 0
        self._exact = by_line
        self._inside = 0
        self._carry = b""

    def add(self, data: bytes | bytearray) -> str:
        """More of the same message; gives back what there is too much of, or nothing."""
        if self._exact:
            return self._add_exactly(data)
        self._held.append(data)
        self._count(data)
        if not self._excess():
            return ""
        self._exact, self._objects, self._arrays, self._commas = True, 0, 0, 0
        held, self._held = self._held, []
        return next(filter(None, map(self._add_exactly, held)), "")

    def _add_exactly(self, data: bytes | bytearray) -> str:
        """Piece by piece: taking the strings out of a whole message would need what counting is to save."""
        for start in range(0, len(data), _PIECE):
            piece = bytes(data[start : start + _PIECE])
            if self._inside or b'"' in piece:
                self._count_lines(piece)
            else:
                self._carry = b""
                self._count(piece)
            if excess := self._excess():
                return excess
        return ""

    def _count_lines(self, piece: bytes) -> None:
        first, *lines = _LINE_END.split(piece) if self._by_line else (piece,)
        self._count(self._outside_strings(first))
        for line in lines:
            self._inside, self._carry = 0, b""
            self._count(self._outside_strings(line))

    def _count(self, data: bytes | bytearray) -> None:
        self._objects += data.count(b"{")
        self._arrays += data.count(b"[")
        self._commas += data.count(b",")

    def _excess(self) -> str:
        counted = ((self._objects, MAX_JSON_OBJECTS, "objects"), (self._arrays, MAX_JSON_ARRAYS, "arrays"))
        for count, most, name in (*counted, (self._commas, MAX_JSON_VALUES, "values")):
            if count > most:
                return f"{most:,} {name}"
        return ""

    def _outside_strings(self, data: bytes) -> bytes:
        """By plain replacing and splitting: a pattern would look again from every quote of a string without an end."""
        text = self._carry + data
        whole = text.rstrip(b"\\")
        self._carry = b"\\" * ((len(text) - len(whole)) % 2)  # pairs escape each other
        parts = whole.replace(b"\\\\", b"").replace(b'\\"', b"").split(b'"')
        outside = b"".join(parts[self._inside :: 2])
        self._inside ^= (len(parts) - 1) % 2
        return outside


class EventParts:
    """The same for each event of a stream."""

    def __init__(self) -> None:
        self._count = PartCount(by_line=True)
        self._last = b""

    def add(self, chunk: bytes) -> str:
        """More of the stream. An event that lies in one chunk is small."""
        seam, before = self._last + chunk, len(self._last)
        self._last = chunk[-2:]
        if not any(blank in seam for blank in _BLANKS):
            return self._count.add(chunk)
        blanks = list(_BLANK_LINE.finditer(seam))
        excess = self._count.add(chunk[: max(0, blanks[0].start() - before)])
        self._count = PartCount(by_line=True)
        return excess or self._count.add(chunk[blanks[-1].end() - before :])
