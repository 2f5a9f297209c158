"""Any Python value → JSON that our own strict reader takes back: no lone surrogate, no infinity, no abyss."""

import math
from collections.abc import Mapping
from typing import Any

from toolbooth.limits import REDACT_DEPTH

_TOO_DEEP = "[nested too deeply]"
_LONG_INTEGER = 900  # bits: our reader takes 300 digits


def plain(value: Any, depth: int = 0) -> Any:
    """The value where it is JSON already; else the nearest that is."""
    if isinstance(value, str):
        return plain_text(value)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if value.bit_length() < _LONG_INTEGER else hex(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if depth > REDACT_DEPTH and isinstance(value, Mapping | list | tuple):
        return _TOO_DEEP
    if isinstance(value, Mapping):
        return {plain_text(str(key)): plain(inner, depth + 1) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner, depth + 1) for inner in value]
    return plain_text(str(value))


def plain_text(text: str) -> str:
    """Text that can be encoded: halves of a pair are joined, a lone one becomes the replacement sign."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text
