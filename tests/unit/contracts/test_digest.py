"""Digests of values that RFC 8785 does not know: each has one of its own, and none raises."""

from typing import Any

import pytest

from toolbooth.catalog import decode
from toolbooth.contracts import digest_of


@pytest.mark.parametrize(
    "text",
    [
        "9" * 305,
        "1e308",
        "-0.0",
        "9007199254740993",
        "5e-324",
        "[" * 200 + "]" * 200,
        '{"\\u0000": "\\u007f"}',
    ],
)
def test_strange_texts_have_a_digest(text: str) -> None:
    assert digest_of(decode(text.encode()))


def test_neighbours_that_a_double_confuses_differ() -> None:
    lost = float(123456789012345680001)
    assert len({digest_of(each) for each in (lost, 123456789012345680001, 123456789012345680000)}) == 3
    assert digest_of(lost) == digest_of(int(lost))
    assert digest_of(1e21) == digest_of(10**21)


@pytest.mark.parametrize(
    "value",
    [float("nan"), float("inf"), -float("inf"), 10**5000, "\ud800"],
    ids=["nan", "inf", "-inf", "huge", "lone"],
)
def test_what_json_does_not_even_know_has_a_digest_of_its_own(value: Any) -> None:
    others = [0, "NaN", "Infinity", "-Infinity", "\ud801", None]
    assert digest_of(value) not in {digest_of(other) for other in others}


def test_halves_of_a_character_are_sorted_the_same_in_any_order() -> None:
    halves, whole = "\ud83d\ude00", "😀"
    assert digest_of({halves: 1, whole: 2}) == digest_of({whole: 2, halves: 1})


def test_what_is_no_json_is_a_mistake_of_ours() -> None:
    with pytest.raises(TypeError, match="set is not JSON"):
        digest_of({"x": {1}})
