"""Numbers as people type them."""

import argparse

import pytest

from toolbooth.cli.arguments import positive, tokens


@pytest.mark.parametrize(
    ("text", "value"),
    [("0", 0), ("8k", 8000), ("1.5K", 1500), ("8_000", 8000), ("8,000", 8000), ("1,234.5k", 1_234_500)],
)
def test_a_number_of_tokens(text: str, value: int) -> None:
    assert tokens(text) == value


@pytest.mark.parametrize("text", ["", "k", "1.5", "1,5k", "-1", "1e3", "٣", "0.0001k", "9" * 5000, "nan"])
def test_what_is_no_whole_number_is_refused(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError):
        tokens(text)


def test_some_numbers_must_be_above_zero() -> None:
    assert positive("1") == 1
    with pytest.raises(argparse.ArgumentTypeError):
        positive("0")
