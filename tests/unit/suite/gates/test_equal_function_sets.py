"""`equal_function_sets`: classes are reached or missed, runs pool, and an idle agent passes no floor."""

from typing import Any

import pytest
from tests.unit.suite.gates.runs import BROKEN, REFUSED, evidence, gate, run

CLASSES = [
    {"name": "search", "members": ["shelf.find", "archive.search"]},
    {"name": "fetch", "members": ["get"]},
]


def block(**more: Any) -> Any:
    return gate("equal_function_sets", {"classes": CLASSES, **more})


@pytest.mark.parametrize(
    ("tools", "f1", "grade", "missed", "unexpected"),
    [
        (("shelf.find", "http.get"), 100, "A", {}, {}),
        (("archive.search", "archive.search", "get"), 100, "A", {}, {}),
        (("archive.search", "shell.exec"), 50, "F", {"fetch": 1}, {"shell.exec": 1}),
        (("other.find",), 0, "F", {"fetch": 1, "search": 1}, {"other.find": 1}),
        ((), 0, "F", {"fetch": 1, "search": 1}, {}),
    ],
)
def test_a_run_is_scored_by_classes(
    tools: tuple[str, ...], f1: int, grade: str, missed: dict[str, int], unexpected: dict[str, int]
) -> None:
    verdict = block().judge(evidence(run(*tools)))
    assert verdict.figures["tool_selection.f1"] == f1
    assert (verdict.grade, verdict.missed, verdict.unexpected) == (grade, missed, unexpected)
    assert verdict.state == ("passed" if f1 >= 50 else "failed")


@pytest.mark.parametrize("expect", [None, []])
def test_without_assertions_the_floor_is_half(expect: Any) -> None:
    (check,) = block(expect=expect).judge(evidence(run("shelf.find"))).checks
    assert (check.target, check.wanted, check.found, check.state) == (
        "tool_selection.f1",
        ">= 50",
        66,
        "passed",
    )


def test_assertions_replace_the_floor() -> None:
    gate_ = block(expect=[{"tool_selection.precision": {">=": 90}, "tool_selection.recall": {">=": 60}}])
    verdict = gate_.judge(evidence(run("shelf.find")))
    assert [(check.found, check.state) for check in verdict.checks] == [(100, "passed"), (50, "failed")]
    assert verdict.state == "failed"


def test_runs_pool_and_one_that_errored_counts_as_empty() -> None:
    verdict = block().judge(evidence(run("shelf.find", "get"), BROKEN, REFUSED))
    assert verdict.figures == {
        "tool_selection.f1": 50,
        "tool_selection.precision": 100,
        "tool_selection.recall": 33,
    }
    assert verdict.missed == {"fetch": 2, "search": 2}


def test_where_nothing_is_to_be_called_any_call_is_wrong() -> None:
    gate_ = gate("equal_function_sets", {"classes": [], "expect_no_calls": True})
    assert gate_.judge(evidence(run())).state == "passed"
    assert gate_.judge(evidence(run("a.b"))).figures["tool_selection.f1"] == 0


@pytest.mark.parametrize(
    ("tools", "right"),
    [(("shelf.find", "get"), True), (("shelf.find",), False), (("shelf.find", "get", "x"), False)],
)
def test_a_single_run_is_right_where_nothing_is_missing_or_too_much(
    tools: tuple[str, ...], right: bool
) -> None:
    assert block().run_is_right(run(*tools)) is right


def test_a_run_that_errored_is_not_right_even_where_nothing_was_to_be_called() -> None:
    assert not gate("equal_function_sets", {"classes": [], "expect_no_calls": True}).run_is_right(BROKEN)


def test_a_member_of_two_classes_is_a_warning() -> None:
    classes = [{"name": "a", "members": ["x"]}, {"name": "b", "members": ["x", "y"]}]
    (said,) = gate("equal_function_sets", {"classes": classes}).warnings()
    assert said == "x is in two classes, a and b; one call satisfies both"
