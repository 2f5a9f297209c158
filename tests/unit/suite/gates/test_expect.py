"""What can be asserted of a run: its calls, their arguments, its words, tokens and dollars."""

from typing import Any

import pytest
from tests.unit.suite.gates.runs import BROKEN, evidence, gate, run

from toolbooth.suite.gates.expect import EXAMPLES, PLAIN, is_run_target, value_of
from toolbooth.suite.trace import Exchange, MadeCall, Trace, Turn, Usage
from toolbooth.suite.verdict import FREE, MissingValue

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
        ("tool_calls[3].name", "call 3 does not exist: the run made 3"),
        ("tool_calls[-4].name", "call -4 does not exist: the run made 3"),
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
    assert isinstance(found, MissingValue)
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
    assert found == MissingValue("the run ended in an error: the server ended")


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


def judged(expect: list[Any], *runs: Any) -> Any:
    return gate("expect", expect).judge(evidence(*runs))


def test_an_assertion_that_holds_in_every_run_passes() -> None:
    verdict = judged([{"tool_calls[0].name": {"exact": "x"}}], run("a.x"), run("b.x"))
    (check,) = verdict.checks
    assert (verdict.state, check.found, check.why) == ("passed", "x", "")


def test_the_first_run_that_breaks_it_is_shown_with_how_many_did() -> None:
    (check,) = judged(
        [{"final_response": {"contains": "done"}}], run(text="done"), run(text="no"), run()
    ).checks
    assert (check.state, check.found, check.why) == ("failed", "no", "in 2 of 3 runs")


def test_a_value_that_is_not_there_fails_and_says_why() -> None:
    (check,) = judged([{"tool_calls[0].name": {"exact": "x"}}], run()).checks
    assert (check.state, check.why) == ("failed", "call 0 does not exist: the run made 0")


def test_a_run_that_errored_fails_every_assertion() -> None:
    verdict = judged([{"tool_names": {"exact": []}}, {"cost": {"<": 1}}], BROKEN)
    assert [check.state for check in verdict.checks] == ["failed", "failed"]
    assert "the server ended" in verdict.checks[0].why


def test_the_cost_of_free_runs_is_skipped() -> None:
    (check,) = judged([{"cost": {"<": 1}}], run(), run()).checks
    assert (check.state, check.why) == ("skipped", "the runs were free, or their cost is unknown")


def test_a_run_that_cost_something_counts_beside_free_ones() -> None:
    (check,) = judged([{"cost": {"<": 1}}], run(), run(cost=0.5)).checks
    assert (check.state, check.found) == ("passed", 0.5)


def test_a_single_run_is_right_where_nothing_is_broken() -> None:
    made = gate("expect", [{"cost": {"<": 1}}, {"tool_calls.count": {"==": 1}}])
    assert made.run_is_right(run("a.x"))
    assert not made.run_is_right(run())
    assert not made.run_is_right(BROKEN)
    assert made.warnings() == ()
