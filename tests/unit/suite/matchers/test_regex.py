"""`regex` finds in linear time, and takes nothing that could take longer."""

from typing import Any

import pytest

from toolbooth.suite.matchers import MATCHERS, BadArgument

compile_regex = MATCHERS["regex"].compile


@pytest.mark.parametrize(
    ("pattern", "found", "fits"),
    [
        ("ell", "hello", True),
        ("^ell", "hello", False),
        ("(?i)HELLO", "hello", True),
        (r"T-[0-9]{3}\b", "opened T-142.", True),
        ("x", None, False),
        ("1", 1, False),
        ("", "", True),
    ],
)
def test_a_pattern_is_found_in_text(pattern: str, found: Any, fits: bool) -> None:
    assert compile_regex(pattern)(found) is fits


@pytest.mark.parametrize("pattern", ["(", "[", "a{2,1}", "(?=a)", "(?<!a)b", r"(a)\1", 3, None, ["a"]])
def test_what_is_no_pattern_is_refused_when_the_suite_is_read(pattern: Any) -> None:
    with pytest.raises(BadArgument):
        compile_regex(pattern)


def test_a_pattern_that_would_backtrack_ends() -> None:
    assert not compile_regex(r"^(a+)+$")("a" * 100_000 + "b")
