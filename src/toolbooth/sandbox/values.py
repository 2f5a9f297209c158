"""The conversion of a value that leaves the sandbox into JSON's own types, measured before anything is built.

Shared lists arrive as shared lists: a few bytes of them may be billions of items when they are written out.
"""

import math
from base64 import b64encode
from collections.abc import Mapping
from datetime import date, time
from typing import Any, Final

import anyio.to_thread

from toolbooth import limits

NOT_AWAITED: Final = "<coroutine external_future("  # how the sandbox writes a call that was not awaited
_DIGITS: Final = 4_300  # of an integer: Python does not write longer ones


class NotAwaited(Exception):
    """The value holds a call instead of its result."""


class ValueTooLarge(Exception):
    """The value is larger or deeper than anything that may leave the sandbox; the message says which."""


async def plain(value: Any) -> Any:
    """Convert the value; a long one is walked in a thread.

    Raises ValueTooLarge. What JSON cannot express is written as text.
    """
    try:
        return _Measure(limits.QUICK_VALUES, limits.CODE_VALUE).plain(value, limits.MAX_JSON_DEPTH)
    except ValueTooLarge:
        return await anyio.to_thread.run_sync(whole, value)


def whole(value: Any) -> Any:
    """Convert the whole value, without a thread."""
    return _Measure(limits.CODE_VALUES, limits.CODE_VALUE).plain(value, limits.MAX_JSON_DEPTH)


class _Measure:
    def __init__(self, parts: int, text: int) -> None:
        self.parts, self.text = parts, text

    def plain(self, value: Any, depth: int) -> Any:
        self._pay(1, 0)
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, int):
            return self._integer(value)
        if isinstance(value, float):
            return value if math.isfinite(value) else str(value)
        if depth == 0:
            raise ValueTooLarge(f"it is nested more than {limits.MAX_JSON_DEPTH} levels deep")
        return self._container(value, depth - 1)

    def _container(self, value: Any, depth: int) -> Any:
        if isinstance(value, Mapping):
            return {self._key(key, depth): self.plain(each, depth) for key, each in value.items()}
        if isinstance(value, list | tuple):
            return [self.plain(each, depth) for each in value]
        if isinstance(value, set | frozenset):
            return sorted((self.plain(each, depth) for each in value), key=repr)
        attributes = getattr(value, "attributes", None)  # an instance of a class that the code made
        if isinstance(attributes, Mapping):
            return self.plain(attributes, depth)
        return self._text(_written(value))

    def _key(self, key: Any, depth: int) -> str:
        return self._text(key) if isinstance(key, str) else str(self.plain(key, depth))

    def _text(self, text: str) -> str:
        if text.startswith(NOT_AWAITED):
            raise NotAwaited
        self._pay(0, len(text))
        return text.encode("utf-8", "replace").decode() if not text.isascii() else text

    def _integer(self, value: int) -> Any:
        digits = int(value.bit_length() * 0.30103) + 1
        self._pay(0, digits)
        return value if digits < _DIGITS else f"an integer of about {digits} digits"

    def _pay(self, parts: int, text: int) -> None:
        self.parts -= parts
        self.text -= text
        if self.parts < 0:
            raise ValueTooLarge(f"it has more than {limits.CODE_VALUES:,} parts")
        if self.text < 0:
            raise ValueTooLarge(f"it has more than {limits.CODE_VALUE:,} characters")


def _written(value: Any) -> str:
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, bytes):
        try:
            return value.decode()
        except UnicodeDecodeError:
            return b64encode(value).decode()
    if isinstance(value, BaseException):
        return f"{type(value).__name__}: {value}"
    return str(value)  # a path, a decimal number, a range: as Python writes them
