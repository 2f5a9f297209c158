"""A span as an exporter wrote it (OTLP JSON, or a console exporter's dictionary) → one shape."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from toolbooth.limits import MAX_JSON_DEPTH
from toolbooth.suite.adapters.lenient import list_of, map_of, text_of

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_TRACE: Final = ("traceId", "trace_id")
_SPAN: Final = ("spanId", "span_id", "id")
_PARENT: Final = ("parentSpanId", "parent_span_id", "parentId", "parent_id")
_START: Final = ("startTimeUnixNano", "start_time_unix_nano", "startTime", "start_time", "timestamp")
_VALUES: Final = ("stringValue", "intValue", "boolValue", "doubleValue")
_ERRORS: Final = frozenset({"2", "STATUS_CODE_ERROR", "ERROR"})


@dataclass(frozen=True)
class Span:
    """What scoring needs of it."""

    trace: str
    id: str
    parent: str
    start: float
    attributes: Mapping[str, Any] = field(hash=False)
    failed: bool = False


def is_span(value: object) -> bool:
    """Whether it names its trace and has attributes or a time."""
    span = map_of(value)
    return bool(_trace_id(span)) and ("attributes" in span or any(key in span for key in _START))


def read_span(value: object) -> Span:
    """One span; unknown keys are let go."""
    span = map_of(value)
    context = map_of(span.get("context"))
    status = map_of(span.get("status"))
    code = status.get("code", status.get("status_code"))
    return Span(
        _trace_id(span),
        _first(span, _SPAN) or _first(context, _SPAN),
        _first(span, _PARENT),
        next((_moment(span[key]) for key in _START if key in span), 0.0),
        _attributes(span.get("attributes")),
        str(code).removeprefix("StatusCode.") in _ERRORS,
    )


def spans_in(document: Any) -> Iterator[Any]:
    """The spans of an OTLP export, of a list of spans, or of a list of exports."""
    for part in document if isinstance(document, list) else [document]:
        exported = map_of(part).get("resourceSpans", map_of(part).get("resource_spans"))
        if exported is None:
            yield part
            continue
        for resource in map(map_of, list_of(exported)):
            for scope in map(map_of, list_of(resource.get("scopeSpans", resource.get("scope_spans")))):
                yield from list_of(scope.get("spans"))


def _trace_id(span: Mapping[str, Any]) -> str:
    return _first(span, _TRACE) or _first(map_of(span.get("context")), _TRACE)


def _first(span: Mapping[str, Any], keys: tuple[str, ...]) -> str:
    return next((text for key in keys if (text := text_of(span.get(key)))), "")


def _moment(value: object) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    text = text_of(value)
    if text.isascii() and text.isdigit() and len(text) < 30:
        return int(text)
    try:
        read = datetime.fromisoformat(text)
        return ((read if read.tzinfo else read.replace(tzinfo=UTC)) - _EPOCH).total_seconds()
    except (ValueError, OverflowError):
        return 0.0


def _attributes(value: object) -> Mapping[str, Any]:
    if isinstance(value, Mapping):
        return value
    pairs = (map_of(pair) for pair in list_of(value))
    return {text_of(pair.get("key")): _plain(pair.get("value")) for pair in pairs}


def _plain(value: object, level: int = 0) -> Any:
    wrapped = map_of(value)
    if level < MAX_JSON_DEPTH and isinstance(wrapped.get("arrayValue"), Mapping):
        return [_plain(item, level + 1) for item in list_of(wrapped["arrayValue"].get("values"))]
    if level < MAX_JSON_DEPTH and isinstance(wrapped.get("kvlistValue"), Mapping):
        pairs = (map_of(pair) for pair in list_of(wrapped["kvlistValue"].get("values")))
        return {text_of(pair.get("key")): _plain(pair.get("value"), level + 1) for pair in pairs}
    return next((wrapped[key] for key in _VALUES if key in wrapped), None)
