"""The result of a tool, as the bytes that its server sent or as a value.

Most results are only passed on: they are never parsed. What a tool returns inside is not protocol; whether it is a
result, an error or a question is read from the envelope, which also has the format of the client's protocol version.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, Final

import msgspec

from toolbooth import catalog, limits
from toolbooth.catalog.connect import RawResult
from toolbooth.gateway.offload import belongs_in_thread

ServerResult = dict[str, Any] | RawResult
_COMPLETE: Final = {"resultType": "complete"}
_NOT_CACHED: Final = {"ttlMs": 0, "cacheScope": "private"}
_FLAGS: Final = (None, True, False)
_FAILED: Final = re.compile(rb'"isError"\s*:\s*true')  # Jackson prints a space before the colon, too
_ITEM: Final = 16  # characters of a number, or around a member


class ToolResult:
    """What a server answered, or we: `given` as bytes or as a value. It does not change, and is parsed once at most.

    Other requests that are passed on (resources, prompts, completion) have a result of this type, too.
    """

    __slots__ = ("_asked", "_encoded", "_is_error", "_typed", "_value", "given")

    def __init__(self, given: ServerResult) -> None:
        self.given = given
        self._value: dict[str, Any] | None = given if type(given) is dict else None
        self._encoded: RawResult | None = None
        self._typed: bool | None = None
        self._is_error: bool | None = None
        self._asked: dict[str, Any] | bool | None = False  # not known yet

    @classmethod
    def said(cls, text: str, *, error: bool = False) -> "ToolResult":
        """A text as the result of a tool."""
        result: dict[str, Any] = {"content": [{"type": "text", "text": text}]}
        if error:
            result["isError"] = True
        return cls(result)

    # -- reading -------------------------------------------------------------------------------------------
    @property
    def size(self) -> int:
        """Bytes as they came; of a value the characters, roughly, and only as far as they matter."""
        given = self.given
        return len(given.data) if isinstance(given, RawResult) else rough_size(given)

    @property
    def value(self) -> dict[str, Any]:
        """The result as an object; raises BackendProtocolError for a number that cannot be represented."""
        if self._value is None:
            given = self.given
            self._value = given.value if isinstance(given, RawResult) else given
        return self._value

    def texts(self) -> list[str]:
        """The text of every block, or one line that describes it."""
        return list(map(catalog.block_line, catalog.blocks_in(self.value)))

    @property
    def structured(self) -> Any:
        """The structured content, if there is any."""
        return self.value.get("structuredContent")

    @property
    def is_error(self) -> bool:
        """Whether a tool reports an error; the flag is searched for before anything is parsed."""
        if self._is_error is None:
            self._is_error = _is_error(self.given)
        return self._is_error

    @property
    def asked(self) -> dict[str, Any] | None:
        """The result itself if it consists of questions, as a stateless server asks them."""
        if isinstance(self._asked, bool):
            self._asked = self._questions()
        return self._asked

    def _questions(self) -> dict[str, Any] | None:
        given = self.given
        if isinstance(given, RawResult) and not (
            self._may_be_typed()
            and given.has(b'"input_required"')
            and _outside(given).result_type is not msgspec.UNSET
        ):
            return None
        return self.value if self.value.get("resultType") == "input_required" else None

    def _may_be_typed(self) -> bool:
        """Searching for bytes is ten times as fast as the parser, and most results have no `resultType`."""
        if self._typed is None:
            given = self.given
            self._typed = (
                given.has(b'"resultType"') if isinstance(given, RawResult) else "resultType" in given
            )
        return self._typed

    @property
    def misshapen(self) -> bool:
        """Whether no client could read it; large ones are not checked a second time."""
        given = self.given
        if not isinstance(given, RawResult):
            return _misshapen(given)
        if len(given.data) >= limits.RAW_FRAME:
            return False
        try:
            _SHAPE.decode(given.data)
        except msgspec.DecodeError:
            return True
        return False

    # -- changed copies ------------------------------------------------------------------------------------
    def for_version(self, modern: bool, cacheable: bool = False) -> "ToolResult":
        """`resultType` is in every result since protocol version 2026-07-28, and in none before."""
        given = self.given
        if not modern and not self._may_be_typed():
            return self
        if isinstance(given, RawResult):
            fitted: ServerResult = _raw_for_version(given, modern, cacheable)
        else:
            fitted = _with_type(given, cacheable) if modern else _without_type(given)
        return self if fitted is given else ToolResult(fitted)

    def with_lines(self, lines: Sequence[str]) -> "ToolResult":
        """The result with these lines in a block of their own; what the tool answered is unchanged."""
        if not lines or self.asked is not None:
            return self
        content = self.value.get("content")
        blocks = content if isinstance(content, list) else []
        return ToolResult({**self.value, "content": [*blocks, {"type": "text", "text": "\n".join(lines)}]})

    def with_meta(self, more: Mapping[str, Any]) -> "ToolResult":
        """The result with these keys in its `_meta`."""
        meta = self.value.get("_meta")
        return ToolResult({**self.value, "_meta": {**(meta if isinstance(meta, Mapping) else {}), **more}})

    # -- sending -------------------------------------------------------------------------------------------
    @property
    def unread(self) -> int:
        """How much `prepare` would still have to read."""
        return 0 if self._is_error is not None and self._sendable else self.size

    @property
    def _sendable(self) -> bool:
        return self._encoded is not None or type(self.given) is not dict

    def prepare(self) -> "ToolResult":
        """Find what the event loop asks for, and encode what is long: after this, neither takes long."""
        _ = self.asked, self.is_error
        if not self._sendable and belongs_in_thread(self.size):
            self._encoded = RawResult(catalog.encode_line(self.value)[:-1])
        return self

    @property
    def sent(self) -> ServerResult:
        """What a transport sends: bytes if there are any."""
        return self.given if self._encoded is None else self._encoded


def rough_size(value: Any) -> int:
    """Characters of a value, roughly, and only as far as they matter: a nested list may hold a million."""
    size, waiting = 0, [value]
    while waiting and size < limits.REDUCE_ASIDE:
        each = waiting.pop()
        size += len(each) if isinstance(each, str) else _ITEM
        if isinstance(each, dict | list):
            size += _ITEM * len(each)
            if size < limits.REDUCE_ASIDE:
                waiting += chain(each, each.values()) if isinstance(each, dict) else each
    return size


class _Outside(msgspec.Struct, rename="camel"):
    """Parsing only this builds no object of what is inside, however large."""

    result_type: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    ttl_ms: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


_OUTSIDE: Final = msgspec.json.Decoder(_Outside)
_PLAIN: Final = _Outside()
_MEMBERS: Final = msgspec.json.Decoder(dict[str, msgspec.Raw])


def _outside(result: RawResult) -> _Outside:
    """Searching for bytes is ten times as fast as the parser, and most results have neither."""
    if result.has(b'"resultType"') or result.has(b'"ttlMs"'):
        return _OUTSIDE.decode(result.data)
    return _PLAIN


def _raw_for_version(result: RawResult, modern: bool, cacheable: bool) -> RawResult:
    outside = _outside(result)
    missing = _missing(outside, cacheable) if modern else b""
    if missing:
        inside = bytes(result.data[1:]).lstrip()
        return RawResult(b"{" + (missing.rstrip(b",") if inside == b"}" else missing) + inside)
    if modern or outside.result_type is msgspec.UNSET:
        return result
    return _raw_without_type(result)


def _missing(outside: _Outside, cacheable: bool) -> bytes:
    """What a result lacks, as the beginning of its object."""
    if outside.result_type is not msgspec.UNSET and bytes(outside.result_type) == b'"input_required"':
        return b""
    missing = b'"resultType":"complete",' if outside.result_type is msgspec.UNSET else b""
    cached = not cacheable or outside.ttl_ms is not msgspec.UNSET
    return missing + (b"" if cached else b'"ttlMs":0,"cacheScope":"private",')


def _raw_without_type(result: RawResult) -> RawResult:
    """Member by member: no object is built of what is inside, and none has to be written again."""
    members = _MEMBERS.decode(result.data)
    members.pop("resultType", None)
    data = msgspec.json.encode(members)
    return RawResult(data if isinstance(result.data, bytes) else memoryview(data))


def _with_type(result: dict[str, Any], cacheable: bool) -> dict[str, Any]:
    lacks = {**_COMPLETE, **(_NOT_CACHED if cacheable else {})}
    asks = result.get("resultType") == "input_required"
    return result if asks or all(key in result for key in lacks) else {**lacks, **result}


def _without_type(result: dict[str, Any]) -> dict[str, Any]:
    if "resultType" not in result:
        return result
    return {key: value for key, value in result.items() if key != "resultType"}


class _Shape(msgspec.Struct):
    content: list[dict[str, msgspec.Raw]] | msgspec.UnsetType = msgspec.UNSET
    isError: bool | msgspec.UnsetType | None = msgspec.UNSET


_SHAPE: Final = msgspec.json.Decoder(_Shape)


def _misshapen(result: Mapping[str, Any]) -> bool:
    content, error = result.get("content", []), result.get("isError")
    return (
        not isinstance(content, list)
        or not all(isinstance(each, dict) for each in content)
        or error not in _FLAGS
    )


def _is_error(result: ServerResult) -> bool:
    if not isinstance(result, RawResult):
        return result.get("isError") is True
    if not result.has(b'"isError"') or _FAILED.search(result.data) is None:
        return False
    try:
        return _SHAPE.decode(result.data).isError is True
    except msgspec.DecodeError:
        return False
