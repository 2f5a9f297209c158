"""A question names its server, and a call asks a few of them."""

from contextlib import ExitStack
from typing import Any

import pytest

from toolbooth.catalog.connect import QuestionRefused
from toolbooth.gateway.upstreams.questions import Allowance, named, named_requests
from toolbooth.limits import MAX_QUESTION_TEXT, MAX_QUESTIONS, MAX_QUESTIONS_AT_ONCE

FORM = {"type": "object", "properties": {}}


def test_an_elicitation_says_who_asks_before_its_message() -> None:
    params = {"mode": "form", "message": "Your token?", "requestedSchema": FORM}
    assert named("git\x1b[2Jhub", "elicitation/create", params) == {
        **params,
        "message": "github asks: Your token?",
    }
    assert params["message"] == "Your token?"


def test_a_message_keeps_its_lines_and_loses_what_acts_on_a_terminal() -> None:
    asked = named("x", "elicitation/create", {"message": "one\r\ntwo\x1b[1A\u202e"})
    assert asked == {"message": "x asks: one\ntwo\\u{202e}"}


@pytest.mark.parametrize("params", [None, {}, {"message": 5}])
def test_a_message_that_is_none_is_named_all_the_same(params: Any) -> None:
    assert named("x", "elicitation/create", params) == {"message": "x asks: "}


def test_a_message_without_end_is_cut() -> None:
    asked = named("x", "elicitation/create", {"message": "a" * 10**6})
    assert asked == {"message": f"x asks: {'a' * MAX_QUESTION_TEXT}…"}


@pytest.mark.parametrize(("prompt", "after"), [({}, ""), ({"systemPrompt": "Be short."}, "\nBe short.")])
def test_sampling_says_it_in_the_system_prompt(prompt: dict[str, Any], after: str) -> None:
    params = {"messages": [], "maxTokens": 9, **prompt}
    expected = f"This request comes from the MCP server x.{after}"
    assert named("x", "sampling/createMessage", params) == {**params, "systemPrompt": expected}


def test_roots_are_shown_to_nobody() -> None:
    assert named("x", "roots/list", None) is None


def test_questions_that_come_as_an_answer_are_named_each() -> None:
    elicit = {"method": "elicitation/create", "params": {"message": "?"}}
    asked = {
        "inputRequests": {"a": elicit, "b": {"method": "roots/list"}, "c": "nonsense"},
        "requestState": "s",
    }
    assert named_requests("x", asked) == {
        "inputRequests": {
            "a": {"method": "elicitation/create", "params": {"message": "x asks: ?"}},
            "b": {"method": "roots/list"},
            "c": "nonsense",
        },
        "requestState": "s",
    }


@pytest.mark.promise("gateway:questions-few")
def test_an_answer_may_ask_a_few_questions_at_once() -> None:
    asked = {str(each): {"method": "roots/list"} for each in range(MAX_QUESTIONS_AT_ONCE + 1)}
    with pytest.raises(QuestionRefused, match="5 questions at once; 4 are allowed"):
        named_requests("x", {"inputRequests": asked})


@pytest.mark.promise("gateway:questions-few")
def test_a_call_asks_a_few_questions_at_once_and_not_without_end() -> None:
    allowance = Allowance()
    with ExitStack() as stack:
        for _ in range(MAX_QUESTIONS_AT_ONCE):
            stack.enter_context(allowance.one("x"))
        with pytest.raises(QuestionRefused, match="at once"):
            stack.enter_context(allowance.one("x"))
    for _ in range(MAX_QUESTIONS - MAX_QUESTIONS_AT_ONCE):
        with allowance.one("x"):
            pass
    with pytest.raises(QuestionRefused, match="one call may ask"), allowance.one("x"):
        pass
