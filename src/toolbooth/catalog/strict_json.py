"""Bytes → JSON values, strictly and exactly; JSON values → the one canonical text."""

import json
from collections.abc import Mapping
from typing import Any

import orjson
from pydantic_core import from_json

# pydantic's parser is as fast as orjson (0.08 s for 4 MB of catalogs), keeps every digit of a long integer
# (orjson makes a float of it) and refuses nesting past 200; but it reads 1e999 as infinity, which orjson
# refuses. The few texts that hold such a number are checked by both.
# They are looked for in a copy with one sign for all digits: twenty times as fast as a pattern.
_ONE_DIGIT = bytes.maketrans(b"123456789E", b"000000000e")
_LARGE_EXPONENT = b"0e000"
_LONG_NUMBER = b"0" * 300


class NotJson(ValueError):
    """The bytes are not JSON; the message says why and where."""


def has_long_number(data: bytes | bytearray) -> bool:
    """Whether a number of hundreds of digits stands in this text: no reader can be trusted with it."""
    return len(data) > len(_LONG_NUMBER) and _LONG_NUMBER in data.translate(_ONE_DIGIT)


def maybe_infinite(data: bytes | bytearray) -> bool:
    """Whether a number in this text may be beyond all floats."""
    flat = data.translate(_ONE_DIGIT, b"+")
    return _LARGE_EXPONENT in flat or _LONG_NUMBER in flat


def decode(data: bytes | bytearray) -> Any:
    """Parse strict JSON. Raises NotJson with the reason; line and column stand in the reason."""
    try:
        if maybe_infinite(data):
            orjson.loads(data)
        return from_json(data, allow_inf_nan=False, cache_strings="keys")
    except ValueError as error:
        raise NotJson(str(error)) from None


def decode_checked(data: bytes) -> Any:
    """Read JSON that has been checked before: the search for strange numbers takes ten times as long as the rest."""
    return from_json(data, allow_inf_nan=False, cache_strings="keys")


def encode_line(message: Mapping[str, Any]) -> bytes:
    """One line of JSON with its newline; integers over 64 bits, which orjson refuses, keep every digit."""
    try:
        return orjson.dumps(message, default=str, option=orjson.OPT_APPEND_NEWLINE)
    except TypeError:
        return json.dumps(message, ensure_ascii=False, separators=(",", ":"), default=str).encode() + b"\n"


def canonical(value: Any) -> str:
    """Keys sorted, no blanks, numbers as Python reads them, non-ASCII kept: what counting and hashing see."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
