"""Net saved tokens × a model → dollars, each token read once."""

from decimal import Decimal
from functools import cache
from typing import NamedTuple

from toolbooth.errors import UnknownModel
from toolbooth.gateway.ledger.stats import Price
from toolbooth.tokens import carry_price

_THOUSAND = (
    1000  # tokens, carried for a thousand calls, are a million: priced so, no tier for long prompts applies
)


class Priced(NamedTuple):
    """A price, or why there is none."""

    price: Price | None
    note: str | None


class _Rate(NamedTuple):
    model: str
    dollars_per_million: Decimal


def priced(tokens: int, model: str) -> Priced:
    """What so many tokens cost this model to read."""
    try:
        rate = _rate(model)
    except UnknownModel as error:
        return Priced(None, str(error))
    return Priced(Price(*rate, rate.dollars_per_million * tokens / 1_000_000), None)


@cache
def _rate(model: str) -> _Rate:
    carried = carry_price(_THOUSAND, model)
    return _Rate(carried.model, carried.uncached)
