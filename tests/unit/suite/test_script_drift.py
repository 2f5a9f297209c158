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
        ([turn(key="1"), SEARCH], True),
        ([turn(key="2"), SEARCH], False),
        ([turn(name="put", key="1"), SEARCH], False),
        ([turn("else", key="1"), SEARCH], False),
        ([turn(key="1")], False),
        ([turn(key="1"), Turn("", (Exchange("search_tools", {"query": "y"}),))], False),
        ([turn(key="1"), Turn("")], False),
    ],
)
def test_names_arguments_words_and_number_are_compared(turns: list[Turn], kept: bool) -> None:
    assert keeps_script(SCRIPT, turns, lambda value: value) is kept


def test_what_recordings_do_not_hold_is_taken_out_of_the_script_as_well() -> None:
    script = read_script([{"call": "get", "args": {"key": "secret"}}])
    hidden = [turn("", key="[redacted]")]
    assert keeps_script(script, hidden, lambda value: {"key": "[redacted]"} if value else value)
    assert not keeps_script(script, hidden, lambda value: value)
