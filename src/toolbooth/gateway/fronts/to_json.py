"""A message → one line of JSON, whatever numbers a server sent."""

import json
from collections.abc import Mapping
from typing import Any

import orjson


def to_json(message: Mapping[str, Any]) -> bytes:
    """With its newline; integers over 64 bits, which orjson refuses, keep every digit."""
    try:
        return orjson.dumps(message, option=orjson.OPT_APPEND_NEWLINE)
    except TypeError:
        return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
