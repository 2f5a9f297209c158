"""One frame → the JSON-RPC messages in it, or the reason why it is none."""

import re
from typing import Any, NamedTuple

from mcp_types import (
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
)

from toolbooth.catalog.strict_json import NotJson, decode
from toolbooth.errors import BackendFault, BackendProtocolError

FAULT_CODE = -32099  # in-process only: carries one of our faults to the caller that waits for this id
_ID = re.compile(rb'"id"\s*:\s*(\d{1,18})\b')
_ENDS = 4096  # an id stands at one of the two ends of a frame; the middle is payload


class BrokenMessage(NamedTuple):
    """A frame that is no message, and the id it would have answered, where that can be told."""

    fault: BackendProtocolError
    request_id: int | None


def looks_like_message(frame: bytes) -> bool:
    """Whether a line was meant as JSON-RPC; anything else on stdout is noise (a banner, a log line)."""
    return frame.lstrip()[:1] in (b"{", b"[")


def read_messages(frame: bytes) -> list[JSONRPCMessage | BrokenMessage]:
    """The messages of one frame: one, or several where an old server batches them."""
    try:
        value = decode(frame)
    except NotJson as error:
        return [BrokenMessage(BackendProtocolError(f"sent invalid JSON ({error})"), answered_id(frame))]
    return [_classify(item) for item in (value if isinstance(value, list) else [value])]


def answered_id(frame: bytes) -> int | None:
    """The request id that a broken frame carries, as far as it can be read."""
    match = _ID.search(frame[:_ENDS]) or _ID.search(frame[-_ENDS:])
    return int(match[1]) if match else None


def fault_answer(request_id: int | str, fault: BackendFault) -> JSONRPCError:
    """An answer that hands `fault` to whoever waits for `request_id`."""
    return JSONRPCError.model_construct(
        jsonrpc="2.0",
        id=request_id,
        error=ErrorData.model_construct(code=FAULT_CODE, message=fault.message, data=fault),
    )


# Messages are built without validation: what only passes through is not checked twice, and what we use
# ourselves (a tool list) is checked where it is used.
def _classify(item: Any) -> JSONRPCMessage | BrokenMessage:
    if not isinstance(item, dict) or item.get("jsonrpc") != "2.0":
        return _broken("sent JSON that is no JSON-RPC 2.0 message", item)
    if isinstance(item.get("method"), str):
        return _call(item)
    if ("result" in item) == ("error" in item):
        return _broken("sent an answer with both a result and an error, or with neither", item)
    return _result(item) if "result" in item else _error(item)


def _call(item: dict[str, Any]) -> JSONRPCMessage | BrokenMessage:
    params = item.get("params")
    if params is not None and not isinstance(params, dict):
        return _broken("sent params that are no object", item)
    known = {"jsonrpc": "2.0", "method": item["method"]} | ({} if params is None else {"params": params})
    if item.get("id") is None:
        return JSONRPCNotification.model_construct(**known)
    return JSONRPCRequest.model_construct(id=item["id"], **known)


def _result(item: dict[str, Any]) -> JSONRPCMessage | BrokenMessage:
    if not isinstance(item["result"], dict) or not _is_id(item.get("id")):
        return _broken("sent a result that is no object, or has no id", item)
    return JSONRPCResponse.model_construct(jsonrpc="2.0", id=item["id"], result=item["result"])


def _error(item: dict[str, Any]) -> JSONRPCMessage | BrokenMessage:
    error = item["error"]
    if not isinstance(error, dict) or not isinstance(error.get("code"), int) or not _is_id(item.get("id")):
        return _broken("sent an error without a code or an id", item)
    message = str(error.get("message") or "no message")
    data = ErrorData.model_construct(code=error["code"], message=message, data=error.get("data"))
    return JSONRPCError.model_construct(jsonrpc="2.0", id=item["id"], error=data)


def _is_id(value: object) -> bool:
    return isinstance(value, int | str) and not isinstance(value, bool)


def _broken(reason: str, item: Any) -> BrokenMessage:
    request_id = item.get("id") if isinstance(item, dict) else None
    return BrokenMessage(
        BackendProtocolError(reason),
        request_id if isinstance(request_id, int) and not isinstance(request_id, bool) else None,
    )
