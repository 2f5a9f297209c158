"""The envelope of a result: whether it is a result or an error, and how the client's protocol version formats
it.

What a tool returns inside is not protocol and is not parsed, so a large result is passed on as bytes.
"""

from typing import Any, Final

import msgspec

from toolbooth import catalog, errors, limits
from toolbooth.catalog.connect import RawResult

ServerResult = dict[str, Any] | RawResult
_COMPLETE: Final = {"resultType": "complete"}
_NOT_CACHED: Final = {"ttlMs": 0, "cacheScope": "private"}


class _Outside(msgspec.Struct, rename="camel"):
    """Parsing only this builds no object of what is inside, however large."""

    result_type: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    ttl_ms: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


_OUTSIDE: Final = msgspec.json.Decoder(_Outside)
_PLAIN: Final = _Outside()
_MEMBERS: Final = msgspec.json.Decoder(dict[str, msgspec.Raw])


def fitted(result: ServerResult, *, modern: bool, cacheable: bool = False) -> ServerResult:
    """`resultType` is in every result since protocol version 2026-07-28, and in none before."""
    if isinstance(result, RawResult):
        outside = _outside(result)
        missing = _missing(outside, cacheable) if modern else b""
        if missing:
            inside = bytes(result.data[1:]).lstrip()
            return RawResult(b"{" + (missing.rstrip(b",") if inside == b"}" else missing) + inside)
        if modern or outside.result_type is msgspec.UNSET:
            return result
        return _raw_without_type(result)
    return _with_type(result, cacheable) if modern else _without_type(result)


def input_required(result: ServerResult) -> dict[str, Any] | None:
    """The questions of a stateless server, if its answer consists of questions."""
    if isinstance(result, RawResult):
        if not result.has(b'"input_required"') or _outside(result).result_type is msgspec.UNSET:
            return None
        result = result.value
    return result if result.get("resultType") == "input_required" else None


def _outside(result: RawResult) -> _Outside:
    """Searching for bytes is ten times as fast as the parser, and most results have neither."""
    if result.has(b'"resultType"') or result.has(b'"ttlMs"'):
        return _OUTSIDE.decode(result.data)
    return _PLAIN


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


def misshapen(result: dict[str, Any] | RawResult) -> bool:
    """Whether no client could read it; large ones are not checked a second time."""
    if isinstance(result, RawResult):
        if len(result.data) >= limits.RAW_FRAME:
            return False
        try:
            _SHAPE.decode(result.data)
        except msgspec.DecodeError:
            return True
        return False
    content, error = result.get("content", []), result.get("isError")
    return (
        not isinstance(content, list)
        or not all(isinstance(each, dict) for each in content)
        or error not in _FLAGS
    )


def is_error(result: dict[str, Any] | RawResult) -> bool:
    """Whether a tool reports an error; the flag is searched for before anything is parsed."""
    if not isinstance(result, RawResult):
        return result.get("isError") is True
    if not (result.has(b'"isError":true') or result.has(b'"isError": true')):
        return False
    try:
        return _SHAPE.decode(result.data).isError is True
    except msgspec.DecodeError:
        return False


_FLAGS: Final = (None, True, False)


def misshapen_result(tool: catalog.Tool) -> errors.BackendProtocolError:
    """The error of its server."""
    return errors.BackendProtocolError("sent a result whose content is not a list of items", tool.server)
