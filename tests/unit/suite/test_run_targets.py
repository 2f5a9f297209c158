"""What can be asserted of a run: its calls, their arguments, its words, tokens and dollars."""

from typing import Any

import pytest

from toolbooth.suite.assertion import FREE, Absent
from toolbooth.suite.run_targets import EXAMPLES, PLAIN, is_run_target, value_of
from toolbooth.suite.trace import Exchange, MadeCall, Trace, Turn, Usage

ARGS = {"path": "/a", "deep": {"list": [1, {"x": "y"}], "a.b": 2}, "none": None}
RUN = Trace(
    turns=(
        Turn(
            "One moment.", (Exchange("t", {}, made=(MadeCall("create", "tickets", ARGS),)),), Usage(100, 10)
        ),
        Turn("", (Exchange("t", {}, made=(MadeCall("get"), MadeCall("mail.send", "post"))),), Usage(150, 5)),
        Turn("Done: T-1.", (), Usage(200, 7), 0.25),
    )
)


@pytest.mark.parametrize(
    ("target", "value"),
    [
        ("tool_names", ["tickets.create", "get", "post.mail.send"]),
        ("tool_calls.count", 3),
        ("final_response", "Done: T-1."),
        ("conversation.tokens.total", 472),
        ("conversation.tokens.input", 450),
        ("conversation.turns", 3),
        ("cost", 0.25),
        ("tool_calls[0].name", "create"),
        ("tool_calls[0].server", "tickets"),
        ("tool_calls[0].id", "tickets.create"),
        ("tool_calls[1].server", ""),
        ("tool_calls[-1].id", "post.mail.send"),
        ("tool_calls[0].args", ARGS),
        ("tool_calls[0].args.path", "/a"),
        ("tool_calls[0].args.none", None),
        ("tool_calls[0].args.deep.list[0]", 1),
        ("tool_calls[0].args.deep.list[-1].x", "y"),
    ],
)
def test_a_target_has_its_value(target: str, value: Any) -> None:
    assert is_run_target(target)
    assert value_of(target, RUN) == value


@pytest.mark.parametrize(
    ("target", "why"),
    [
        ("tool_calls[3].name", "there is no call 3: 3 made"),
        ("tool_calls[-4].name", "there is no call -4: 3 made"),
        ("tool_calls[0].args.pth", "the call of tickets.create has no args.pth"),
        ("tool_calls[0].args.path.x", "has no args.path.x"),
        ("tool_calls[0].args.deep.list[9]", "has no args.deep.list[9]"),
        ("tool_calls[0].args.deep[0]", "has no args.deep[0]"),
        ("tool_calls[0].args.path[0]", "has no args.path[0]"),
        ("tool_calls[1].args.x", "the call of get has no args.x"),
    ],
)
def test_what_is_not_there_fails_and_says_so(target: str, why: str) -> None:
    found = value_of(target, RUN)
    assert isinstance(found, Absent)
    assert why in found.why
    assert not found.skip


def test_a_free_run_has_no_cost_and_that_is_skipped() -> None:
    assert value_of("cost", Trace()) is FREE
    assert FREE.skip


def test_a_run_without_turns_has_no_words() -> None:
    assert value_of("final_response", Trace()) == ""
    assert value_of("tool_names", Trace()) == []


@pytest.mark.parametrize("target", EXAMPLES)
def test_a_run_that_errored_has_no_values(target: str) -> None:
    found = value_of(target, Trace(ended="error", error="the server ended"))
    assert found == Absent("the run ended in an error: the server ended")


@pytest.mark.parametrize(
    "target",
    [
        "",
        "tool_calls",
        "tool_calls[x].name",
        "tool_calls[0]",
        "tool_calls[0].nam",
        "tool_calls[0].argspath",
        "tool_calls[0].args.",
        "tool_calls[0].args[",
        "tool_calls[0].args[x]",
        "tool_calls[0].args.a..b",
        "tool_calls[0].args.a]",
        "tool_calls[0].name.x",
        "cost ",
        "tool_calls[99999999].name",
    ],
)
def test_what_is_no_target_is_known_when_the_suite_is_read(target: str) -> None:
    assert not is_run_target(target)


def test_every_example_is_a_target() -> None:
    assert all(map(is_run_target, EXAMPLES))
    assert set(PLAIN) <= set(EXAMPLES)
