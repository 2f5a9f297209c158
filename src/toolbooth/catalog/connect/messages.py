"""The JSON-RPC messages that a server sends, read from frames.

A frame that is not a valid message becomes a `BrokenMessage`, with the id of the request that it answers if that can
still be read. The result of a valid answer stays bytes until something needs it as an object.
"""

import re
from typing import Any, Final, NamedTuple

import msgspec

from toolbooth import errors, limits
from toolbooth.catalog.connect.frame_scan import SURROGATE, FrameScan
from toolbooth.catalog.strict_json import NotJson, decode, decode_checked, has_long_number

_ID = re.compile(rb'"id"\s*:\s*(\d{1,18})\b')
_ENDS = 4096  # an id is at one of the two ends of a frame; the middle is payload
_LONE = re.compile(  # half of a surrogate pair; the full parser decides about an escaped backslash before it
    rb"\\u[dD][89abAB]..(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB]..)\\u[dD][c-fC-F]"
)


class RawResult(NamedTuple):
    """The checked bytes of a result. They are passed on unchanged, and parsed only where Toolbooth reads them.

    For a large result, `data` is a view of the buffer in which it arrived, so that 16 MB are not copied.
    """

    data: bytes | memoryview

    @property
    def value(self) -> dict[str, Any]:
        """The result as an object; raises BackendProtocolError for a number that cannot be represented."""
        try:
            small = isinstance(self.data, bytes)
            read: dict[str, Any] = decode(bytes(self.data)) if small else decode_checked(bytes(self.data))
        except ValueError as error:
            raise errors.BackendProtocolError(f"sent JSON that cannot be read ({error})") from None
        return read

    def has(self, text: bytes) -> bool:
        """Whether these bytes occur in the result."""
        return text in self.data if isinstance(self.data, bytes) else _search(text, self.data) is not None


def _search(text: bytes, view: memoryview) -> "re.Match[bytes] | None":
    return re.search(re.escape(text), view)


Result = dict[str, Any] | RawResult


class Response(NamedTuple):
    """The result of one of our requests."""

    id: int | str
    result: Result


class ErrorResponse(NamedTuple):
    """An error as the answer to one of our requests."""

    id: int | str | None
    code: int
    message: str
    data: Any


class ServerRequest(NamedTuple):
    """A request from the server to its client."""

    id: int | str
    method: str
    params: dict[str, Any] | None


class Notice(NamedTuple):
    """A notification from the server."""

    method: str
    params: dict[str, Any] | None


class BrokenMessage(NamedTuple):
    """A frame that is not a valid message, and the id of the request that it answers, if that can be read."""

    fault: errors.BackendFault
    request_id: int | None


Message = Response | ErrorResponse | ServerRequest | Notice | BrokenMessage


def looks_like_message(frame: bytes | bytearray) -> bool:
    """Whether a line is meant as JSON-RPC; anything else on stdout is noise, such as a banner or a log line."""
    return frame[:_ENDS].lstrip()[:1] in (b"{", b"[")


def read_messages(frame: bytes | bytearray, scan: FrameScan | None = None) -> list[Message]:
    """The messages of one frame: usually one, several if an old server sends a batch."""
    scan = _finished(frame, scan)
    excess = "" if scan is None else scan.excess(frame)
    if excess:
        return [BrokenMessage(errors.FrameTooLarge(f"sent one message of over {excess}"), answered_id(frame))]
    plain = _plain_response(frame, scan)
    if plain is not None:
        return [plain]
    try:
        value = decode(frame)
    except NotJson as error:
        return [
            BrokenMessage(errors.BackendProtocolError(f"sent invalid JSON ({error})"), answered_id(frame))
        ]
    return [_classify(item) for item in value] if type(value) is list else [_classify(value)]


def _finished(frame: bytes | bytearray, scan: FrameScan | None) -> FrameScan | None:
    """The scan of a large frame; a small one needs none."""
    if scan is None and len(frame) >= limits.RAW_FRAME:
        scan = FrameScan.of(frame)
    if scan is not None:
        scan.finish()
    return scan


def answered_id(frame: bytes | bytearray) -> int | None:
    """The request id in a broken frame, if it can be read."""
    match = _ID.search(frame[:_ENDS]) or _ID.search(frame[-_ENDS:])
    return int(match[1]) if match else None


