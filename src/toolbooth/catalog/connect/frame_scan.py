"""What is in a large frame, found while it arrives.

Each search through 16 MB takes 4 ms, and it takes a handful to check a frame. In the chunks in which the frame
arrives nobody has to wait for them.
"""

import codecs
import re
from typing import Self

from toolbooth import limits
from toolbooth.catalog.strict_json import too_many_parts

_PIECE = 1 << 18
SURROGATE = re.compile(rb"\\u[dD]")  # a search for the two characters alone takes three times as long
_OVERLAP = 2  # bytes: the escapes that are searched for have three


class FrameScan:
    """Takes the pieces of one frame in order.

    `utf8` and `surrogates`: whether all of it is UTF-8, and whether it contains the escape of a surrogate.
    """

    def __init__(self) -> None:
        self._objects = self._arrays = self.commas = 0
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._plain = self.utf8 = True
        self.surrogates = False
        self._end = b""

    @classmethod
    def of(cls, frame: bytes | bytearray) -> Self:
        """A frame that arrived as a whole."""
        scan = cls()
        for start in range(0, len(frame), _PIECE):
            scan.add(bytes(frame[start : start + _PIECE]))
        return scan

    def add(self, piece: bytes) -> None:
        """Scan the next piece."""
        self._objects += piece.count(b"{")
        self._arrays += piece.count(b"[")
        self.commas += piece.count(b",")
        if not self.surrogates:
            self.surrogates = self._has_surrogate(self._end + piece[:_OVERLAP]) or self._has_surrogate(piece)
            self._end = (self._end + piece[-_OVERLAP:])[-_OVERLAP:]
        if self.utf8 and not (self._plain and piece.isascii()):
            self._plain = False
            self._check(piece)

    def finish(self) -> None:
        """The frame is complete: a truncated UTF-8 sequence at its end is an error."""
        if self.utf8 and not self._plain:
            self._check(b"", final=True)

    def excess(self, frame: bytes | bytearray) -> str:
        """Which limit the frame exceeds; brackets and commas in strings count only if there are too many."""
        few = (
            self._objects <= limits.MAX_JSON_OBJECTS
            and self._arrays <= limits.MAX_JSON_ARRAYS
            and self.commas <= limits.MAX_JSON_VALUES
        )
        return "" if few else too_many_parts(frame)

    def _has_surrogate(self, piece: bytes) -> bool:
        return b"\\" in piece and SURROGATE.search(piece) is not None

    def _check(self, piece: bytes, *, final: bool = False) -> None:
        try:
            self._decoder.decode(piece, final)
        except UnicodeDecodeError:
            self.utf8 = False
