"""The recorded examples of every shape, and the odd ones that tools also write."""

import json
from pathlib import Path
from typing import Any

import pytest

from toolbooth.errors import ConfigError, UserMistake
from toolbooth.suite.adapters import ADAPTERS, read_traces, traces_of
from toolbooth.suite.trace import Trace, Usage

TRACES = Path(__file__).parents[3] / "data" / "traces"
FIRST = ["brave.web_search", "http.get"]


def ids(document: Any, shape: str = "auto", servers: tuple[str, ...] = ()) -> list[list[str]]:
    return [[call.id for call in trace.calls] for trace in traces_of(document, shape, servers)]


def recorded(name: str, *servers: str) -> list[Trace]:
    return read_traces(TRACES / name, servers=servers)


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        ("toolbooth.json", "toolbooth"),
        ("cassette.json", "toolbooth"),
        ("openai_chat.json", "openai"),
        ("openai_body.json", "openai"),
        ("openai_responses.json", "openai"),
        ("anthropic.json", "anthropic"),
        ("anthropic_response.json", "anthropic"),
        ("otel_otlp.json", "otel"),
    ],
)
def test_each_recorded_shape_is_recognised_and_read(name: str, shape: str) -> None:
    document = json.loads((TRACES / name).read_text(encoding="utf-8"))
    assert ids(document, servers=("brave", "http")) == [FIRST]
    assert traces_of(document, servers=("brave", "http")) == traces_of(document, shape, ("brave", "http"))
    for other in set(ADAPTERS) - {shape, "openai", "anthropic"}:
        with pytest.raises(UserMistake, match=f"this is not a trace in the format {other}"):
            traces_of(document, other)


def test_a_list_of_runs_gives_one_trace_each() -> None:
    assert [len(trace.calls) for trace in recorded("toolbooth_runs.json")] == [2, 2]
    chat = json.loads((TRACES / "openai_chat.json").read_text(encoding="utf-8"))
    assert ids([chat, [], chat[:2]], servers=("brave", "http")) == [FIRST, [], []]
    blocks = json.loads((TRACES / "anthropic.json").read_text(encoding="utf-8"))
    assert ids([blocks[:1], {"messages": blocks}]) == [[], FIRST]
    assert ids([[{"name": "get", "server": "http"}], []]) == [["http.get"], []]


def test_json_lines_hold_a_run_a_line(tmp_path: Path) -> None:
    lines = tmp_path / "runs.jsonl"
    lines.write_bytes(b'\xef\xbb\xbf{"tool_calls": [{"name": "a"}]}\r\n\r\n{"tool_calls": []}\n')
    assert [len(trace.calls) for trace in read_traces(lines)] == [1, 0]


def test_json_lines_may_hold_the_messages_of_one_run(tmp_path: Path) -> None:
    chat = json.loads((TRACES / "openai_chat.json").read_text(encoding="utf-8"))
    lines = tmp_path / "chat.jsonl"
    lines.write_text("\n".join(map(json.dumps, chat)))
    assert read_traces(lines, servers=["brave", "http"]) == recorded("openai_chat.json", "brave", "http")


def test_arguments_results_tokens_and_the_last_words_are_kept() -> None:
    (chat,) = recorded("openai_chat.json", "brave", "http")
    assert [call.arguments for call in chat.calls] == [{"q": "mcp"}, {"url": "https://example.org"}]
    assert [each.result for turn in chat.turns for each in turn.exchanges] == ["one hit", "a page"]
    assert (chat.prompt, chat.final_response, len(chat.turns)) == ("find the page", "Here it is.", 3)
    (body,) = recorded("openai_body.json")
    assert body.turns[-1].usage == Usage(500, 40, 100)
    (response,) = recorded("openai_responses.json")
    assert response.turns[-1].usage == Usage(700, 60)
    assert (len(response.turns), response.final_response, response.model) == (1, "Here it is.", "gpt-test")
    (blocks,) = recorded("anthropic.json")
    assert [each.is_error for turn in blocks.turns for each in turn.exchanges] == [False, True]
    assert (blocks.turns[0].text, blocks.final_response, blocks.prompt) == (
        "I look.",
        "Here it is.",
        "find the page",
    )
    (answer,) = recorded("anthropic_response.json")
    assert answer.turns[0].usage == Usage(550, 80, 200, 50)
    assert len(answer.turns) == 1


def test_a_cassette_gives_the_calls_behind_the_surface() -> None:
    (trace,) = recorded("cassette.json")
    assert [call.id for call in trace.calls] == FIRST
    assert [each.tool for turn in trace.turns for each in turn.exchanges] == [
        "call_tool",
        "search_tools",
        "call_tool",
    ]
    assert (trace.input_tokens, trace.cost, trace.final_response) == (3300, 0.0025, "Here it is.")


def test_a_cassette_of_a_run_that_errored_counts_as_empty() -> None:
    turns = [{"exchanges": [{"tool": "a", "made": [{"name": "a"}]}]}]
    (trace,) = traces_of({"format": "toolbooth-cassette", "turns": turns, "ended": "error", "error": "gone"})
    assert (trace.failed, trace.observed, trace.error) == (True, [], "gone")


