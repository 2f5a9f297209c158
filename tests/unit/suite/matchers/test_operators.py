"""`>=` and its siblings compare numbers; nothing else is a number."""

from typing import Any

import pytest

from toolbooth.suite.matchers import MATCHERS, BadArgument


@pytest.mark.parametrize(
    ("word", "below", "same", "above"),
    [
        (">=", False, True, True),
        (">", False, False, True),
        ("<=", True, True, False),
        ("<", True, False, False),
        ("==", False, True, False),
        ("!=", True, False, True),
    ],
)
def test_a_number_is_compared(word: str, below: bool, same: bool, above: bool) -> None:
    fits = MATCHERS[word].compile(80)
    assert (fits(79), fits(80), fits(80.5)) == (below, same, above)


@pytest.mark.parametrize("word", [">=", ">", "<=", "<"])
@pytest.mark.parametrize("found", ["80", None, True, [80], {}])
def test_what_is_no_number_never_fits_an_order(word: str, found: Any) -> None:
    assert not MATCHERS[word].compile(0)(found)


@pytest.mark.parametrize("word", [">=", ">", "<=", "<"])
@pytest.mark.parametrize("argument", ["80", None, True, [1]])
def test_an_order_takes_a_number(word: str, argument: Any) -> None:
    with pytest.raises(BadArgument, match="takes a number"):
        MATCHERS[word].compile(argument)


def test_sameness_takes_any_value() -> None:
    assert MATCHERS["=="].compile("a")("a")
    assert MATCHERS["!="].compile("a")(1)
    assert MATCHERS["=="].compile([1, {"a": 2}])([1, {"a": 2}])


@pytest.mark.parametrize(("one", "other"), [(True, 1), (0, False)])
def test_truth_is_no_number(one: Any, other: Any) -> None:
    assert not MATCHERS["=="].compile(one)(other)
    assert MATCHERS["!="].compile(one)(other)
