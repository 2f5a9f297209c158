"""Arrays of items with the same keys."""

from typing import Any

import pytest

from toolbooth.catalog.config import Reduction
from toolbooth.gateway.reduce.collapse import (
    IDENTITY,
    all_scalar,
    collapse,
    columns,
    described,
    distinguishes,
)
from toolbooth.gateway.reduce.hidden import NOT_SHOWN, Summary


def items(many: int, **more: Any) -> list[dict[str, Any]]:
    return [{"id": n, "title": f"t{n}", "body": "long " * 20, **more} for n in range(many)]


def summary_of(value: Any) -> Summary:
    assert isinstance(value[-1], Summary)
    return value[-1]


def test_the_first_three_stay_in_full() -> None:
    given = items(250)
    found = collapse(given, Reduction())
    assert found[:3] == given[:3]
    assert len(found) == 4
    hidden = summary_of(found)[NOT_SHOWN]
    assert hidden.what.startswith("247 of 250 items")
    assert hidden.path == "[3:]"


def test_three_or_fewer_stay_as_they_are() -> None:
    three = items(3)
    assert collapse(three, Reduction()) is three


def test_the_number_can_be_tuned_and_the_step_turned_off() -> None:
    given = items(20)
    assert collapse(given, Reduction(collapse_over=5))[:5] == given[:5]
    assert collapse(given, Reduction(collapse=False)) is given


def test_a_limit_cuts_any_array() -> None:
    found = collapse({"n": list(range(9))}, Reduction(collapse=False, limit=2))
    assert found["n"][:2] == [0, 1]
    assert summary_of(found["n"])[NOT_SHOWN].path == "n[2:]"
    assert collapse([[1], [1, 2], [3]], Reduction(limit=1))[0] == [1]


@pytest.mark.parametrize("name", IDENTITY)
def test_the_rest_is_named_by_what_distinguishes_items(name: str) -> None:
    given = [{name: f"x{n}", "body": "long " * 20} for n in range(30)]
    assert summary_of(collapse(given, Reduction()))[f"rest by {name}"] == [f"x{n}" for n in range(3, 30)]


def test_the_names_are_the_seeds() -> None:
    assert IDENTITY == ("id", "name", "title", "slug", "key", "label")


def test_columns_are_shown_by_ranges_and_counts() -> None:
    given = [
        {**each, "state": "open" if each["id"] < 2 else "closed", "n": each["id"] / 2} for each in items(40)
    ]
    columns = summary_of(collapse(given, Reduction()))["all 40"]
    assert columns["state"] == {"closed": 38, "open": 2}
    assert columns["n"] == "0.0…19.5"


def test_arrays_at_any_depth_are_collapsed_with_their_path() -> None:
    given = {"a": [{"b": {"c d": items(30)}}]}
    inner = collapse(given, Reduction())["a"][0]["b"]["c d"]
    assert summary_of(inner)[NOT_SHOWN].path == 'a[0].b."c d"[3:]'


def test_keys_may_be_missing_here_and_there() -> None:
    given = [
        {key: value for key, value in each.items() if each["id"] % 5 or key != "title"} for each in items(40)
    ]
    assert len(collapse(given, Reduction())) == 4


@pytest.mark.parametrize("other", ["text", 7, {"quite": 1, "another": 2, "thing": 3}])
def test_items_of_another_kind_are_no_table(other: Any) -> None:
    given = [each for pair in zip(items(20), [other] * 20, strict=True) for each in pair]
    if isinstance(other, dict):
        given = [{f"k{n}": "long " * 20} for n in range(40)]
    assert collapse(given, Reduction()) is given


def test_rows_of_the_same_length_are_a_table() -> None:
    given = [[n, f"name {n}", "long " * 20] for n in range(40)]
    assert "[1]" in summary_of(collapse(given, Reduction()))["all 40"] or "rest by [0]" in summary_of(
        collapse(given, Reduction())
    )


def test_a_rest_with_nulls_is_read_with_the_whole_list() -> None:
    given = {"a": [1, 2, 3, None, None, *range(9)]}
    assert summary_of(collapse(given, Reduction(limit=2))["a"])[NOT_SHOWN].path == "a"


def test_what_is_short_is_not_worth_a_second_call() -> None:
    given = [{"id": n} for n in range(9)]
    assert collapse(given, Reduction()) is given


def reported(values: list[Any]) -> Any:
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
    assert reported(values) == words


def test_objects_in_a_column_give_columns_of_their_own() -> None:
    given = [{"user": {"login": "a", "n": n}} for n in range(20)]
    assert described(columns(given)) == {"user.login": "all a", "user.n": "0…19"}


def test_columns_that_are_listed_anyway_are_left_out() -> None:
    assert described(columns([{"id": 1, "b": 2}] * 3), without=("id",)) == {"b": "all 2"}


def test_rows_of_different_lengths_have_no_columns() -> None:
    assert columns([[1], [1, 2]]) == {}
    assert columns([[1, 2], [3, 4]]) == {"[0]": (1, 3), "[1]": (2, 4)}
    assert columns([{"a": 1}, 7]) == {}


def test_a_column_distinguishes_if_it_is_short_and_never_twice_the_same() -> None:
    assert distinguishes(["a", "b"], 10)
    assert not distinguishes(["a", "a"], 10)
    assert not distinguishes(["a" * 11, "b"], 10)
    assert all_scalar([1, None, "a"])
    assert not all_scalar([1, []])
