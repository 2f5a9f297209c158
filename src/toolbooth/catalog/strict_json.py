"""Strict and exact reading of JSON, canonical writing, and limits on its size in memory.

A byte of JSON can become forty bytes of memory: 500,000 small objects in 13 MB took 490 MB. Objects, arrays and values
are therefore counted as the bytes arrive. Strings are skipped: a long text counts as one value.
"""

import json
import re
from collections.abc import Mapping
from typing import Any, Final

import orjson
from pydantic_core import from_json

from toolbooth import limits

# pydantic's parser is as fast as orjson (0.08 s for 4 MB of catalogs), keeps every digit of a long integer
# (orjson returns a float) and refuses nesting deeper than 200. But it reads 1e999 as infinity, which orjson
# refuses, so texts with such a number are checked by both.
# They are found in a copy with one character for all digits, which is twenty times as fast as a pattern.
_ONE_DIGIT = bytes.maketrans(b"123456789E", b"000000000e")
_LARGE_EXPONENT = b"0e000"
_LONG_NUMBER = b"0" * 300


class NotJson(ValueError):
    """The bytes are not JSON; the message says why and where."""


def has_long_number(data: bytes | bytearray) -> bool:
    """Whether this text contains a number with hundreds of digits, which no parser handles reliably."""
    return len(data) > len(_LONG_NUMBER) and _LONG_NUMBER in data.translate(_ONE_DIGIT)


def maybe_infinite(data: bytes | bytearray) -> bool:
    """Whether a number in this text may be too large for a float."""
    flat = data.translate(_ONE_DIGIT, b"+")
    return _LARGE_EXPONENT in flat or _LONG_NUMBER in flat


def decode(data: bytes | bytearray) -> Any:
    """Parse strict JSON; raises NotJson with the reason, line and column."""
    try:
        if maybe_infinite(data):
            orjson.loads(data)
        return from_json(data, allow_inf_nan=False, cache_strings="keys")
    except ValueError as error:
        raise NotJson(str(error)) from None


def decode_checked(data: bytes) -> Any:
    """Parse JSON that has been checked before, without the search for large numbers, which takes ten times as long."""
    return from_json(data, allow_inf_nan=False, cache_strings="keys")


def encode_line(message: Mapping[str, Any]) -> bytes:
    """One line of JSON with its newline; integers above 64 bits, which orjson refuses, keep every digit."""
    try:
        return orjson.dumps(message, default=str, option=orjson.OPT_APPEND_NEWLINE)
    except TypeError:
        return json.dumps(message, ensure_ascii=False, separators=(",", ":"), default=str).encode() + b"\n"


def canonical(value: Any) -> str:
    """Canonical JSON for counting and hashing: keys sorted, no blanks, numbers as Python reads them, non-ASCII kept."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


_COUNTED_PIECE: Final = 64 * limits.KIB
_LINE_END: Final = re.compile(rb"[\r\n]")
_BLANKS: Final = (b"\n\n", b"\r\r", b"\n\r\n")
_BLANK_LINE: Final = re.compile(rb"\n\r?\n|\r\r")


def too_many_parts(data: bytes | bytearray) -> str:
    """Which limit a message exceeds, such as `200,000 objects`; empty if it exceeds none."""
    return PartCount().add(data) if len(data) > limits.COUNTED_JSON else ""


class PartCount:
    """Counts the parts of a message as it arrives.

    At first this is a cheap upper bound, which includes brackets and commas in strings. Only if it is exceeded are the
    bytes counted again, exactly. Events are always counted exactly, because a stream of comments would never end.
    """

    def __init__(self, *, by_line: bool = False) -> None:
        """With `by_line`, a string ends with its line: in an event, a quote may be part of a comment."""
        self._by_line = by_line
        self._held: list[bytes | bytearray] = []
        self._objects = self._arrays = self._commas = 0
        self._exact = by_line
        self._inside = 0
        self._carry = b""

    def add(self, data: bytes | bytearray) -> str:
        """Count more of the same message; returns which limit is exceeded, or an empty string."""
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
        """Count in pieces: removing the strings from a whole message would need the memory that counting saves."""
        for start in range(0, len(data), _COUNTED_PIECE):
            piece = bytes(data[start : start + _COUNTED_PIECE])
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
        counted = (
            (self._objects, limits.MAX_JSON_OBJECTS, "objects"),
            (self._arrays, limits.MAX_JSON_ARRAYS, "arrays"),
        )
        for count, most, name in (*counted, (self._commas, limits.MAX_JSON_VALUES, "values")):
            if count > most:
                return f"{most:,} {name}"
        return ""

    def _outside_strings(self, data: bytes) -> bytes:
        """The text outside of strings. A pattern would search again from every quote of an unfinished string."""
        text = self._carry + data
        whole = text.rstrip(b"\\")
        self._carry = b"\\" * ((len(text) - len(whole)) % 2)  # pairs escape each other
        parts = whole.replace(b"\\\\", b"").replace(b'\\"', b"").split(b'"')
        outside = b"".join(parts[self._inside :: 2])
        self._inside ^= (len(parts) - 1) % 2
        return outside


class EventParts:
    """Counts the parts of each event in a stream."""

    def __init__(self) -> None:
        self._count = PartCount(by_line=True)
        self._last = b""

    def add(self, chunk: bytes) -> str:
        """Count more of the stream; an event within one chunk is small and is not counted."""
        seam, before = self._last + chunk, len(self._last)
        self._last = chunk[-2:]
        if not any(blank in seam for blank in _BLANKS):
            return self._count.add(chunk)
        blanks = list(_BLANK_LINE.finditer(seam))
        excess = self._count.add(chunk[: max(0, blanks[0].start() - before)])
        self._count = PartCount(by_line=True)
        return excess or self._count.add(chunk[blanks[-1].end() - before :])
