"""A JSON value → SHA-256 over its RFC 8785 canonical form, so that notation alone never shows."""

import hashlib
from typing import Any


def digest_of(value: Any) -> str:
    """Hexadecimal; numbers that JSON cannot keep exactly count by their text, as `canonical_bytes` writes them."""
    return hashlib.sha256(canonical_bytes(value)).hexdigest()


def canonical_bytes(value: Any) -> bytes:
    """Keys sorted by UTF-16, numbers as ECMAScript writes them, no blanks."""
    import rfc8785

    return rfc8785.dumps(value)
