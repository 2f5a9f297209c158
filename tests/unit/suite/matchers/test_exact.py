"""`exact` is the very same value."""

from typing import Any

import pytest

from toolbooth.suite.matchers import MATCHERS


@pytest.mark.parametrize(
    ("argument", "found", "fits"),
    [
        ("a", "a", True),
        ("a", "A", False),
        (1, 1.0, True),
        (1, True, False),
        (False, 0, False),
        (None, None, True),
        ([1, 2], [1, 2], True),
        ([1, 2], [2, 1], False),
        ({"a": 1}, {"a": 1}, True),
        ({"a": 1}, {"a": 1, "b": 2}, False),
        ([1], [True], False),
        ({"a": 0}, {"a": False}, False),
    ],
)
def test_the_same_value_and_no_other(argument: Any, found: Any, fits: bool) -> None:
    assert MATCHERS["exact"].compile(argument)(found) is fits
