"""What can be said of all items of an array."""

from typing import Any

import pytest

from toolbooth.gateway.reduce.columns import all_scalar, columns, described, tells_apart


def told(values: list[Any]) -> Any:
    return described(columns([{"c": value} for value in values])).get("c")


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (list(range(100)), "0…99"),
        ([0.5, *range(1, 50)], "0.5…49"),
        (["a"] * 9, "all a"),
        (["open", "open", "closed"], {"open": 2, "closed": 1}),
        ([True, False, True, None], {"true": 2, "false": 1, "null": 1}),
        ([f"2026-01-{day:02}" for day in range(1, 20)], "2026-01-01…2026-01-19"),
        ([f"text {n}" for n in range(20)], "20 different"),
        ([[1], [1, 2, 3]], "lists of 1…3"),
    ],
)
def test_a_column_in_a_few_words(values: list[Any], words: Any) -> None:
    assert told(values) == words


def test_objects_in_a_column_give_columns_of_their_own() -> None:
    given = [{"user": {"login": "a", "n": n}} for n in range(20)]
    assert described(columns(given)) == {"user.login": "all a", "user.n": "0…19"}


def test_columns_that_are_listed_anyway_are_left_out() -> None:
    assert described(columns([{"id": 1, "b": 2}] * 3), without=("id",)) == {"b": "all 2"}


def test_rows_of_different_lengths_have_no_columns() -> None:
    assert columns([[1], [1, 2]]) == {}
    assert columns([[1, 2], [3, 4]]) == {"[0]": (1, 3), "[1]": (2, 4)}
    assert columns([{"a": 1}, 7]) == {}


def test_a_column_tells_apart_where_it_is_short_and_never_twice_the_same() -> None:
    assert tells_apart(["a", "b"], 10)
    assert not tells_apart(["a", "a"], 10)
    assert not tells_apart(["a" * 11, "b"], 10)
    assert all_scalar([1, None, "a"])
    assert not all_scalar([1, []])
