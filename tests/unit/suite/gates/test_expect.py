"""`expect`: each assertion holds in every run, or the first that breaks it is shown."""

from typing import Any

from tests.unit.suite.gates.runs import BROKEN, evidence, gate, run


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
    assert (check.state, check.why) == ("failed", "there is no call 0: 0 made")


def test_a_run_that_errored_fails_every_assertion() -> None:
    verdict = judged([{"tool_names": {"exact": []}}, {"cost": {"<": 1}}], BROKEN)
    assert [check.state for check in verdict.checks] == ["failed", "failed"]
    assert "the server ended" in verdict.checks[0].why


def test_the_cost_of_free_runs_is_skipped() -> None:
    (check,) = judged([{"cost": {"<": 1}}], run(), run()).checks
    assert (check.state, check.why) == ("skipped", "the runs were free, or nobody told their cost")


def test_a_run_that_cost_something_counts_beside_free_ones() -> None:
    (check,) = judged([{"cost": {"<": 1}}], run(), run(cost=0.5)).checks
    assert (check.state, check.found) == ("passed", 0.5)


def test_a_single_run_is_right_where_nothing_is_broken() -> None:
    made = gate("expect", [{"cost": {"<": 1}}, {"tool_calls.count": {"==": 1}}])
    assert made.run_is_right(run("a.x"))
    assert not made.run_is_right(run())
    assert not made.run_is_right(BROKEN)
    assert made.warnings() == ()
