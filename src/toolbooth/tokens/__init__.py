"""Token counts of texts and tools, and their price in dollars."""

from toolbooth.tokens.encodings import DEFAULT_ENCODING, check_encoding, count, encodings
from toolbooth.tokens.prices import DEFAULT_MODEL, CarryPrice, carry_price
from toolbooth.tokens.weigh import Weight, Weights, weigh

__all__ = [
    "DEFAULT_ENCODING",
    "DEFAULT_MODEL",
    "CarryPrice",
    "Weight",
    "Weights",
    "carry_price",
    "check_encoding",
    "count",
    "encodings",
    "weigh",
]
