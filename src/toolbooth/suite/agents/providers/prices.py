"""Tokens of a model → dollars: by the suite's own price, or by the list that ships with the package; never fetched."""

from difflib import get_close_matches
from typing import TYPE_CHECKING, Final

from toolbooth.errors import UnknownModel
from toolbooth.safetext import for_terminal
from toolbooth.suite.agents.model_name import ModelName
from toolbooth.suite.agents.providers.settings import Price

if TYPE_CHECKING:
    from genai_prices.types import AbstractUsage
    from pydantic_ai.usage import RequestUsage

MILLION: Final = 1_000_000
_LISTED_AS: Final = {
    "anthropic": "anthropic",
    "openai": "openai",
    "openai-chat": "openai",
    "openai-responses": "openai",
    "google": "google",
}


class Prices:
    """The prices of one model. Whoever serves models without a list price says theirs, or they cost nothing."""

    def __init__(self, name: ModelName, own: Price | None = None) -> None:
        self.name, self.own = name, own

    def of_tokens(self, input_tokens: int, output_tokens: int) -> float | None:
        """Dollars for so many; None for a model without a price. Raises UnknownModel where there should be one."""
        from genai_prices import Usage

        if self.own:
            return self._by_own(input_tokens, output_tokens)
        if self.name.provider not in _LISTED_AS:
            return None
        dollars = self._listed(Usage(input_tokens=input_tokens, output_tokens=output_tokens), self.name.model)
        if dollars is None:
            raise UnknownModel(f"no price is known for {self.name}{self._nearest()}; or give it a `price`")
        return dollars

    def of_usage(self, usage: "RequestUsage", served_as: str | None) -> float | None:
        """Dollars for one answer, cache prices included; None where no price is known."""
        if self.own:
            return self._by_own(usage.input_tokens, usage.output_tokens)
        if self.name.provider not in _LISTED_AS:
            return None
        dollars = self._listed(usage, served_as) if served_as else None
        return dollars if dollars is not None else self._listed(usage, self.name.model)

    def _by_own(self, input_tokens: int, output_tokens: int) -> float:
        price = self.own or Price(0, 0)
        return (input_tokens * price.input + output_tokens * price.output) / MILLION

    def _listed(self, usage: "AbstractUsage", model: str) -> float | None:
        from genai_prices import calc_price

        try:
            return float(calc_price(usage, model, provider_id=_LISTED_AS[self.name.provider]).total_price)
        except (LookupError, ValueError):
            return None

    def _nearest(self) -> str:
        from genai_prices.data_snapshot import get_snapshot

        listed = _LISTED_AS[self.name.provider]
        known = {each.id for maker in get_snapshot().providers if maker.id == listed for each in maker.models}
        near = get_close_matches(self.name.model, sorted(known), n=3, cutoff=0.5)
        return f"; the nearest names are {for_terminal(', '.join(near))}" if near else ""
