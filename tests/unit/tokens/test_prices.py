"""Dollars come from the bundled price data or not at all."""

from decimal import Decimal

import pytest

from toolbooth.errors import UnknownModel
from toolbooth.tokens import carry_price


def test_a_thousand_calls_cost_a_thousand_times_the_input_price() -> None:
    price = carry_price(10_000, "anthropic:claude-sonnet-4-5")
    assert price.uncached == Decimal(30)  # 10,000 tokens × 1,000 calls × $3 per million
    assert price.cached == Decimal("0.0375") + 999 * Decimal("0.003")


def test_a_model_without_a_cache_price_has_no_cached_figure() -> None:
    assert carry_price(1000, "openai:gpt-4").cached is None


def test_an_unknown_model_is_said_with_near_names_and_never_guessed() -> None:
    with pytest.raises(UnknownModel, match="claude-sonnet"):
        carry_price(1000, "claude-sonnet-99")


def test_nothing_to_carry_costs_nothing() -> None:
    price = carry_price(0)
    assert price.uncached == 0
