"""OpenAI traces: a list of Chat Completions messages or Responses items, or a whole body that has one."""

from collections.abc import Mapping
from typing import Any, Final

from toolbooth import safetext
from toolbooth.suite.adapters import tool_names, trace_builder, trace_file
from toolbooth.suite.trace import Trace, Usage

_ROLES: Final = frozenset({"system", "developer", "user", "assistant", "tool", "function"})
# The provider's built-in tools are named only by the type of their item; they count as choices, too.
_BUILT_IN: Final = {
    f"{name}_call": name
    for name in ("web_search", "file_search", "code_interpreter", "image_generation", "computer", "shell")
}
_OUTPUTS: Final = frozenset(
    {"function_call_output", "custom_tool_call_output", "computer_call_output", "shell_call_output"}
)
_CALLS: Final = frozenset({"function_call", "custom_tool_call", "mcp_call", *_BUILT_IN})
_SILENT: Final = frozenset(
    {
        "reasoning",
        "mcp_list_tools",
        "mcp_approval_request",
        "mcp_approval_response",
        "item_reference",
        "message",
    }
)
_ITEMS: Final = _CALLS | _OUTPUTS | _SILENT


def _is_item(value: object) -> bool:
    item = trace_builder.map_of(value)
    return (
        trace_builder.text_of(item.get("role")) in _ROLES or trace_builder.text_of(item.get("type")) in _ITEMS
    )


def _is_run(value: Any) -> bool:
    if isinstance(value, list):
        return all(_is_item(item) for item in value)
    body = trace_builder.map_of(value)
    if isinstance(trace_builder.map_of(body.get("error")).get("message"), str):
        return True
    lists = [body[key] for key in ("messages", "output") if isinstance(body.get(key), list)]
    choices = [
        trace_builder.map_of(choice).get("message") for choice in trace_builder.list_of(body.get("choices"))
    ]
    return bool(lists or choices) and all(map(_is_run, lists)) and all(map(_is_item, choices))


@trace_file.adapter(
    "openai",
    "OpenAI messages with tool_calls, or Responses items (function_call, mcp_call), or a body",
    _is_run,
)
def read_openai(run: Any, names: tool_names.KnownTools) -> list[Trace]:
    """One trace, or one per choice: several choices are samples of the same prompt."""
    if isinstance(run, list):
        return [_read(run, {}, names)]
    before = [
        *trace_builder.list_of(run.get("messages")),
        *trace_builder.list_of(run.get("input")),
        *trace_builder.list_of(run.get("output")),
    ]
    choices = [
        trace_builder.map_of(choice).get("message") for choice in trace_builder.list_of(run.get("choices"))
    ]
    return [_read([*before, choice], run, names) for choice in choices] or [_read(before, run, names)]


def _read(items: list[Any], body: Mapping[str, Any], names: tool_names.KnownTools) -> Trace:
    builder, prompt = trace_builder.TraceBuilder(), ""
    for each in items:
        item = trace_builder.map_of(each)
        if item.get("role") == "user":
            prompt = prompt or trace_builder.spoken(item.get("content"))
        _take(item, builder, names)
    builder.used(_usage(trace_builder.map_of(body.get("usage"))))
    failed = trace_builder.map_of(body.get("error")).get("message")
    return builder.trace(
        prompt=prompt,
        model=trace_builder.text_of(body.get("model")),
        error=safetext.for_terminal(trace_builder.text_of(failed)),
    )


def _take(item: Mapping[str, Any], builder: trace_builder.TraceBuilder, names: tool_names.KnownTools) -> None:
    kind, role = trace_builder.text_of(item.get("type")), trace_builder.text_of(item.get("role"))
    if kind in _CALLS:
        _item_call(kind, item, builder, names)
    elif kind in _OUTPUTS:
        builder.result(item.get("call_id"), trace_builder.spoken(item.get("output")))
        builder.next_turn()
    elif role == "assistant":
        _assistant(item, builder, names)
    elif role in ("tool", "function"):
        builder.result(item.get("tool_call_id"), trace_builder.spoken(item.get("content")))
        builder.next_turn()
    elif role:
        builder.next_turn()


def _assistant(
    message: Mapping[str, Any], builder: trace_builder.TraceBuilder, names: tool_names.KnownTools
) -> None:
    if message.get("type") != "message":  # several items of a Responses body make one turn
        builder.next_turn()
    builder.say(trace_builder.spoken(message.get("content")))
    legacy = message.get("function_call")
    for entry in [
        *trace_builder.list_of(message.get("tool_calls")),
        *([{"function": legacy}] if legacy else []),
    ]:
        call = trace_builder.map_of(entry)
        inner = trace_builder.map_of(call.get("function") or call.get("custom"))
        made = trace_builder.made_call(inner.get("name"), "", inner.get("arguments"), names)
        builder.use(call.get("id"), trace_builder.text_of(inner.get("name")), made)


def _item_call(
    kind: str, item: Mapping[str, Any], builder: trace_builder.TraceBuilder, names: tool_names.KnownTools
) -> None:
    name = _BUILT_IN.get(kind) or item.get("name")
    made = trace_builder.made_call(name, item.get("server_label"), item.get("arguments"), names)
    failed = item.get("error")
    result = trace_builder.spoken(failed) if failed else trace_builder.spoken(item.get("output"))
    builder.use(item.get("call_id"), trace_builder.text_of(name), made, result, is_error=bool(failed))


def _usage(usage: Mapping[str, Any]) -> Usage:
    def first(*keys: str) -> int:
        return next((trace_builder.count_of(usage[key]) for key in keys if key in usage), 0)

    details = trace_builder.map_of(usage.get("prompt_tokens_details") or usage.get("input_tokens_details"))
    return Usage(
        first("prompt_tokens", "input_tokens"),
        first("completion_tokens", "output_tokens"),
        trace_builder.count_of(details.get("cached_tokens")),
    )
