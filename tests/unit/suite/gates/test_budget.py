"""`budget`: what was spent is judged; a free run has nothing to judge."""

import pytest
from tests.unit.suite.gates.runs import BROKEN, REFUSED, evidence, gate, run

from toolbooth.errors import ConfigError


@pytest.mark.parametrize(("dollars", "state"), [(0.75, "passed"), (0.5, "failed"), (1, "passed")])
def test_the_cost_of_all_runs_is_held_against_it(dollars: float, state: str) -> None:
    spent = evidence(run(cost=0.25), run(cost=0.25), run(), padded=(run(cost=0.25),))
    verdict = gate("budget", dollars).judge(spent)
    assert (verdict.state, verdict.figures) == (state, {"budget.cost": 0.75})
    assert verdict.checks[0].wanted == f"<= ${dollars:g}"


def test_a_free_run_is_skipped_and_says_so() -> None:
    (check,) = gate("budget", 1).judge(evidence(run())).checks
    assert (check.state, check.why) == ("skipped", "the runs were free, or their cost is unknown")


def test_a_refusal_is_the_only_thing_that_is_not_right() -> None:
    made = gate("budget", 1)
    assert (made.run_is_right(REFUSED), made.run_is_right(BROKEN), made.run_is_right(run())) == (
        False,
        True,
        True,
    )
    assert made.warnings() == ()


@pytest.mark.parametrize("dollars", [0, -1, True, "1", []])
def test_what_is_no_amount_is_refused(dollars: object) -> None:
    with pytest.raises(ConfigError):
        gate("budget", dollars)
