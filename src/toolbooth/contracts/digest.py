"""Digests of JSON values: SHA-256 of the RFC 8785 canonical form, which does not depend on notation.

RFC 8785 covers only numbers that a double can hold, and well-formed text. Raw objects also have others, which are
written in ways that RFC 8785 never uses: an integer between two doubles as `0x…`, NaN and infinities as words, a lone
surrogate as its three bytes.
"""

import hashlib
import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from json.encoder import encode_basestring
from typing import Any, Final

import orjson

_SAFE: Final = 2**53  # below this, each whole number has a double of its own
_WORDS: Final = {None: "null", True: "true", False: "false"}


def digest_of(value: Any) -> str:
    """The digest in hexadecimal."""
    return hashlib.sha256(canonical_bytes(value)).hexdigest()


def canonical_bytes(value: Any) -> bytes:
    """Keys sorted by UTF-16, numbers as in ECMAScript, no whitespace. 1, 1.0 and 1e0 give the same bytes."""
    if _is_plain(value):  # true of nearly all definitions: orjson writes the same bytes, four times as fast
        with suppress(TypeError):  # a lone surrogate, or nested too deeply for it
            return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    return _written(value).encode("utf-8", "surrogatepass")


def _is_plain(value: Any) -> bool:
    """Whether it has no floats, no long integers, and no keys that UTF-8 and UTF-16 sort differently."""
    rest = [value]
    while rest:
        each = rest.pop()
        kind = type(each)
        if kind is dict:
            if not all(map(str.isascii, each)):
                return False
            rest += each.values()
        elif kind is list:
            rest += each
        elif kind is int:
            if not -_SAFE < each < _SAFE:
                return False
        elif each is not None and kind is not str and kind is not bool:
            return False
    return True


def _written(value: Any) -> str:
    if isinstance(value, str):
        return encode_basestring(value)
    if value is None or isinstance(value, bool):
        return _WORDS[value]
    if isinstance(value, Mapping):
        pairs = (f"{encode_basestring(key)}:{_written(value[key])}" for key in _sorted_keys(value))
        return f"{{{','.join(pairs)}}}"
    if isinstance(value, int):
        return str(value) if -_SAFE < value < _SAFE else _written_large(value)
    if isinstance(value, float):
        return _written_double(value)
    if isinstance(value, Sequence):
        return f"[{','.join(map(_written, value))}]"
    raise TypeError(f"{type(value).__name__} is not JSON")


def _sorted_keys(value: Mapping[str, Any]) -> list[str]:
    if all(map(str.isascii, value)):
        return sorted(value)
    # Two halves of a surrogate pair sort like the character they form, so the text itself breaks the tie.
    return sorted(value, key=lambda key: (key.encode("utf-16-be", "surrogatepass"), key))


def _written_large(value: int) -> str:
    """As a double if it is one, otherwise exactly."""
    try:
        double = float(value)
    except OverflowError:
        return hex(value)
    return _written_double(double) if double == value else hex(value)


def _written_double(value: float) -> str:
    if not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    import rfc8785

    return rfc8785.dumps(value).decode()
