"""OpenTelemetry traces: GenAI and MCP spans, as OTLP JSON or as a list of spans. Each trace id is one run."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from toolbooth import limits
from toolbooth.suite.adapters import tool_names, trace_builder, trace_file
from toolbooth.suite.trace import Trace, Usage

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_TRACE: Final = ("traceId", "trace_id")
_SPAN: Final = ("spanId", "span_id", "id")
_PARENT: Final = ("parentSpanId", "parent_span_id", "parentId", "parent_id")
_START: Final = ("startTimeUnixNano", "start_time_unix_nano", "startTime", "start_time", "timestamp")
_VALUES: Final = ("stringValue", "intValue", "boolValue", "doubleValue")
_ERRORS: Final = frozenset({"2", "STATUS_CODE_ERROR", "ERROR"})


@dataclass(frozen=True)
class OtelSpan:
    """The parts of a span that scoring needs."""

    trace: str
    id: str
    parent: str
    start: float
    attributes: Mapping[str, Any] = field(hash=False)
    failed: bool = False


def is_span(value: object) -> bool:
    """Whether the value has a trace id, and attributes or a start time."""
    span = trace_builder.map_of(value)
    return bool(_trace_id(span)) and ("attributes" in span or any(key in span for key in _START))


def read_span(value: object) -> OtelSpan:
    """One span; unknown keys are ignored."""
    span = trace_builder.map_of(value)
    context = trace_builder.map_of(span.get("context"))
    status = trace_builder.map_of(span.get("status"))
    code = status.get("code", status.get("status_code"))
    return OtelSpan(
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
        exported = trace_builder.map_of(part).get(
            "resourceSpans", trace_builder.map_of(part).get("resource_spans")
        )
        if exported is None:
            yield part
            continue
        for resource in map(trace_builder.map_of, trace_builder.list_of(exported)):
            for scope in map(
                trace_builder.map_of,
                trace_builder.list_of(resource.get("scopeSpans", resource.get("scope_spans"))),
            ):
                yield from trace_builder.list_of(scope.get("spans"))


def _trace_id(span: Mapping[str, Any]) -> str:
    return _first(span, _TRACE) or _first(trace_builder.map_of(span.get("context")), _TRACE)


def _first(span: Mapping[str, Any], keys: tuple[str, ...]) -> str:
    return next((text for key in keys if (text := trace_builder.text_of(span.get(key)))), "")


def _moment(value: object) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    text = trace_builder.text_of(value)
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
    pairs = (trace_builder.map_of(pair) for pair in trace_builder.list_of(value))
    return {trace_builder.text_of(pair.get("key")): _plain(pair.get("value")) for pair in pairs}


def _plain(value: object, level: int = 0) -> Any:
    wrapped = trace_builder.map_of(value)
    if level < limits.MAX_JSON_DEPTH and isinstance(wrapped.get("arrayValue"), Mapping):
        return [
            _plain(item, level + 1) for item in trace_builder.list_of(wrapped["arrayValue"].get("values"))
        ]
    if level < limits.MAX_JSON_DEPTH and isinstance(wrapped.get("kvlistValue"), Mapping):
        pairs = (
            trace_builder.map_of(pair) for pair in trace_builder.list_of(wrapped["kvlistValue"].get("values"))
        )
        return {
            trace_builder.text_of(pair.get("key")): _plain(pair.get("value"), level + 1) for pair in pairs
        }
    return next((wrapped[key] for key in _VALUES if key in wrapped), None)


_CHATS: Final = frozenset({"chat", "generate_content", "text_completion"})
_AGENTS: Final = frozenset({"invoke_agent", "invoke_workflow"})
_TOOL_KEYS: Final = ("gen_ai.tool.name", "mcp.tool.name")
_JOINTS: Final = ("__", ".", "/", "_", "-", ":")


def _is_run(value: Any) -> bool:
    if isinstance(value, list):
        return bool(value) and all(is_span(item) or _is_export(item) for item in value)
    return _is_export(value)


def _is_export(value: object) -> bool:
    return any(
        isinstance(trace_builder.map_of(value).get(key), list) for key in ("resourceSpans", "resource_spans")
    )


@trace_file.adapter(
    "otel", "OpenTelemetry spans with gen_ai.* or mcp.* attributes (OTLP JSON or a list of spans)", _is_run
)
def read_otel(document: Any, names: tool_names.KnownTools) -> list[Trace]:
    """A trace without an agent or a tool call, such as a health check or a handshake, is not a run."""
    by_trace: dict[str, list[OtelSpan]] = {}
    for each in spans_in(document):
        span = read_span(each)
        by_trace.setdefault(span.trace, []).append(span)
    ordered = (sorted(spans, key=lambda span: span.start) for spans in by_trace.values())
    return [_run(spans, names) for spans in ordered if any(map(_counts, spans))]


def _operation(span: OtelSpan) -> str:
    return trace_builder.text_of(span.attributes.get("gen_ai.operation.name"))


def _is_tool(span: OtelSpan) -> bool:
    called = span.attributes.get("mcp.method.name") == "tools/call"
    return called or _operation(span) == "execute_tool"


def _counts(span: OtelSpan) -> bool:
    return _is_tool(span) or _operation(span) in _CHATS | _AGENTS


def _tool(span: OtelSpan) -> str:
    return next((name for key in _TOOL_KEYS if (name := trace_builder.text_of(span.attributes.get(key)))), "")


def _run(spans: Sequence[OtelSpan], names: tool_names.KnownTools) -> Trace:
    builder = trace_builder.TraceBuilder()
    known = {span.id: span for span in spans if span.id}
    tools = [span for span in spans if _is_tool(span) and not _inside_same(span, known)]
    shown = {id(span) for span in tools}
    for span in spans:
        if _operation(span) in _CHATS:
            builder.next_turn()
            _chat(span, builder, names, picks=not tools)
        elif id(span) in shown:
            _call(span, builder, names)
    failed = any(span.failed and _operation(span) in _AGENTS for span in spans)
    model = next(
        (
            text
            for span in spans
            if (text := trace_builder.text_of(span.attributes.get("gen_ai.request.model")))
        ),
        "",
    )
    return builder.trace(model=model, error="the agent's span ended in an error" if failed else "")


def _inside_same(span: OtelSpan, known: Mapping[str, OtelSpan]) -> bool:
    """The agent, the client and the server may each write a span for the same call, one inside the other."""
    name, seen = _tool(span), {span.id}
    above = known.get(span.parent)
    while above is not None and above.id not in seen:
        seen.add(above.id)
        outer = _tool(above)
        if _is_tool(above) and (outer == name or outer.endswith(tuple(joint + name for joint in _JOINTS))):
            return True
        above = known.get(above.parent)
    return False


def _call(span: OtelSpan, builder: trace_builder.TraceBuilder, names: tool_names.KnownTools) -> None:
    found = span.attributes
    made = trace_builder.made_call(
        _tool(span), found.get("mcp.server.name"), found.get("gen_ai.tool.call.arguments"), names
    )
    result = found.get("gen_ai.tool.call.result")
    builder.use(
        span.id,
        _tool(span),
        made,
        trace_builder.text_of(result),
        is_error=span.failed or "error.type" in found,
    )


def _chat(
    span: OtelSpan, builder: trace_builder.TraceBuilder, names: tool_names.KnownTools, *, picks: bool
) -> None:
    """The text of the model. The calls it asked for count only where no span records a call."""
    for message in map(
        trace_builder.map_of,
        trace_builder.list_of(trace_builder.structured(span.attributes.get("gen_ai.output.messages"))),
    ):
        parts = [trace_builder.map_of(part) for part in trace_builder.list_of(message.get("parts"))]
        builder.say(trace_builder.spoken([part for part in parts if part.get("type") == "text"]))
        for part in parts if picks else ():
            if part.get("type") == "tool_call":
                name = part.get("name")
                builder.use(
                    part.get("id"),
                    trace_builder.text_of(name),
                    trace_builder.made_call(name, "", part.get("arguments"), names),
                )
    builder.used(
        Usage(
            trace_builder.count_of(span.attributes.get("gen_ai.usage.input_tokens")),
            trace_builder.count_of(span.attributes.get("gen_ai.usage.output_tokens")),
            trace_builder.count_of(span.attributes.get("gen_ai.usage.cache_read.input_tokens")),
            trace_builder.count_of(span.attributes.get("gen_ai.usage.cache_creation.input_tokens")),
        )
    )
