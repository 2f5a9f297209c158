"""One frame → the JSON-RPC messages in it, or the reason why it is none."""

import codecs
import re
from typing import Any, Final, NamedTuple

import msgspec

from toolbooth.catalog.strict_json import NotJson, decode, decode_checked, has_long_number, too_many_parts
from toolbooth.errors import BackendFault, BackendProtocolError, FrameTooLarge
from toolbooth.limits import MAX_CONTENT_ITEMS, RAW_FRAME

_ID = re.compile(rb'"id"\s*:\s*(\d{1,18})\b')
_ENDS = 4096  # an id stands at one of the two ends of a frame; the middle is payload
_LONE = (
    re.compile(  # half of a surrogate pair; an escaped backslash before it is sorted out by the full parser
        rb"\\u[dD][89abAB]..(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB]..)\\u[dD][c-fC-F]"
    )
)


_SURROGATE = re.compile(rb"\\u[dD]")  # a search for the two characters alone takes three times as long


class RawResult(NamedTuple):
    """The checked bytes of a result: passed on as they are, turned into objects only where we read them ourselves.

    Those of a large result are a view of the buffer in which it came: 16 MB are not copied.
    """

    data: bytes | memoryview

    @property
    def value(self) -> dict[str, Any]:
        """The same as an object; raises BackendProtocolError for a number that no reader can hold."""
        try:
            small = isinstance(self.data, bytes)
            read: dict[str, Any] = decode(bytes(self.data)) if small else decode_checked(bytes(self.data))
        except ValueError as error:
            raise BackendProtocolError(f"sent JSON that cannot be read ({error})") from None
        return read

    def has(self, text: bytes) -> bool:
        """Whether these bytes stand anywhere in it."""
        return text in self.data if isinstance(self.data, bytes) else _search(text, self.data) is not None


def _search(text: bytes, view: memoryview) -> "re.Match[bytes] | None":
    return re.search(re.escape(text), view)


Result = dict[str, Any] | RawResult


class Response(NamedTuple):
    """A result for one of our requests."""

    id: int | str
    result: Result


class ErrorResponse(NamedTuple):
    """An error for one of our requests."""

    id: int | str | None
    code: int
    message: str
    data: Any


class Question(NamedTuple):
    """A request of the server to its client."""

    id: int | str
    method: str
    params: dict[str, Any] | None


class Notice(NamedTuple):
    """A notification."""

    method: str
    params: dict[str, Any] | None


class BrokenMessage(NamedTuple):
    """A frame that is no message, and the id it would have answered, where that can be told."""

    fault: BackendFault
    request_id: int | None


Message = Response | ErrorResponse | Question | Notice | BrokenMessage


def looks_like_message(frame: bytes | bytearray) -> bool:
    """Whether a line was meant as JSON-RPC; anything else on stdout is noise (a banner, a log line)."""
    return frame[:_ENDS].lstrip()[:1] in (b"{", b"[")


def read_messages(frame: bytes | bytearray) -> list[Message]:
    """The messages of one frame: one, or several where an old server batches them."""
    excess = too_many_parts(frame)
    if excess:
        return [BrokenMessage(FrameTooLarge(f"sent one message of over {excess}"), answered_id(frame))]
    plain = _plain_response(frame)
    if plain is not None:
        return [plain]
    try:
        value = decode(frame)
    except NotJson as error:
        return [BrokenMessage(BackendProtocolError(f"sent invalid JSON ({error})"), answered_id(frame))]
    return [_classify(item) for item in value] if type(value) is list else [_classify(value)]


def answered_id(frame: bytes | bytearray) -> int | None:
    """The request id that a broken frame carries, as far as it can be read."""
    match = _ID.search(frame[:_ENDS]) or _ID.search(frame[-_ENDS:])
    return int(match[1]) if match else None


def _classify(item: Any) -> Message:
    if not isinstance(item, dict) or item.get("jsonrpc") != "2.0":
        return _broken("sent JSON that is no JSON-RPC 2.0 message", item)
    if isinstance(item.get("method"), str):
        return _call(item)
    if ("result" in item) == ("error" in item):
        return _broken("sent an answer with both a result and an error, or with neither", item)
    return _response(item) if "result" in item else _error_response(item)


def _call(item: dict[str, Any]) -> Message:
    """A request or notification of the server; one of a strange shape answers nobody, and so it harms nobody."""
    params, number = item.get("params"), item.get("id")
    if (params is not None and not isinstance(params, dict)) or not (number is None or _is_id(number)):
        return ErrorResponse(None, 0, "a request of a strange shape", None)
    if number is None:
        return Notice(item["method"], params)
    return Question(number, item["method"], params)


def _response(item: dict[str, Any]) -> Message:
    if item.get("id") is None and isinstance(item["result"], dict):
        return ErrorResponse(None, 0, "an answer to nobody", None)
    if not isinstance(item["result"], dict) or not _is_id(item.get("id")):
        return _broken("sent a result that is no object, or has no id", item)
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
        BackendProtocolError(reason),
        request_id if isinstance(request_id, int) and not isinstance(request_id, bool) else None,
    )


class _Envelope(msgspec.Struct):
    """The outside of an answer. Parsing only this takes 20 ms for 10 MB where objects take 290."""

    jsonrpc: str
    id: int | str
    result: msgspec.Raw
    method: str | msgspec.UnsetType = msgspec.UNSET
    error: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


_ENVELOPE: Final = msgspec.json.Decoder(_Envelope)


def _plain_response(frame: bytes | bytearray) -> Response | None:
    """A sound answer with its result as bytes: nearly all that comes. None leaves the verdict to the full parser."""
    try:
        envelope = _ENVELOPE.decode(frame)
        if not frame.isascii():
            _check_utf8(frame)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    if (
        envelope.jsonrpc != "2.0"
        or envelope.method is not msgspec.UNSET
        or envelope.error is not msgspec.UNSET
    ):
        return None
    if _SURROGATE.search(frame) and _LONE.search(frame):
        return None
    if len(frame) < RAW_FRAME and has_long_number(frame):
        return None  # in larger ones this search would take longer than all the rest
    view = memoryview(envelope.result)
    if view[0] != _BRACE:
        return None
    if len(frame) >= RAW_FRAME and _has_many_items(envelope.result):
        return None
    return Response(envelope.id, RawResult(view if len(frame) >= RAW_FRAME else bytes(view)))


class _Content(msgspec.Struct):
    content: list[msgspec.Raw] = []


_CONTENT: Final = msgspec.json.Decoder(_Content)


def _has_many_items(result: msgspec.Raw) -> bool:
    """Whether a result has too many items, told before any of them is built."""
    try:
        return len(_CONTENT.decode(result).content) > MAX_CONTENT_ITEMS
    except msgspec.ValidationError:  # its content is no list: for whoever reads it to say
        return False


def too_many_items(result: dict[str, Any]) -> BackendFault | None:
    """The fault of a result with more items than anybody reads."""
    content = result.get("content")
    if type(content) is list and len(content) > MAX_CONTENT_ITEMS:
        return FrameTooLarge(f"sent one result of over {MAX_CONTENT_ITEMS:,} items")
    return None


def _check_utf8(frame: bytes | bytearray) -> None:
    """In pieces: the text of 16 MB at once would be 64 MB of fresh memory."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    view = memoryview(frame)
    for start in range(0, len(view), _PIECE):
        decoder.decode(view[start : start + _PIECE])
    decoder.decode(b"", final=True)


_PIECE = 1 << 18
_BRACE = ord("{")
