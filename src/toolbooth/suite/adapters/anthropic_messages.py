"""Anthropic traces: a list of messages with `tool_use` or `mcp_tool_use` blocks, or a request body that has one."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from toolbooth import safetext
from toolbooth.suite.adapters import tool_names, trace_builder, trace_file
from toolbooth.suite.trace import Trace, Usage

_ROLES: Final = frozenset({"user", "assistant", "system"})
# Tools that the provider runs itself count as choices, too.
_USES: Final = frozenset({"tool_use", "mcp_tool_use", "server_tool_use"})
_DISTINCTIVE: Final = _USES | {"tool_result", "mcp_tool_result", "thinking", "redacted_thinking"}


def _is_message(value: object) -> bool:
    message = trace_builder.map_of(value)
    content = message.get("content")
    return message.get("role") in _ROLES and isinstance(content, str | list) and "tool_calls" not in message


def _is_run(value: Any) -> bool:
    if isinstance(value, list):
        return all(map(_is_message, value))
    body = trace_builder.map_of(value)
    if body.get("type") == "error":
        return isinstance(body.get("error"), Mapping)
    messages = body.get("messages")
    if "choices" in body or not (messages is None or isinstance(messages, list)):
        return False
    return (messages is not None or _is_message(body)) and all(
        map(_is_message, trace_builder.list_of(messages))
    )


def _is_sure(run: Any) -> bool:
    """A conversation without tool calls looks the same for every provider, so it is not a sure sign."""
    if isinstance(run, Mapping) and (run.get("type") in ("message", "error") or "stop_reason" in run):
        return True
    blocks = (block for message in _messages(run) for block in _blocks(message))
    return any(trace_builder.text_of(block.get("type")) in _DISTINCTIVE for block in blocks)


@trace_file.adapter(
    "anthropic", "Anthropic messages with tool_use or mcp_tool_use blocks, or a body", _is_run, _is_sure
)
def read_anthropic(run: Any, names: tool_names.KnownTools) -> list[Trace]:
    """Reads the messages of a request, then the content of a response."""
    builder, prompt = trace_builder.TraceBuilder(), ""
    for message in _messages(run):
        builder.next_turn()
        if message.get("role") == "user":
            prompt = prompt or trace_builder.spoken(message.get("content"))
        for block in _blocks(message):
            _take(trace_builder.text_of(message.get("role")), block, builder, names)
        builder.used(_usage(trace_builder.map_of(message.get("usage"))))
    body = trace_builder.map_of(run)
    failed = trace_builder.text_of(trace_builder.map_of(body.get("error")).get("message"))
    error = safetext.for_terminal(failed) or "the provider failed" if body.get("type") == "error" else ""
    return [builder.trace(prompt=prompt, model=trace_builder.text_of(body.get("model")), error=error)]


def _messages(run: Any) -> Iterator[Mapping[str, Any]]:
    body = trace_builder.map_of(run)
    yield from map(
        trace_builder.map_of, run if isinstance(run, list) else trace_builder.list_of(body.get("messages"))
    )
    if "content" in body:
        yield {"role": "assistant", **body}


def _blocks(message: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    content = message.get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [trace_builder.map_of(block) for block in trace_builder.list_of(content)]


def _take(
    role: str, block: Mapping[str, Any], builder: trace_builder.TraceBuilder, names: tool_names.KnownTools
) -> None:
    kind = trace_builder.text_of(block.get("type"))
    if kind in _USES:
        made = trace_builder.made_call(block.get("name"), block.get("server_name"), block.get("input"), names)
        builder.use(block.get("id"), trace_builder.text_of(block.get("name")), made)
    elif kind.endswith("tool_result"):
        result = trace_builder.spoken(block.get("content"))
        builder.result(block.get("tool_use_id"), result, is_error=block.get("is_error") is True)
    elif kind == "text" and role == "assistant":
        builder.say(trace_builder.text_of(block.get("text")))


def _usage(usage: Mapping[str, Any]) -> Usage:
    """Anthropic counts cached tokens apart from the input; our input is everything that was sent."""
    read = trace_builder.count_of(usage.get("cache_read_input_tokens"))
    written = trace_builder.count_of(usage.get("cache_creation_input_tokens"))
    fresh = trace_builder.count_of(usage.get("input_tokens"))
    return Usage(fresh + read + written, trace_builder.count_of(usage.get("output_tokens")), read, written)
