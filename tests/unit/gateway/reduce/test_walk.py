"""Through all members of a container."""

from typing import Any

from toolbooth.gateway.reduce.hidden import Picked, Summary
from toolbooth.gateway.reduce.paths import Path
from toolbooth.gateway.reduce.walk import through


def test_what_does_not_change_is_the_same_object() -> None:
    value = {"a": [1, {"b": 2}]}
    assert through(value, (), lambda inner, _: inner) is value


def test_what_changes_is_copied_and_the_original_stays() -> None:
    value = {"a": [1, 2], "b": [3]}
    found = through(value, (), lambda inner, path: [0] if path == ("a",) else inner)
    assert found == {"a": [0], "b": [3]}
    assert value == {"a": [1, 2], "b": [3]}


def test_members_are_visited_under_their_place_in_the_whole() -> None:
    visited: list[Path] = []

    def visit(inner: Any, path: Path) -> Any:
        visited.append(path)
        return inner

    through(Picked([{"a": 1}, {"b": 2}, "words"], [4, 7]), ("x",), visit)
    assert visited[:2] == [("x", 4), ("x", 7)]
    assert len(visited) == 2


def test_a_summary_is_looked_into_by_nobody() -> None:
    summary = Summary(a=[1])
    assert through(summary, (), lambda _inner, _path: 0) is summary
