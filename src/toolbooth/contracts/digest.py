"""A JSON value → SHA-256 over its RFC 8785 canonical form, so that notation alone never shows.

RFC 8785 knows no number that a double cannot hold and no broken text; wire objects have both. What it does not know
is written as it never writes anything: an integer between two doubles as `0x…`, NaN and infinities as words, a lone
surrogate as its three bytes.
"""

import hashlib
import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from json.encoder import encode_basestring
from typing import Any, Final

import orjson

_SAFE: Final = 2**53  # up to here every whole number is a double of its own
_WORDS: Final = {None: "null", True: "true", False: "false"}


def digest_of(value: Any) -> str:
    """Hexadecimal."""
    return hashlib.sha256(canonical_bytes(value)).hexdigest()


def canonical_bytes(value: Any) -> bytes:
    """Keys sorted by UTF-16, numbers as ECMAScript writes them, no blanks; the same for 1, 1.0 and 1e0."""
    if _is_plain(value):  # as nearly all definitions: then orjson writes the same, four times as fast
        with suppress(TypeError):  # a lone surrogate, or nested too deeply for it
            return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    return _written(value).encode("utf-8", "surrogatepass")


def _is_plain(value: Any) -> bool:
    """Whether it holds neither floats nor long integers nor keys that UTF-8 and UTF-16 sort differently."""
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
    raise TypeError(f"{type(value).__name__} is no JSON")


def _sorted_keys(value: Mapping[str, Any]) -> list[str]:
    if all(map(str.isascii, value)):
        return sorted(value)
    # Two halves of a surrogate pair sort as the character that they make: then the text itself decides.
    return sorted(value, key=lambda key: (key.encode("utf-16-be", "surrogatepass"), key))


def _written_large(value: int) -> str:
    """As the double that it is; between two doubles, exactly."""
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
