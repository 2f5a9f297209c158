"""Token counts of texts and tools, and their price in dollars."""

from toolbooth.lazy import exports

TYPE_CHECKING = False  # as in `typing`, which takes too long to import

if TYPE_CHECKING:
    from toolbooth.tokens.counting import (
        DEFAULT_ENCODING as DEFAULT_ENCODING,
        check_encoding as check_encoding,
        count as count,
        encodings as encodings,
    )
    from toolbooth.tokens.prices import (
        DEFAULT_MODEL as DEFAULT_MODEL,
        CarryPrice as CarryPrice,
        carry_price as carry_price,
    )
    from toolbooth.tokens.weights import Weight as Weight, Weights as Weights, weigh as weigh
else:
    __getattr__, __dir__, __all__ = exports(
        __name__,
        {
            "counting": "DEFAULT_ENCODING check_encoding count encodings",
            "prices": "CarryPrice DEFAULT_MODEL carry_price",
            "weights": "Weight Weights weigh",
        },
    )
