"""The words of the ledger's tables."""

from decimal import Decimal

import pytest

from toolbooth.cli.stats_words import share, signed, signed_dollars, took


@pytest.mark.parametrize(
    ("ms", "words"),
    [(0.04, "0.0 ms"), (3.21, "3.2 ms"), (12.3, "12 ms"), (2450.0, "2,450 ms"), (61_500.0, "61.5 s")],
)
def test_times_have_the_digits_that_tell_something(ms: float, words: str) -> None:
    assert took(ms) == words


def test_what_is_below_zero_has_a_minus_sign() -> None:
    assert (signed(-1234), signed(1234)) == ("−1,234", "1,234")
    assert (signed_dollars(Decimal("-1.5")), signed_dollars(Decimal("1.5"))) == ("−$1.50", "$1.50")
    assert (share(-3.04), share(99.96)) == ("−3.0%", "100.0%")
