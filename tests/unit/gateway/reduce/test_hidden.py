"""Words in place of what is not shown."""

import json
from typing import Any

import pytest
from tests.property.result_reader import calls_in

from toolbooth.gateway.reduce.hidden import Hidden, Picked, Summary, encoded, in_kb, through, weight
from toolbooth.gateway.results.read_request import JsonPath

REF = "r" * 22


def test_the_words_name_the_call() -> None:
    words = Hidden("247 of 250 items", "orders[3:]").words(REF)
    assert words == f"[247 of 250 items not shown: read_result(ref='{REF}', path='orders[3:]')]"
    assert (
        Hidden("9 lines,", start=4, lines=9)
        .words(REF)
        .endswith(f"read_result(ref='{REF}', start=4, lines=9)]")
    )


@pytest.mark.parametrize(
    "path", ['"two words"', '"it\'s"', '"back\\\\slash"', '"it\'s \\"both\\""', "`1`", '"🦜"']
)
def test_whatever_the_path_an_agent_reads_it_from_the_call(path: str) -> None:
    ((_, _, arguments),) = calls_in(Hidden("all", path).words(REF))
    assert arguments == {"ref": REF, "path": path}


@pytest.mark.parametrize("value", [{"a": 2**80}, ["\ud800"], {"ключ": [None, 1.5]}, Picked([1, 2], [4, 7])])
def test_a_working_value_is_written_as_json(value: Any) -> None:
    assert json.loads(encoded(value, REF)) == value
    assert weight(value) == len(encoded(value).encode())


def test_hidden_parts_are_written_as_their_words() -> None:
    hidden = Hidden("all", "a")
    assert json.loads(encoded({"a": hidden}, REF)) == {"a": hidden.words(REF)}


def test_sizes_are_short_words() -> None:
    assert [in_kb(each) for each in (12, 3_200, 2_000_000)] == ["12 bytes", "3.1 KB", "1,953 KB"]


def test_what_does_not_change_is_the_same_object() -> None:
    value = {"a": [1, {"b": 2}]}
    assert through(value, (), lambda inner, _: inner) is value


def test_what_changes_is_copied_and_the_original_stays() -> None:
    value = {"a": [1, 2], "b": [3]}
    found = through(value, (), lambda inner, path: [0] if path == ("a",) else inner)
    assert found == {"a": [0], "b": [3]}
    assert value == {"a": [1, 2], "b": [3]}


def test_members_are_visited_under_their_place_in_the_whole() -> None:
    visited: list[JsonPath] = []

    def visit(inner: Any, path: JsonPath) -> Any:
        visited.append(path)
        return inner

    through(Picked([{"a": 1}, {"b": 2}, "words"], [4, 7]), ("x",), visit)
    assert visited[:2] == [("x", 4), ("x", 7)]
    assert len(visited) == 2


def test_a_summary_is_looked_into_by_nobody() -> None:
    summary = Summary(a=[1])
    assert through(summary, (), lambda _inner, _path: 0) is summary
