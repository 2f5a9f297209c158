"""Recorded calls are told by their shape, and go to the tools that gave them."""

from typing import Any

import pytest

from toolbooth.catalog import Catalog, ServerTools, Tool
from toolbooth.economics import DEFAULT_THRESHOLDS, RecordedAnswer, assign, recorded_answers, seen_of

SAID: dict[str, Any] = {"content": [{"type": "text", "text": '[{"id": 1}]'}]}


def catalog(**servers: str) -> Catalog:
    return Catalog(
        tuple(
            ServerTools(name, tuple(Tool(name, tool) for tool in tools.split()))
            for name, tools in servers.items()
        )
    )


def test_one_record_and_a_list_of_them_are_read_and_errors_are_left_out() -> None:
    record = {"server": "files", "tool": "read", "arguments": {}, "result": SAID}
    failed = {**record, "result": {**SAID, "isError": True}}
    assert recorded_answers(record) == [RecordedAnswer("files", "read", SAID)]
    assert recorded_answers([record, failed]) == [RecordedAnswer("files", "read", SAID)]


@pytest.mark.parametrize(
    "other",
    [None, [], 3, {"tool": "read"}, {"result": SAID}, {"tool": "", "result": SAID}, {"tool": "a", "result": {}},
     {"tool": "a", "result": []}, [{"tool": "a", "result": SAID}, 1]],
)  # fmt: skip
def test_anything_else_is_not_taken_for_one(other: Any) -> None:
    assert recorded_answers(other) is None


def test_a_server_that_is_called_alike_counts_as_the_one_with_all_its_tools() -> None:
    here = catalog(my_files="read list", web="read fetch")
    answers = [RecordedAnswer("files", name, SAID) for name in ("read", "list")]
    found = assign(answers, here)
    assert set(found.by_tool) == {"my_files.read", "my_files.list"}
    assert found.taken_for == {"files": "my_files"}
    assert found.strangers == ()


def test_what_may_be_of_two_servers_or_of_none_goes_to_nobody() -> None:
    here = catalog(one="read", two="read")
    found = assign([RecordedAnswer("files", "read", SAID), RecordedAnswer("one", "gone", SAID)], here)
    assert not found.by_tool
    assert found.strangers == ("files.read", "one.gone")
    assert not found.taken_for


def test_the_same_tool_on_a_server_of_quite_another_name_is_no_match_unless_it_is_the_only_one() -> None:
    answers = [RecordedAnswer("database", "run_query", SAID)]
    assert not assign(answers, catalog(clickhouse="run_query", files="read")).by_tool
    assert set(assign(answers, catalog(clickhouse="run_query")).by_tool) == {"clickhouse.run_query"}


def test_without_a_server_the_name_of_the_tool_is_enough_where_one_has_it() -> None:
    found = assign([RecordedAnswer("", "read", SAID)], catalog(one="read", two="write"))
    assert set(found.by_tool) == {"one.read"}
    assert not found.taken_for
    assert not assign([RecordedAnswer("", "read", SAID)], catalog(one="read", two="read")).by_tool


def test_what_a_server_gave_goes_before_what_a_model_got() -> None:
    cut = {"content": [{"type": "text", "text": "cut"}]}
    seen = seen_of(
        [RecordedAnswer("s", "t", cut, "traces"), RecordedAnswer("s", "t", SAID)], "s.t", DEFAULT_THRESHOLDS
    )
    assert seen.measured is not None
    assert (seen.measured.origin, seen.measured.answers, seen.fields) == ("recorded", 1, ("id",))
