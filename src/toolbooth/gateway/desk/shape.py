"""A tool's result → whether it is one: no client can read content that is no list."""

from typing import Any, Final

import msgspec

from toolbooth.catalog import Tool
from toolbooth.catalog.connect import RawResult
from toolbooth.errors import BackendProtocolError
from toolbooth.limits import RAW_FRAME


class _Shape(msgspec.Struct):
    content: list[dict[str, msgspec.Raw]] | msgspec.UnsetType = msgspec.UNSET
    isError: bool | msgspec.UnsetType | None = msgspec.UNSET


_SHAPE: Final = msgspec.json.Decoder(_Shape)


def misshapen(result: dict[str, Any] | RawResult) -> bool:
    """Whether no client could read it; large ones are not looked into a second time."""
    if isinstance(result, RawResult):
        if len(result.data) >= RAW_FRAME:
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
    """Whether a tool says that it failed; the flag is looked for before anything is read."""
    if not isinstance(result, RawResult):
        return result.get("isError") is True
    if not (result.has(b'"isError":true') or result.has(b'"isError": true')):
        return False
    try:
        return _SHAPE.decode(result.data).isError is True
    except msgspec.DecodeError:
        return False


_FLAGS: Final = (None, True, False)


def misshapen_result(tool: Tool) -> BackendProtocolError:
    """The fault of its server."""
    return BackendProtocolError("sent a result whose content is no list of items", tool.server)
