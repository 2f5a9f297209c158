"""Bytes → JSON values, strictly and exactly; JSON values → the one canonical text."""

import json
import re
from typing import Any

import orjson
from pydantic_core import from_json

# orjson is the strictest fast parser (NaN, bad UTF-8, lone surrogates, depth) but turns integers past 64 bits
# into floats; the few texts that hold one are read again by pydantic's parser, which keeps every digit.
_LONG_INTEGER = re.compile(rb"[0-9]{19}")


class NotJson(ValueError):
    """The bytes are not JSON; the message says why and where."""


def decode(data: bytes) -> Any:
    """Parse strict JSON. Raises NotJson with the reason; line and column stand in the reason."""
    try:
        value = orjson.loads(data)
        return from_json(data) if _LONG_INTEGER.search(data) else value
    except ValueError as error:
        raise NotJson(str(error)) from None


def canonical(value: Any) -> str:
    """Keys sorted, no blanks, numbers as Python reads them, non-ASCII kept: what counting and hashing see."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