def test_choices_are_samples_and_each_is_a_run() -> None:
    def choice(name: str) -> dict[str, Any]:
        return {
            "message": {"role": "assistant", "tool_calls": [{"function": {"name": name, "arguments": ""}}]}
        }

    assert ids({"choices": [choice("a"), choice("b")]}) == [["a"], ["b"]]


def test_older_and_provider_run_calls_are_seen() -> None:
    legacy = [
        {"role": "assistant", "content": None, "function_call": {"name": "a", "arguments": "{not json"}}
    ]
    assert ids(legacy) == [["a"]]
    custom = {
        "role": "assistant",
        "tool_calls": [{"id": "1", "type": "custom", "custom": {"name": "b", "input": "x"}}],
    }
    assert ids([custom]) == [["b"]]
    items = [{"type": "web_search_call", "id": "1"}, {"type": "custom_tool_call", "name": "c", "input": "x"}]
    assert ids(items) == [["web_search", "c"]]
    assert ids(
        [{"role": "assistant", "content": [{"type": "server_tool_use", "name": "d", "input": {}}]}]
    ) == [["d"]]


def test_items_after_a_result_are_a_new_turn() -> None:
    items = [
        {"type": "function_call", "call_id": "1", "name": "a", "arguments": "{}"},
        {"type": "function_call", "call_id": "2", "name": "b", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "1", "output": "x"},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "end"}]},
    ]
    (trace,) = traces_of(items)
    assert [len(turn.exchanges) for turn in trace.turns] == [2, 0]
    assert trace.turns[0].exchanges[0].result == "x"


@pytest.mark.parametrize(
    "body",
    [
        {"error": {"message": "over quota", "type": "rate_limit"}},
        {"type": "error", "error": {"type": "overloaded_error", "message": "over quota"}},
        {"object": "response", "status": "failed", "output": [], "error": {"message": "over quota"}},
    ],
)
def test_an_error_of_the_provider_is_a_run_that_errored(body: dict[str, Any]) -> None:
    (trace,) = traces_of(body)
    assert (trace.failed, trace.error) == (True, "over quota")


@pytest.mark.parametrize(
    "document", [None, 7, "text", {}, {"a": 1}, [1], [[1]], {"tool_calls": 3}, {"messages": "x"}]
)
def test_an_unknown_shape_is_a_mistake_that_names_the_known_ones(document: Any) -> None:
    with pytest.raises(UserMistake) as caught:
        traces_of(document)
    for name in ("toolbooth", "openai", "anthropic", "otel"):
        assert f"{name}: " in str(caught.value)


def test_an_unknown_adapter_is_a_mistake() -> None:
    with pytest.raises(UserMistake, match="choose one of auto, toolbooth, otel, anthropic, openai"):
        traces_of({"tool_calls": []}, "langsmith")


@pytest.mark.parametrize(
    "document",
    [
        {"tool_calls": [{"server": "a"}]},
        {"tool_calls": ["a"]},
        [{"role": "assistant", "tool_calls": [{"function": {"arguments": "{}"}}]}],
        [{"role": "assistant", "content": [{"type": "tool_use", "input": {}}]}],
        [{"traceId": "1", "attributes": {"gen_ai.operation.name": "execute_tool"}}],
    ],
)
def test_a_call_without_a_name_is_refused_and_not_left_out(document: Any) -> None:
    with pytest.raises(UserMistake, match="no name"):
        traces_of(document)


@pytest.mark.parametrize("document", [[], [{"traceId": "1", "attributes": {"http.method": "GET"}}]])
def test_a_file_without_a_run_is_a_mistake(document: Any) -> None:
    with pytest.raises(UserMistake, match="contains no run"):
        traces_of(document)


@pytest.mark.parametrize(
    ("data", "line", "says"),
    [
        (b"", None, "empty"),
        (b"{", None, "broken JSON"),
        (b"not json\nat all", None, "broken JSON"),
        (b'{"tool_calls": []}\n{"tool_calls": [\n', 2, "broken JSON in this line"),
        (b'{"x": NaN}', None, "broken JSON"),
        (b"[" * 5000, None, "broken JSON"),
        (b'{"tool_calls": [{"server": 1}]}', None, "no name"),
    ],
)
def test_a_broken_file_is_reported_with_its_path(
    tmp_path: Path, data: bytes, line: int | None, says: str
) -> None:
    path = tmp_path / "trace.json"
    path.write_bytes(data)
    with pytest.raises(ConfigError, match=says) as caught:
        read_traces(path)
    assert (caught.value.path, caught.value.line) == (path, line)


def test_a_missing_file_a_folder_and_a_large_file_are_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path, says in ((tmp_path / "none.json", "no such file"), (tmp_path, "directory")):
        with pytest.raises(ConfigError, match=says):
            read_traces(path)
    monkeypatch.setattr("toolbooth.limits.MAX_TRACE_BYTES", 1024)
    (tmp_path / "large.json").write_bytes(b" " * 1025)
    with pytest.raises(ConfigError, match="larger than 1 KiB"):
        read_traces(tmp_path / "large.json")
