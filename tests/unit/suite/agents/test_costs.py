"""A budget is never passed: what a call could cost is set aside before it is made."""

import pytest
from pydantic_ai.usage import RequestUsage

from toolbooth.errors import Refused, UnknownModel
from toolbooth.suite.agents.costs import Budget, Prices
from toolbooth.suite.agents.model_name import read_model_name
from toolbooth.suite.spec.suite import TokenPrice


def test_without_a_budget_everything_is_allowed() -> None:
    budget = Budget()
    budget.reserve(1e9)
    assert not budget.limited


def test_what_could_pass_the_budget_is_refused_before_it_is_made() -> None:
    budget = Budget(1.0, "the suite")
    budget.reserve(0.6)
    with pytest.raises(Refused) as refused:
        budget.reserve(0.5)
    assert budget.spent == 0.6
    assert "$0.50, but $0.60 of the $1.00 budget of the suite" in str(refused.value)
    assert refused.value.exit_code == 5


def test_exactly_the_budget_may_be_spent() -> None:
    budget = Budget(1.0)
    budget.reserve(1.0)
    assert budget.spent == 1.0


def test_what_was_set_aside_and_not_spent_comes_back() -> None:
    budget = Budget(1.0)
    budget.reserve(0.9)
    budget.settle(0.9, 0.1)
    budget.reserve(0.9)
    assert budget.spent == pytest.approx(1.0)


def test_a_call_that_failed_costs_nothing() -> None:
    budget = Budget(1.0)
    for _ in range(5):
        budget.reserve(0.9)
        budget.settle(0.9, 0.0)
    assert budget.spent == pytest.approx(0.0)


def test_calls_on_their_way_count() -> None:
    budget = Budget(1.0)
    budget.reserve(0.5)
    budget.reserve(0.5)
    with pytest.raises(Refused):
        budget.reserve(0.01)


def test_a_test_spends_from_its_suite() -> None:
    suite = Budget(1.0, "the suite")
    one, other = Budget(0.8, "one", suite), Budget(None, "other", suite)
    assert other.limited
    one.reserve(0.7)
    with pytest.raises(Refused, match="the suite"):
        other.reserve(0.4)
    one.settle(0.7, 0.2)
    other.reserve(0.4)
    assert suite.spent == pytest.approx(0.6)


def test_what_the_suite_refuses_is_not_set_aside_in_the_test() -> None:
    suite = Budget(0.5, "the suite")
    test = Budget(1.0, "a test", suite)
    with pytest.raises(Refused):
        test.reserve(0.6)
    assert (test.spent, suite.spent) == (0.0, 0.0)


def test_what_the_test_refuses_is_not_set_aside_in_the_suite() -> None:
    suite = Budget(5.0, "the suite")
    with pytest.raises(Refused, match="a test"):
        Budget(0.5, "a test", suite).reserve(0.6)
    assert suite.spent == 0.0


def prices(model: str, own: TokenPrice | None = None) -> Prices:
    return Prices(read_model_name(model), own)


def test_a_listed_model_has_its_price() -> None:
    assert prices("claude-opus-5").of_tokens(1000, 100) == pytest.approx(0.0075)
    assert prices("openai-chat:gpt-5").of_tokens(1000, 100) == prices("openai:gpt-5").of_tokens(1000, 100)


def test_a_cached_token_costs_less_than_a_fresh_one() -> None:
    fresh = prices("claude-opus-5").of_usage(RequestUsage(input_tokens=1000), None)
    cached = prices("claude-opus-5").of_usage(RequestUsage(input_tokens=1000, cache_read_tokens=900), None)
    assert fresh is not None
    assert cached is not None
    assert 0 < cached < fresh


def test_an_answer_is_priced_by_the_model_that_gave_it() -> None:
    usage = RequestUsage(input_tokens=1000)
    assert prices("openai:gpt-9-unheard-of").of_usage(usage, "gpt-5") == prices("gpt-5").of_tokens(1000, 0)
    assert prices("gpt-5").of_usage(usage, "my-deployment") == prices("gpt-5").of_tokens(1000, 0)


def test_an_unknown_price_stops_a_budget_and_leaves_an_answer_without_cost() -> None:
    unknown = prices("openai:gpt-9-unheard-of")
    with pytest.raises(UnknownModel, match="set its `price`"):
        unknown.of_tokens(1, 1)
    assert unknown.of_usage(RequestUsage(input_tokens=1), None) is None


def test_own_models_cost_nothing_unless_they_have_a_price() -> None:
    usage = RequestUsage(input_tokens=1_000_000, output_tokens=500_000)
    assert prices("ollama:llama3.2").of_tokens(5, 5) is None
    assert prices("openai-compatible:gpt-5").of_usage(usage, "gpt-5") is None
    own = prices("ollama:llama3.2", TokenPrice(1.0, 4.0))
    assert own.of_usage(usage, None) == own.of_tokens(1_000_000, 500_000) == 3.0


def test_the_suites_own_price_goes_before_the_list() -> None:
    assert prices("claude-opus-5", TokenPrice(1.0, 0.0)).of_tokens(1_000_000, 0) == 1.0
