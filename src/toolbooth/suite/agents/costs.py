"""The cost of a conversation: its tokens, their price, and the budget that refuses a call before it is made.

Prices come from the suite or from the bundled price list; nothing is fetched.
"""

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from toolbooth import errors, figures, safetext, suggest, tokens
from toolbooth.suite.agents import conversation, model_name
from toolbooth.suite.spec.suite import TokenPrice

if TYPE_CHECKING:
    from genai_prices.types import AbstractUsage
    from pydantic_ai.usage import RequestUsage


class TokenCounter:
    """The tokens of the next model call. They grow with each turn, because every call repeats the conversation."""

    def __init__(self, opening: conversation.Opening) -> None:
        self.surface = menu_tokens(opening.menu)
        self.tokens = self.surface + tokens.count(opening.system_prompt) + tokens.count(opening.prompt)

    def add_turn(self, reply: conversation.Reply, results: Sequence[conversation.ToolUseResult]) -> None:
        """Add a turn."""
        self.tokens += output_tokens(reply) + sum(tokens.count(each.text) for each in results)


def menu_tokens(menu: Sequence[Mapping[str, Any]]) -> int:
    """The tokens of a menu, counted as everywhere else."""
    return tokens.weigh(list(menu)).total_tokens


def output_tokens(reply: conversation.Reply) -> int:
    """The tokens that the model wrote."""
    written = (
        f"{use.name}{json.dumps(use.arguments, ensure_ascii=False, default=str)}" for use in reply.uses
    )
    return tokens.count(reply.text) + sum(map(tokens.count, written))


class Budget:
    """The budget of one test; `above` is that of the suite. A reserved sum counts as spent until it is settled."""

    def __init__(self, dollars: float | None = None, whose: str = "", above: "Budget | None" = None) -> None:
        self._dollars, self._whose, self._above = dollars, whose, above
        self.spent = 0.0

    @property
    def limited(self) -> bool:
        """Whether there is a limit at all."""
        return self._dollars is not None or (self._above is not None and self._above.limited)

    def reserve(self, dollars: float) -> None:
        """Reserve a sum. Raises Refused, and reserves nothing, if the sum could exceed the budget."""
        if self._dollars is not None and self.spent + dollars > self._dollars:
            raise errors.Refused(
                f"the next model call could cost {figures.dollars(dollars)}, but {figures.dollars(self.spent)} of "
                f"the {figures.dollars(self._dollars)} budget of {self._whose} is already spent or reserved; "
                "raise `budget`, or lower `max_tokens` or `runs`"
            )
        if self._above is not None:
            self._above.reserve(dollars)
        self.spent += dollars

    def settle(self, reserved: float, cost: float) -> None:
        """Replace a reserved sum by the actual cost."""
        self.spent += cost - reserved
        if self._above is not None:
            self._above.settle(reserved, cost)


MILLION: Final = 1_000_000
_LISTED_AS: Final = {
    "anthropic": "anthropic",
    "openai": "openai",
    "openai-chat": "openai",
    "openai-responses": "openai",
    "google": "google",
}


class Prices:
    """The prices of one model. A model of a provider without list prices is free unless the suite has a price."""

    def __init__(self, name: model_name.ModelName, own: TokenPrice | None = None) -> None:
        self.name, self.own = name, own

    def of_tokens(self, input_tokens: int, output_tokens: int) -> float | None:
        """Dollars for this many tokens; None for a free model. Raises UnknownModel if a list price is missing."""
        from genai_prices import Usage

        if self.own:
            return self._by_own(input_tokens, output_tokens)
        if self.name.provider not in _LISTED_AS:
            return None
        dollars = self._listed(Usage(input_tokens=input_tokens, output_tokens=output_tokens), self.name.model)
        if dollars is None:
            raise errors.UnknownModel(f"no price is known for {self.name}{self._nearest()}; set its `price`")
        return dollars

    def of_usage(self, usage: "RequestUsage", served_as: str | None) -> float | None:
        """Dollars for one answer, cache prices included; None if no price is known."""
        if self.own:
            return self._by_own(usage.input_tokens, usage.output_tokens)
        if self.name.provider not in _LISTED_AS:
            return None
        dollars = self._listed(usage, served_as) if served_as else None
        return dollars if dollars is not None else self._listed(usage, self.name.model)

    def _by_own(self, input_tokens: int, output_tokens: int) -> float:
        price = self.own or TokenPrice(0, 0)
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
        near = suggest.closest(self.name.model, sorted(known), count=3, alike=50.0)
        return f"; similar names are {safetext.for_terminal(', '.join(near))}" if near else ""
