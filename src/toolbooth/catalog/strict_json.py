"""Bytes → JSON values, strictly and exactly; JSON values → the one canonical text."""

import json
import re
from collections.abc import Mapping
from typing import Any

import orjson
from pydantic_core import from_json

# pydantic's parser is as fast as orjson (0.08 s for 4 MB of catalogs), keeps every digit of a long integer
# (orjson makes a float of it) and refuses nesting past 200; but it reads 1e999 as infinity, which orjson
# refuses. The few texts that hold such a number are checked by both.
_LARGE_EXPONENT = re.compile(rb"[0-9][eE]\+?[0-9]{3}")
_LONG_NUMBER = re.compile(rb"[0-9]{300}")


class NotJson(ValueError):
    """The bytes are not JSON; the message says why and where."""


def has_long_number(data: bytes | bytearray) -> bool:
    """Whether a number of hundreds of digits stands in this text: no reader can be trusted with it."""
    return len(data) > 300 and _LONG_NUMBER.search(data) is not None


def maybe_infinite(data: bytes | bytearray) -> bool:
    """Whether a number in this text may be beyond all floats."""
    return has_long_number(data) or _LARGE_EXPONENT.search(data) is not None


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
