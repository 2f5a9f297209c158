"""Dollars by the list, by the suite's own price, or none."""

import pytest
from pydantic_ai.usage import RequestUsage

from toolbooth.errors import UnknownModel
from toolbooth.suite.agents.model_name import read_model_name
from toolbooth.suite.agents.providers.prices import Prices
from toolbooth.suite.agents.providers.settings import Price


def prices(model: str, own: Price | None = None) -> Prices:
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
    with pytest.raises(UnknownModel, match="give it a `price`"):
        unknown.of_tokens(1, 1)
    assert unknown.of_usage(RequestUsage(input_tokens=1), None) is None


def test_own_models_cost_nothing_unless_they_have_a_price() -> None:
    usage = RequestUsage(input_tokens=1_000_000, output_tokens=500_000)
    assert prices("ollama:llama3.2").of_tokens(5, 5) is None
    assert prices("openai-compatible:gpt-5").of_usage(usage, "gpt-5") is None
    own = prices("ollama:llama3.2", Price(1.0, 4.0))
    assert own.of_usage(usage, None) == own.of_tokens(1_000_000, 500_000) == 3.0


def test_the_suites_own_price_goes_before_the_list() -> None:
    assert prices("claude-opus-5", Price(1.0, 0.0)).of_tokens(1_000_000, 0) == 1.0
