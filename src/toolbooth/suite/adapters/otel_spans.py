"""OpenTelemetry: GenAI and MCP spans, as OTLP JSON or as a list of spans; each trace id is one run."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from toolbooth.suite.adapters.conversation import Conversation
from toolbooth.suite.adapters.lenient import count_of, list_of, made_call, map_of, spoken, structured, text_of
from toolbooth.suite.adapters.otel_span import Span, is_span, read_span, spans_in
from toolbooth.suite.adapters.registry import adapter
from toolbooth.suite.adapters.tool_names import ToolNames
from toolbooth.suite.trace import Trace, Usage

_CHATS: Final = frozenset({"chat", "generate_content", "text_completion"})
_AGENTS: Final = frozenset({"invoke_agent", "invoke_workflow"})
_TOOL_KEYS: Final = ("gen_ai.tool.name", "mcp.tool.name")
_JOINTS: Final = ("__", ".", "/", "_", "-", ":")


def _is_run(value: Any) -> bool:
    if isinstance(value, list):
        return bool(value) and all(is_span(item) or _is_export(item) for item in value)
    return _is_export(value)


def _is_export(value: object) -> bool:
    return any(isinstance(map_of(value).get(key), list) for key in ("resourceSpans", "resource_spans"))


@adapter(
    "otel", "OpenTelemetry spans with gen_ai.* or mcp.* attributes (OTLP JSON or a list of spans)", _is_run
)
def read_otel(document: Any, names: ToolNames) -> list[Trace]:
    """Traces in which no agent and no tool is at work (a health check, a handshake) are no runs."""
    by_trace: dict[str, list[Span]] = {}
    for each in spans_in(document):
        span = read_span(each)
        by_trace.setdefault(span.trace, []).append(span)
    told = (sorted(spans, key=lambda span: span.start) for spans in by_trace.values())
    return [_run(spans, names) for spans in told if any(map(_counts, spans))]


def _operation(span: Span) -> str:
    return text_of(span.attributes.get("gen_ai.operation.name"))


def _is_tool(span: Span) -> bool:
    called = span.attributes.get("mcp.method.name") == "tools/call"
    return called or _operation(span) == "execute_tool"


def _counts(span: Span) -> bool:
    return _is_tool(span) or _operation(span) in _CHATS | _AGENTS


def _tool(span: Span) -> str:
    return next((name for key in _TOOL_KEYS if (name := text_of(span.attributes.get(key)))), "")


def _run(spans: Sequence[Span], names: ToolNames) -> Trace:
    talk = Conversation()
    known = {span.id: span for span in spans if span.id}
    tools = [span for span in spans if _is_tool(span) and not _inside_same(span, known)]
    shown = {id(span) for span in tools}
    for span in spans:
        if _operation(span) in _CHATS:
            talk.next_turn()
            _chat(span, talk, names, picks=not tools)
        elif id(span) in shown:
            _call(span, talk, names)
    failed = any(span.failed and _operation(span) in _AGENTS for span in spans)
    model = next(
        (text for span in spans if (text := text_of(span.attributes.get("gen_ai.request.model")))), ""
    )
    return talk.trace(model=model, error="the agent's span ended in an error" if failed else "")


def _inside_same(span: Span, known: Mapping[str, Span]) -> bool:
    """An agent, the client and the server may each write a span of the same call, one inside the other."""
    name, seen = _tool(span), {span.id}
    above = known.get(span.parent)
    while above is not None and above.id not in seen:
        seen.add(above.id)
        outer = _tool(above)
        if _is_tool(above) and (outer == name or outer.endswith(tuple(joint + name for joint in _JOINTS))):
            return True
        above = known.get(above.parent)
    return False


def _call(span: Span, talk: Conversation, names: ToolNames) -> None:
    told = span.attributes
    made = made_call(_tool(span), told.get("mcp.server.name"), told.get("gen_ai.tool.call.arguments"), names)
    result = told.get("gen_ai.tool.call.result")
    talk.use(span.id, _tool(span), made, text_of(result), is_error=span.failed or "error.type" in told)


def _chat(span: Span, talk: Conversation, names: ToolNames, *, picks: bool) -> None:
    """What the model said; what it picked counts only where no span tells of a call that was made."""
    for message in map(map_of, list_of(structured(span.attributes.get("gen_ai.output.messages")))):
        parts = [map_of(part) for part in list_of(message.get("parts"))]
        talk.say(spoken([part for part in parts if part.get("type") == "text"]))
        for part in parts if picks else ():
            if part.get("type") == "tool_call":
                name = part.get("name")
                talk.use(part.get("id"), text_of(name), made_call(name, "", part.get("arguments"), names))
    talk.used(
        Usage(
            count_of(span.attributes.get("gen_ai.usage.input_tokens")),
            count_of(span.attributes.get("gen_ai.usage.output_tokens")),
            count_of(span.attributes.get("gen_ai.usage.cache_read.input_tokens")),
            count_of(span.attributes.get("gen_ai.usage.cache_creation.input_tokens")),
        )
    )