def _classify(item: Any) -> Message:
    if not isinstance(item, dict) or item.get("jsonrpc") != "2.0":
        return _broken("sent JSON that is not a JSON-RPC 2.0 message", item)
    if isinstance(item.get("method"), str):
        return _call(item)
    if ("result" in item) == ("error" in item):
        return _broken("sent an answer that does not have exactly one of result and error", item)
    return _response(item) if "result" in item else _error_response(item)


def _call(item: dict[str, Any]) -> Message:
    """A request or notification of the server. A malformed one fails no request of ours: it is not an answer."""
    params, number = item.get("params"), item.get("id")
    if (params is not None and not isinstance(params, dict)) or not (number is None or _is_id(number)):
        return ErrorResponse(None, 0, "a malformed request", None)
    if number is None:
        return Notice(item["method"], params)
    return ServerRequest(number, item["method"], params)


def _response(item: dict[str, Any]) -> Message:
    if item.get("id") is None and isinstance(item["result"], dict):
        return ErrorResponse(None, 0, "an answer without an id", None)
    if not isinstance(item["result"], dict) or not _is_id(item.get("id")):
        return _broken("sent a result that is not an object or has no id", item)
    excess = too_many_items(item["result"])
    if excess is not None:
        return BrokenMessage(excess, item["id"] if isinstance(item["id"], int) else None)
    return Response(item["id"], item["result"])


def _error_response(item: dict[str, Any]) -> Message:
    error = item["error"]
    if not isinstance(error, dict) or not isinstance(error.get("code"), int) or not _is_id(item.get("id")):
        return _broken("sent an error without a code or an id", item)
    return ErrorResponse(
        item["id"], error["code"], str(error.get("message") or "no message"), error.get("data")
    )


def _is_id(value: object) -> bool:
    return isinstance(value, int | str) and not isinstance(value, bool)


def _broken(reason: str, item: Any) -> BrokenMessage:
    request_id = item.get("id") if isinstance(item, dict) else None
    return BrokenMessage(
        errors.BackendProtocolError(reason),
        request_id if isinstance(request_id, int) and not isinstance(request_id, bool) else None,
    )


class _Envelope(msgspec.Struct):
    """The outer object of an answer. Parsing only this takes 20 ms for 10 MB; building all objects takes 290 ms."""

    jsonrpc: str
    id: int | str
    result: msgspec.Raw
    method: str | msgspec.UnsetType = msgspec.UNSET
    error: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


_ENVELOPE: Final = msgspec.json.Decoder(_Envelope)


def _plain_response(frame: bytes | bytearray, scan: FrameScan | None) -> Response | None:
    """A valid answer with its result as bytes, which nearly every frame is. None means: use the full parser."""
    try:
        envelope = _ENVELOPE.decode(frame)
    except (msgspec.DecodeError, RecursionError):
        return None
    if not (_is_utf8(frame) if scan is None else scan.utf8):
        return None
    if (
        envelope.jsonrpc != "2.0"
        or envelope.method is not msgspec.UNSET
        or envelope.error is not msgspec.UNSET
    ):
        return None
    if (SURROGATE.search(frame) if scan is None else scan.surrogates) and _LONE.search(frame):
        return None
    if scan is None and has_long_number(frame):
        return None  # in a larger frame this search would take longer than everything else
    view = memoryview(envelope.result)
    if view[0] != _BRACE:
        return None
    if scan is None:
        return Response(envelope.id, RawResult(bytes(view)))
    if scan.commas >= limits.MAX_CONTENT_ITEMS and _has_many_items(envelope.result):
        return None
    return Response(envelope.id, RawResult(view))


class _Content(msgspec.Struct):
    content: list[msgspec.Raw] = []


_CONTENT: Final = msgspec.json.Decoder(_Content)


def _has_many_items(result: msgspec.Raw) -> bool:
    """Whether a result has too many items; none of them is built for this."""
    try:
        return len(_CONTENT.decode(result).content) > limits.MAX_CONTENT_ITEMS
    except msgspec.ValidationError:  # its content is not a list, which is reported where it is read
        return False


def too_many_items(result: dict[str, Any]) -> errors.BackendFault | None:
    """The fault of a result with more content items than MAX_CONTENT_ITEMS; None for all others."""
    content = result.get("content")
    if type(content) is list and len(content) > limits.MAX_CONTENT_ITEMS:
        return errors.FrameTooLarge(f"sent one result of over {limits.MAX_CONTENT_ITEMS:,} items")
    return None


def _is_utf8(frame: bytes | bytearray) -> bool:
    if frame.isascii():
        return True
    try:
        frame.decode()
    except UnicodeDecodeError:
        return False
    return True


_BRACE = ord("{")
