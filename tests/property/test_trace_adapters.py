"""Whatever JSON stands in a trace file, reading it gives runs or one of our own errors."""

from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from toolbooth.errors import ToolboothError
from toolbooth.suite import score_selection
from toolbooth.suite.adapters import ADAPTERS, read_traces, traces_of

WORDS = [
    *(
        "name",
        "server",
        "tool_calls",
        "args",
        "arguments",
        "format",
        "toolbooth-cassette",
        "turns",
        "exchanges",
        "made",
    ),
    *(
        "role",
        "assistant",
        "user",
        "tool",
        "content",
        "type",
        "function",
        "function_call",
        "mcp_call",
        "tool_use",
    ),
    *(
        "mcp_tool_use",
        "tool_result",
        "text",
        "input",
        "output",
        "messages",
        "choices",
        "message",
        "usage",
        "error",
    ),
    *("id", "call_id", "tool_call_id", "tool_use_id", "server_name", "server_label", "input_tokens", "cost"),
    *(
        "resourceSpans",
        "scopeSpans",
        "spans",
        "traceId",
        "spanId",
        "parentSpanId",
        "attributes",
        "key",
        "value",
    ),
    *("stringValue", "kvlistValue", "arrayValue", "values", "startTimeUnixNano", "status", "code", "context"),
    *("gen_ai.operation.name", "execute_tool", "chat", "gen_ai.tool.name", "mcp.method.name", "tools/call"),
    *("gen_ai.output.messages", "parts", "mcp__a__b", "{}", "[", "2026-01-01T00:00:00Z", "12"),
]
words = st.sampled_from(WORDS)
leaves = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5) | words
documents = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(words | st.text(max_size=3), inner, max_size=5)
    ),
    max_leaves=30,
)


def near(*keys: str) -> st.SearchStrategy[dict[str, Any]]:
    """A map that has some of the keys of a shape, with anything below."""
    return st.fixed_dictionaries({}, optional=dict.fromkeys(keys, documents))


messages = near("role", "content", "tool_calls", "type", "name", "arguments").flatmap(
    lambda made: st.sampled_from(["assistant", "user", "tool"]).map(lambda role: {**made, "role": role})
)
blocks = near("name", "input", "id", "content", "tool_use_id", "server_name").flatmap(
    lambda made: st.sampled_from(["tool_use", "tool_result", "mcp_tool_use", "text"]).map(
        lambda kind: {"role": "assistant", "content": [{**made, "type": kind}]}
    )
)
spans = near("spanId", "parentSpanId", "startTimeUnixNano", "status", "context").flatmap(
    lambda made: documents.map(lambda value: {**made, "traceId": "t", "attributes": value})
)
attributes = st.dictionaries(st.sampled_from(WORDS), documents, max_size=4)
called = attributes.map(
    lambda made: {"traceId": "t", "attributes": {**made, "mcp.method.name": "tools/call"}}
)
cassettes = near("turns", "ended", "error").map(lambda made: {**made, "format": "toolbooth-cassette"})
shaped = st.lists(messages, max_size=4) | st.lists(blocks, max_size=4) | st.lists(spans | called, max_size=4)
anything = documents | shaped | cassettes | near("messages", "choices", "output", "usage", "error")


@pytest.mark.parametrize("shape", ["auto", *ADAPTERS])
@given(document=anything)
def test_no_document_brings_anything_but_runs_or_our_errors(shape: str, document: Any) -> None:
    with suppress(ToolboothError):
        traces = traces_of(document, shape, ["a"])
        assert traces
        assert all(call.name for trace in traces for call in trace.calls)
        score_selection({"a": ["b"]}, [trace.observed for trace in traces])
        assert all(trace.total_tokens >= 0 for trace in traces)


@given(data=st.binary(max_size=60) | st.text(max_size=40).map(str.encode))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_bytes_bring_anything_else_either(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "trace"
    path.write_bytes(data)
    with suppress(ToolboothError):
        assert read_traces(path)


calls = st.lists(
    st.fixed_dictionaries(
        {"name": st.text("abc._", min_size=1, max_size=6)},
        optional={"server": st.text("xyz", min_size=1, max_size=3)},
    ),
    max_size=6,
)


@given(runs=st.lists(calls, min_size=1, max_size=4))
def test_our_own_runs_are_read_back_as_they_are(runs: list[list[dict[str, str]]]) -> None:
    for document in (runs, [{"tool_calls": run} for run in runs]):
        if document == [[]]:
            continue
        read = [
            [{"name": call.name, "server": call.server} for call in trace.calls]
            for trace in traces_of(document)
        ]
        assert read == [
            [{"name": each["name"], "server": each.get("server", "")} for each in run] for run in runs
        ]
