"""What each right choice cost, and what is left out where it is undefined."""

from toolbooth.suite import Efficiency, token_efficiency
from toolbooth.suite.metrics import Selection

CLASSES = {"search": ["web_search"], "fetch": ["get"]}
RIGHT = [{"name": "web_search"}, {"name": "get"}]


def test_the_surface_is_shared_out_over_the_pooled_right_choices() -> None:
    one = token_efficiency(CLASSES, [RIGHT], 1200)
    three = token_efficiency(CLASSES, [RIGHT] * 3, 1200)
    assert (one.correct_selections, one.tokens_per_correct) == (2, 600)
    assert (three.correct_selections, three.tokens_per_correct) == (6, 200)


def test_paid_tokens_and_dollars_are_shared_out_too() -> None:
    score = token_efficiency(CLASSES, [RIGHT], 100, cost=0.5, paid_tokens=5000)
    assert (score.paid_tokens_per_correct, score.cost_per_correct) == (2500, 0.25)


def test_nothing_right_leaves_the_shares_undefined() -> None:
    score = token_efficiency(CLASSES, [[]], 100, cost=0.5, paid_tokens=5000)
    assert score.tokens_per_correct is score.paid_tokens_per_correct is score.cost_per_correct is None
    assert (score.tool_surface_tokens, score.cost) == (100, 0.5)


def test_free_runs_have_no_cost() -> None:
    score = token_efficiency(CLASSES, [RIGHT])
    assert score.cost is score.cost_per_correct is score.tokens_per_correct is None
    assert score.tool_surface_tokens is score.paid_tokens is score.paid_tokens_per_correct is None


def test_f1_and_letter_are_those_of_the_selection() -> None:
    score = Efficiency(Selection(tp=2, fp=1))
    assert (score.f1, score.grade) == (80, "B")


def test_calling_nothing_can_be_right_and_still_has_no_share() -> None:
    score = token_efficiency({}, [[]], 100, expect_no_calls=True)
    assert score.f1 == 100
    assert score.tokens_per_correct is None
