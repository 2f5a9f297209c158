"""`token_efficiency`: what a right choice costs; a figure that is undefined is absent, never 0."""

from typing import Any

import pytest
from tests.unit.suite.gates.runs import BROKEN, evidence, gate, run

CLASSES = [{"name": "search", "members": ["search"]}, {"name": "fetch", "members": ["fetch"]}]
RIGHT = run("a.search", "b.fetch", cost=0.5, tokens=3_000)
WRONG = run("a.exec", cost=0.25)


def judged(expect: Any, *runs: Any, surface: int | None = 1_000) -> Any:
    return gate("token_efficiency", {"classes": CLASSES, "expect": expect}).judge(
        evidence(*runs, surface=surface)
    )


def test_all_figures_are_there_where_all_are_defined() -> None:
    assert judged(None, RIGHT, RIGHT).figures == {
        "token_efficiency.f1": 100,
        "token_efficiency.tool_surface_tokens": 1_000,
        "token_efficiency.correct_selections": 4,
        "token_efficiency.cost": 1.0,
        "token_efficiency.tokens_per_correct": 250,
        "token_efficiency.cost_per_correct": 0.25,
        "token_efficiency.paid_tokens_per_correct": 1_500,
    }


def test_the_default_is_a_floor_under_f1() -> None:
    verdict = judged([], RIGHT)
    assert [(check.target, check.wanted) for check in verdict.checks] == [("token_efficiency.f1", ">= 50")]
    assert (verdict.state, verdict.grade) == ("passed", "A")
    assert judged(None, WRONG).state == "failed"


def test_a_bound_on_tokens_holds_or_fails() -> None:
    assert judged([{"token_efficiency.tokens_per_correct": {"<=": 500}}], RIGHT).state == "passed"
    assert judged([{"token_efficiency.tokens_per_correct": {"<=": 499}}], RIGHT).state == "failed"


@pytest.mark.parametrize("figure", ["tokens_per_correct", "cost_per_correct", "paid_tokens_per_correct"])
@pytest.mark.parametrize("runs", [(WRONG,), (run(cost=0.1),)])
def test_where_nothing_was_right_a_figure_for_each_right_choice_fails_and_says_so(
    figure: str, runs: tuple[Any, ...]
) -> None:
    verdict = judged([{f"token_efficiency.{figure}": {"<=": 10**9}}], *runs)
    (check,) = verdict.checks
    assert (check.state, check.found) == ("failed", None)
    assert "no selection was correct" in check.why
    assert f"token_efficiency.{figure}" not in verdict.figures


@pytest.mark.parametrize("figure", ["cost", "cost_per_correct"])
@pytest.mark.parametrize("tools", [("a.search",), ()])
def test_the_cost_of_a_free_run_is_skipped_and_says_so(figure: str, tools: tuple[str, ...]) -> None:
    verdict = judged([{f"token_efficiency.{figure}": {"<=": 0}}], run(*tools))
    (check,) = verdict.checks
    assert (check.state, check.why, verdict.state) == (
        "skipped",
        "the runs were free, or their cost is unknown",
        "skipped",
    )


@pytest.mark.parametrize("figure", ["tool_surface_tokens", "tokens_per_correct"])
def test_without_a_catalog_the_tokens_of_the_surface_are_skipped_and_the_rest_counts(figure: str) -> None:
    verdict = judged([{f"token_efficiency.{figure}": {"<=": 1}}], RIGHT, surface=None)
    (check,) = verdict.checks
    assert (check.state, check.why) == ("skipped", "the recording has no catalog beside it")
    assert verdict.figures["token_efficiency.f1"] == 100
    assert not [target for target in verdict.figures if target.endswith(f".{figure}")]


def test_runs_that_errored_are_counted() -> None:
    verdict = judged(None, RIGHT, BROKEN)
    assert (verdict.figures["token_efficiency.f1"], verdict.missed) == (66, {"fetch": 1, "search": 1})


def test_it_is_right_and_warns_as_its_classes_do() -> None:
    made = gate("token_efficiency", {"classes": [*CLASSES, {"name": "again", "members": ["search"]}]})
    assert made.run_is_right(RIGHT)
    assert not made.run_is_right(WRONG)
    assert len(made.warnings()) == 1
