"""What a suite may set for a provider, with the defaults."""

from dataclasses import dataclass
from typing import NamedTuple

from toolbooth.limits import MODEL_OUTPUT, MODEL_RETRIES, MODEL_TIMEOUT


class Price(NamedTuple):
    """Dollars per million tokens, for a model that the price list does not know."""

    input: float
    output: float


@dataclass(frozen=True)
class ProviderSettings:
    """`api_key_env` names the variable that holds the key: a key itself never stands in a suite.

    `seed` is sent where the provider takes one, and makes the pauses between retries repeatable.
    """

    base_url: str | None = None
    api_key_env: str | None = None
    temperature: float | None = None
    max_tokens: int = MODEL_OUTPUT
    timeout: float = MODEL_TIMEOUT
    retries: int = MODEL_RETRIES
    price: Price | None = None
    seed: int | None = None
