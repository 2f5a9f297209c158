"""`distractors`: how far F1 falls on a padded catalog."""

from typing import Any

import pytest
from tests.unit.suite.gates.runs import BROKEN, evidence, gate, run

from toolbooth.errors import ConfigError

CLASSES = [{"name": "a", "members": ["s.a"]}, {"name": "b", "members": ["s.b"]}]
BOTH, ONE, NONE = run("s.a", "s.b"), run("s.a"), run("s.x")


def block(**more: Any) -> Any:
    return gate("distractors", {"count": 20, "classes": CLASSES, **more})


def test_both_sides_are_pooled_by_themselves() -> None:
    verdict = block().judge(evidence(BOTH, BOTH, padded=(BOTH, ONE)))
    assert verdict.figures == {
        "distractors.f1": 85,
        "distractors.f1_drop": 15,
        "distractors.f1_without": 100,
    }
    assert (verdict.state, verdict.missed) == ("failed", {"b": 1})


def test_the_default_allows_ten_points() -> None:
    (check,) = block().judge(evidence(BOTH, padded=(BOTH,))).checks
    assert (check.target, check.wanted, check.state) == ("distractors.f1_drop", "<= 10", "passed")


def test_assertions_replace_the_default() -> None:
    made = block(expect=[{"distractors.f1": {">=": 90}, "distractors.f1_drop": {"<=": 50}}])
    states = [check.state for check in made.judge(evidence(BOTH, padded=(ONE,))).checks]
    assert states == ["failed", "passed"]


def test_a_better_score_on_the_padded_catalog_is_a_drop_below_zero() -> None:
    assert block().judge(evidence(NONE, padded=(BOTH,))).figures["distractors.f1_drop"] == -100


def test_a_padded_run_that_errored_counts_as_empty() -> None:
    assert block().judge(evidence(BOTH, padded=(BROKEN,))).figures["distractors.f1"] == 0


def test_seed_and_count_are_kept() -> None:
    assert (block(seed=4).seed, block().seed, block().count) == (4, 0, 20)


@pytest.mark.parametrize(
    "value",
    [
        {"classes": CLASSES},
        {"count": 5_001, "classes": CLASSES},
        {"count": 0},
        {"count": 5},
        {"count": 5, "classes": []},
    ],
)
def test_what_cannot_be_is_refused(value: Any) -> None:
    with pytest.raises(ConfigError):
        gate("distractors", value)


def test_it_is_right_and_warns_as_classes_do() -> None:
    assert block().run_is_right(BOTH)
    assert not block().run_is_right(ONE)
    assert not block().run_is_right(BROKEN)
    assert len(block(classes=[*CLASSES, {"name": "c", "members": ["s.a"]}]).warnings()) == 1
