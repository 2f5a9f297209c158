"""`script:` is read turn by turn, however short or long a step is written."""

from pathlib import Path
from typing import Any

import pytest

from toolbooth.catalog.config import Document
from toolbooth.errors import ConfigError
from toolbooth.suite.spec.script import SCRIPT, ScriptedTurn, ScriptedUse, read_script


def checked(script: Any) -> tuple[ScriptedTurn, ...]:
    SCRIPT.check(Document(Path("s.yaml"), "yaml", script), script, ("script",))
    return read_script(script)


@pytest.mark.parametrize(
    ("step", "turn"),
    [
        ("notes.list", ScriptedTurn("", (ScriptedUse("notes.list"),))),
        ({"call": "notes.list"}, ScriptedTurn("", (ScriptedUse("notes.list"),))),
        ({"call": "get", "args": {"id": 1}}, ScriptedTurn("", (ScriptedUse("get", {"id": 1}),))),
        ({"call": "get", "args": None}, ScriptedTurn("", (ScriptedUse("get"),))),
        (
            {"use": "search_tools", "args": {"query": "x"}},
            ScriptedTurn("", (ScriptedUse("search_tools", {"query": "x"}, from_menu=True),)),
        ),
        ({"say": "Done."}, ScriptedTurn("Done.")),
        ({"say": "Wait.", "call": "a"}, ScriptedTurn("Wait.", (ScriptedUse("a"),))),
        (
            {"calls": ["a", {"call": "b", "args": {"x": [None, {"y": 1.5}]}}]},
            ScriptedTurn("", (ScriptedUse("a"), ScriptedUse("b", {"x": [None, {"y": 1.5}]}))),
        ),
        (
            {"call": "first", "calls": ["second"]},
            ScriptedTurn("", (ScriptedUse("first"), ScriptedUse("second"))),
        ),
    ],
)
def test_a_step_is_one_turn(step: Any, turn: ScriptedTurn) -> None:
    assert checked([step]) == (turn,)


def test_turns_keep_their_order() -> None:
    assert [turn.uses[0].name for turn in checked(["a", "b", {"call": "c"}])] == ["a", "b", "c"]


@pytest.mark.parametrize("script", [None, []])
def test_no_script_is_no_turn(script: Any) -> None:
    assert checked(script) == ()


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("notes.list", "script must be a list"),
        ([""], "script[0] must be text, and not empty"),
        ([3], "script[0] must be a map of keys"),
        ([None], "script[0] needs `call: server.tool`, `use:`, `calls:` or `say:`"),
        ([{"args": {}}], "script[0] needs `call: server.tool`, `use:`, `calls:` or `say:`"),
        ([{"call": "a", "use": "b"}], "script[0] has both `call` and `use`; move one of them to `calls:`"),
        ([{"cal": "a"}], "unknown key 'cal' in script[0]; did you mean 'call'?"),
        ([{"call": "a", "args": [1]}], "script[0].args must be a map of keys"),
        ([{"calls": [{"say": "x"}]}], "unknown key 'say' in script[0].calls[0]"),
        ([{"calls": [{"args": {}}]}], "script[0].calls[0] needs"),
    ],
)
def test_a_mistake_is_named(script: Any, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        checked(script)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "script", [[{"say": "x", "call": "a", "use": "b"}], [{"calls": ["c"], "call": "a", "use": "b"}]]
)
def test_call_and_use_exclude_each_other_whatever_else_is_said(script: Any) -> None:
    with pytest.raises(ConfigError):
        checked(script)
