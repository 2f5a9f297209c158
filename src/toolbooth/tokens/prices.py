"""The price of carrying tokens on every call of a model, per thousand calls, with and without prompt caching."""

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from toolbooth import errors, suggest

if TYPE_CHECKING:
    from genai_prices.types import PriceCalculation

DEFAULT_MODEL = "claude-sonnet-5-5"
CALLS = 1000


@dataclass(frozen=True)
class CarryPrice:
    """Dollars for sending a surface with each of 1,000 calls; `cached` is None if the model has no cache price."""

    model: str
    provider: str
    tokens: int
    uncached: Decimal
    cached: Decimal | None


def carry_price(tokens: int, model: str = DEFAULT_MODEL) -> CarryPrice:
    """The price of carrying `tokens` for 1,000 calls.

    Cached means one cache write, then 999 reads. `model` may name its provider: `openai:gpt-4o`. Raises UnknownModel
    instead of guessing.
    """
    once = _price(model, input_tokens=tokens)
    return CarryPrice(
        once.model.id, once.provider.id, tokens, once.total_price * CALLS, _cached(model, tokens, once)
    )


def _cached(model: str, tokens: int, once: "PriceCalculation") -> Decimal | None:
    if once.model_price.cache_read_mtok is None:
        return None
    read = _price(model, input_tokens=tokens, cache_read_tokens=tokens).total_price
    first = once.total_price
    if once.model_price.cache_write_mtok is not None:
        first = _price(model, input_tokens=tokens, cache_write_tokens=tokens).total_price
    return first + read * (CALLS - 1)


def _price(model: str, **tokens: int) -> "PriceCalculation":
    from genai_prices import Usage, calc_price  # the import takes 0.2 s; only a report with prices needs it

    provider, _, name = model.rpartition(":")
    try:
        return calc_price(Usage(**tokens), name, provider_id=provider or None)
    except LookupError:
        raise errors.UnknownModel(f"no price is known for {model!r}{_nearest(name)}") from None


def _nearest(name: str) -> str:
    from genai_prices.data_snapshot import get_snapshot

    known = {model.id for provider in get_snapshot().providers for model in provider.models}
    near = suggest.closest(name, sorted(known), count=3, alike=50)
    return f"; the nearest names are {', '.join(near)}" if near else "; name one as provider:model"
