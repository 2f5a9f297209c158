"""A recorded run keeps to its script, or does not."""

from typing import Any

import pytest

from toolbooth.suite.script_drift import keeps_script
from toolbooth.suite.spec.script import read_script
from toolbooth.suite.trace import Exchange, MadeCall, Turn

SCRIPT = read_script(
    [
        {"call": "tickets.get", "args": {"key": "1"}, "say": "looking"},
        {"use": "search_tools", "args": {"query": "x"}},
    ]
)


def turn(text: str = "looking", name: str = "get", **arguments: Any) -> Turn:
    made = (MadeCall(name, "tickets", arguments),)
    return Turn(text, (Exchange("call_tool", {"name": name}, made=made),))


SEARCH = Turn("", (Exchange("search_tools", {"query": "x"}),))
END = Turn("")


@pytest.mark.parametrize(
    ("turns", "kept"),
    [
        ([turn(key="1"), SEARCH, END], True),
        ([turn(key="1"), SEARCH], False),
        ([turn(key="1"), SEARCH, turn(key="1"), END], False),
        ([turn(key="2"), SEARCH, END], False),
        ([turn(name="put", key="1"), SEARCH, END], False),
        ([turn("else", key="1"), SEARCH, END], False),
        ([turn(key="1")], False),
        ([turn(key="1"), Turn("", (Exchange("search_tools", {"query": "y"}),)), END], False),
        ([turn(key="1"), Turn(""), END], False),
    ],
)
def test_names_arguments_words_and_number_are_compared(turns: list[Turn], kept: bool) -> None:
    assert keeps_script(SCRIPT, turns, 10) is kept


def test_a_run_may_end_with_the_scripts_last_words_or_with_its_last_turn() -> None:
    assert keeps_script(read_script([{"say": "done"}]), [Turn("done")], 10)
    assert keeps_script(SCRIPT, [turn(key="1"), SEARCH], 2)


def test_what_was_taken_out_of_the_recording_may_have_been_anything() -> None:
    script = read_script([{"call": "get", "args": {"key": "secret"}, "say": "with secret"}])
    hidden = [turn("with [redacted]", key="[redacted]"), END]
    assert keeps_script(script, hidden, 10)
    other = read_script([{"call": "get", "args": {"key": "secret"}, "say": "without secret"}])
    assert not keeps_script(other, hidden, 10)
