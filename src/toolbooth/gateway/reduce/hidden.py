"""What is not shown: the placeholder in its place, with the call that brings it back, and the walk through
values that contain placeholders.
"""

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

import orjson

from toolbooth import limits
from toolbooth.gateway.results.lines import size
from toolbooth.gateway.results.read_request import JsonPath, call_text

_OPTIONS: Final = orjson.OPT_PASSTHROUGH_DATACLASS
NOT_SHOWN: Final = "not_shown"  # the key of a summary that leads to what it replaces
NO_REF: Final = "x" * 22  # as long as a ref, to weigh placeholders before there is one


class Unshown(ABC):
    """Something in a working value that is written only once the ref is known."""

    @abstractmethod
    def words(self, ref: str) -> str:
        """The text that a reader sees."""


@dataclass(frozen=True)
class Hidden(Unshown):
    """A part that is hidden: what it is, and how `read_result` finds it."""

    what: str
    path: str = ""
    start: int = 0
    lines: int = 0

    def words(self, ref: str) -> str:
        """`[247 of 250 items not shown: read_result(ref='…', path='orders[3:]')]`."""
        call = call_text(ref, path=self.path, start=self.start, lines=self.lines)
        return f"[{self.what} not shown: {call}]"


class HiddenText(Hidden):
    """The same in place of a string, which it is to a schema."""


class Summary(dict[str, Any]):
    """Replaces the items of an array that are not shown; no step looks into it again."""


class Picked(list[Any]):
    """The items of an array that were chosen, each with its index in the whole one."""

    def __init__(self, items: list[Any], indices: list[int]) -> None:
        super().__init__(items)
        self.indices = indices


def encoded(value: Any, ref: str = NO_REF) -> str:
    """A working value as compact JSON, with hidden parts as their placeholders."""
    default = _speaker(ref)
    try:
        return orjson.dumps(value, default=default, option=_OPTIONS).decode()
    except (TypeError, RecursionError):  # a long integer, or half a surrogate pair
        text = json.dumps(value, default=default, ensure_ascii=False, separators=(",", ":"))
        return text if _is_unicode(text) else json.dumps(value, default=default, separators=(",", ":"))


def weight(value: Any) -> int:
    """Bytes of a working value as JSON."""
    try:
        return len(orjson.dumps(value, default=_WEIGHING, option=_OPTIONS))
    except TypeError:
        return size(encoded(value))


def _speaker(ref: str) -> Callable[[Any], Any]:
    def speak(value: Any) -> Any:
        if isinstance(value, Unshown):
            return value.words(ref)
        raise TypeError(type(value).__name__)

    return speak


_WEIGHING: Final = _speaker(NO_REF)


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def in_kb(count: float) -> str:
    """`3.1 KB`; bytes below one."""
    if count < limits.KIB:
        return f"{count:.0f} bytes"
    kilo = count / limits.KIB
    return f"{kilo:.1f} KB" if kilo < 100 else f"{kilo:,.0f} KB"


Visit = Callable[[Any, JsonPath], Any]


def through(value: Any, path: JsonPath, visit: Visit, strings: int = 0) -> Any:
    """Visit every container in this one, and strings of at least so many characters, if asked for.

    A container that no visit changes is returned as the same object.
    """
    is_object = type(value) is dict
    if not is_object and not isinstance(value, list):
        return value
    changed: Any = None
    for place, (key, member) in enumerate(value.items() if is_object else _numbered(value)):
        kind = type(member)
        if (
            kind is dict
            or kind is list
            or kind is Picked
            or (strings and kind is str and len(member) >= strings)
        ):
            new = visit(member, (*path, key))
            if new is not member:
                changed = _copy(value) if changed is None else changed
                changed[key if is_object else place] = new
    return value if changed is None else changed


def _numbered(value: list[Any]) -> Iterable[tuple[int, Any]]:
    """Items with their indices in the whole answer; placeholders behind picked items have none."""
    return zip(value.indices, value, strict=False) if isinstance(value, Picked) else enumerate(value)


def _copy(value: Any) -> Any:
    return Picked(list(value), value.indices) if isinstance(value, Picked) else value.copy()
