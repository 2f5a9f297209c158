"""`no_calls`: nothing at all is called, or never one of these."""

import pytest
from tests.unit.suite.gates.runs import BROKEN, evidence, gate, run

from toolbooth.errors import ConfigError


@pytest.mark.parametrize(
    ("block", "tools", "found"),
    [
        (True, (), []),
        (True, ("a.x",), ["a.x"]),
        (["a.x"], ("a.x", "b.x", "a.x"), ["a.x"]),
        (["x"], ("a.x", "b.x"), ["a.x", "b.x"]),
        (["x", "b.y"], ("a.y", "c.z"), []),
    ],
)
def test_what_must_not_be_called_is_found(block: object, tools: tuple[str, ...], found: list[str]) -> None:
    made = gate("no_calls", block)
    verdict = made.judge(evidence(run(*tools)))
    assert verdict.checks[0].found == found
    assert verdict.state == ("failed" if found else "passed")
    assert set(verdict.unexpected) == set(found)
    assert made.run_is_right(run(*tools)) is not bool(found)


def test_every_run_counts() -> None:
    verdict = gate("no_calls", ["x"]).judge(evidence(run("a.x"), run("a.y"), run("a.x", "a.x")))
    assert verdict.unexpected == {"a.x": 3}
    assert verdict.figures == {"no_calls.calls": 3}


def test_a_run_that_errored_proves_nothing() -> None:
    made = gate("no_calls", True)
    (check,) = made.judge(evidence(run(), BROKEN)).checks
    assert (check.state, check.why) == ("failed", "1 of 2 runs ended in an error")
    assert not made.run_is_right(BROKEN)


@pytest.mark.parametrize("block", [False, [], "x", {}, [3], [""]])
def test_what_cannot_be_is_refused(block: object) -> None:
    with pytest.raises(ConfigError):
        gate("no_calls", block)


def test_it_has_nothing_to_warn_of() -> None:
    assert gate("no_calls", True).warnings() == ()
