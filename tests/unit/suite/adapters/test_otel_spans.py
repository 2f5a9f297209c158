"""OpenTelemetry spans: one run a trace, in order, each call once."""

import json
from pathlib import Path
from typing import Any

import pytest

from toolbooth.errors import UserMistake
from toolbooth.suite.adapters import read_traces, traces_of

TRACES = Path(__file__).parents[3] / "data" / "traces"


def span(id_: str, start: int = 0, parent: str = "", trace: str = "t", **attributes: Any) -> dict[str, Any]:
    named = {key.replace("__", "."): value for key, value in attributes.items()}
    return {
        "traceId": trace,
        "spanId": id_,
        "parentSpanId": parent,
        "startTimeUnixNano": start,
        "attributes": named,
    }


def tool(id_: str, name: str, start: int = 0, parent: str = "", **more: Any) -> dict[str, Any]:
    attributes = {"gen_ai__operation__name": "execute_tool", "gen_ai__tool__name": name}
    return span(id_, start, parent, **attributes, **more)


def ids(spans: Any) -> list[list[str]]:
    return [[call.id for call in trace.calls] for trace in traces_of(spans)]


def test_otlp_keeps_order_arguments_tokens_and_text() -> None:
    (trace,) = read_traces(TRACES / "otel_otlp.json")
    assert [call.id for call in trace.calls] == ["brave.web_search", "http.get"]
    assert trace.calls[0].arguments == {"q": "mcp"}
    assert [len(turn.exchanges) for turn in trace.turns] == [1, 1]
    assert (trace.input_tokens, trace.total_tokens, trace.model) == (1000, 1050, "gpt-test")
    assert trace.final_response == "Here it is."


def test_lines_of_a_console_exporter_are_grouped_and_ordered() -> None:
    first, second = read_traces(TRACES / "otel_spans.jsonl")
    assert [call.id for call in first.calls] == ["brave.web_search", "http.get"]
    assert [call.id for call in second.calls] == ["shell.exec"]
    assert second.turns[0].exchanges[0].is_error


def test_a_call_that_agent_client_and_server_all_tell_of_counts_once() -> None:
    client = span("c", 1, "a", mcp__method__name="tools/call", gen_ai__tool__name="search")
    server = span("s", 2, "c", mcp__method__name="tools/call", mcp__tool__name="search")
    assert ids([tool("a", "search"), client, server]) == [["search"]]
    assert ids([tool("a", "brave_search"), client, server]) == [["brave_search"]]
    assert ids([client, server]) == [["search"]]


def test_a_tool_that_calls_other_tools_counts_with_them() -> None:
    assert ids([tool("a", "researcher"), tool("b", "search", 1, "a"), tool("c", "search", 2, "a")]) == [
        ["researcher", "search", "search"]
    ]


def test_spans_that_are_their_own_ancestors_end() -> None:
    assert ids([tool("a", "x", 0, "b"), tool("b", "y", 1, "a")]) == [["x", "y"]]


def test_what_a_model_picked_counts_where_no_call_is_reported() -> None:
    parts = [{"type": "tool_call", "id": "1", "name": "mcp__brave__search", "arguments": {"q": "x"}}]
    said = json.dumps([{"role": "assistant", "parts": parts}])
    chat = span("c", gen_ai__operation__name="chat", gen_ai__output__messages=said)
    assert ids([chat]) == [["brave.search"]]
    assert ids([chat, tool("a", "other", 1)]) == [["other"]]


def test_nested_values_of_otlp_are_read() -> None:
    words = {"key": "q", "value": {"arrayValue": {"values": [{"stringValue": "mcp"}, {"boolValue": True}]}}}
    attributes = [
        {"key": "gen_ai.operation.name", "value": {"stringValue": "execute_tool"}},
        {"key": "gen_ai.tool.name", "value": {"stringValue": "search"}},
        {"key": "gen_ai.tool.call.arguments", "value": {"kvlistValue": {"values": [words]}}},
    ]
    (trace,) = traces_of([{"traceId": "t", "spanId": "a", "attributes": attributes}])
    assert trace.calls[0].arguments == {"q": ["mcp", True]}


def test_an_agent_that_called_nothing_is_a_run_and_a_handshake_is_none() -> None:
    agent = span("a", gen_ai__operation__name="invoke_agent")
    hello = span("h", trace="other", mcp__method__name="initialize")
    assert ids([agent, hello]) == [[]]
    with pytest.raises(UserMistake, match="no run"):
        traces_of([hello])


@pytest.mark.parametrize(
    "status", [{"code": 2}, {"code": "STATUS_CODE_ERROR"}, {"status_code": "StatusCode.ERROR"}]
)
def test_an_agent_that_failed_is_a_run_that_errored(status: dict[str, Any]) -> None:
    agent = span("a", gen_ai__operation__name="invoke_agent") | {"status": status}
    (trace,) = traces_of([agent, tool("b", "x", 1, "a")])
    assert trace.failed
    assert trace.observed == []


def test_exports_a_line_are_one_document(tmp_path: Path) -> None:
    lines = tmp_path / "spans.jsonl"
    exports = [{"resourceSpans": [{"scopeSpans": [{"spans": [tool("a", name)]}]}]} for name in ("x", "y")]
    lines.write_text("\n".join(map(json.dumps, exports)))
    assert [[call.id for call in trace.calls] for trace in read_traces(lines)] == [["x", "y"]]


@pytest.mark.parametrize(
    "moment", ["", "soon", "9" * 5000, "0001-01-01T00:00:00+14:00", None, {}, -1, "2026-01-01"]
)
def test_a_time_that_is_none_is_let_go(moment: Any) -> None:
    assert ids([{**tool("a", "x"), "startTimeUnixNano": moment}]) == [["x"]]
