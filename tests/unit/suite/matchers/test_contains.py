"""`contains`, `icontains` and `contains-all` look into texts and lists."""

from typing import Any

import pytest

from toolbooth.suite.matchers import MATCHERS, BadArgument


@pytest.mark.parametrize(
    ("word", "argument", "found", "fits"),
    [
        ("contains", "ell", "hello", True),
        ("contains", "ELL", "hello", False),
        ("contains", 3, "room 3", True),
        ("contains", "b", ["a", "b"], True),
        ("contains", "b", ("a", "bc"), False),
        ("contains", "b", {"b": 1}, True),
        ("contains", "b", None, False),
        ("contains", "1", 1, False),
        ("icontains", "ELL", "hello", True),
        ("icontains", "straße", "STRASSE 3", True),
        ("icontains", "B", ["a", "b"], True),
        ("icontains", "x", ["a", 1], False),
        ("icontains", "x", None, False),
        ("contains-all", ["h", "o"], "hello", True),
        ("contains-all", ["h", "x"], "hello", False),
        ("contains-all", ["a", "b"], ["b", "c", "a"], True),
        ("contains-all", ["a"], [], False),
    ],
)
def test_a_part_is_found(word: str, argument: Any, found: Any, fits: bool) -> None:
    assert MATCHERS[word].compile(argument)(found) is fits


@pytest.mark.parametrize(("argument", "found"), [([1], {"a": 1}), ({"a": 1}, {"a": 1}), ([1], [[1]])])
def test_a_part_that_is_no_key_does_not_break(argument: Any, found: Any) -> None:
    assert MATCHERS["contains"].compile(argument)(found) is isinstance(found, list)


@pytest.mark.parametrize(
    ("word", "argument"), [("icontains", 3), ("contains-all", "abc"), ("contains-all", [])]
)
def test_what_cannot_be_is_refused(word: str, argument: Any) -> None:
    with pytest.raises(BadArgument):
        MATCHERS[word].compile(argument)
