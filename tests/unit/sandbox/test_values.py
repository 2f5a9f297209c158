"""Values leave the sandbox in JSON's own types, and none that is too large."""

import datetime
import json
from decimal import Decimal
from pathlib import PurePosixPath
from typing import Any

import pytest

from toolbooth.limits import CODE_VALUE, MAX_JSON_DEPTH, QUICK_VALUES
from toolbooth.sandbox.values import ValueTooLarge, plain, whole


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ((1, 2), [1, 2]),
        ({"b", "a"}, ["a", "b"]),
        ({1: 2, (1, 2): 3, None: 4}, {"1": 2, "[1, 2]": 3, "None": 4}),
        (float("nan"), "nan"),
        (float("-inf"), "-inf"),
        (True, True),
        (b"text", "text"),
        (b"\xff\xfe", "//4="),
        (datetime.date(2026, 1, 2), "2026-01-02"),
        (datetime.datetime(2026, 1, 2, 3), "2026-01-02T03:00:00"),
        (Decimal("1.5"), "1.5"),
        (PurePosixPath("/a"), "/a"),
        (range(3), "range(0, 3)"),
        (ValueError("x"), "ValueError: x"),
        ("\ud800", "?"),
        pytest.param(10**5_000, "an integer of about 5001 digits", id="a long integer"),
    ],
)
def test_what_json_has_no_word_for_is_written_as_text(value: Any, written: Any) -> None:
    assert whole(value) == written
    json.dumps(whole(value))


def test_an_instance_of_a_class_is_its_attributes() -> None:
    class Instance:
        def __init__(self) -> None:
            self.attributes = {"a": (1,)}

    assert whole(Instance()) == {"a": [1]}


def nested(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


def test_depth_is_bounded() -> None:
    assert whole(nested(MAX_JSON_DEPTH)) == nested(MAX_JSON_DEPTH)
    with pytest.raises(ValueTooLarge, match="levels deep"):
        whole(nested(MAX_JSON_DEPTH + 1))


def test_a_ring_is_too_deep() -> None:
    ring: list[Any] = []
    ring.append(ring)
    with pytest.raises(ValueTooLarge, match="levels deep"):
        whole(ring)


def test_shared_lists_are_counted_as_often_as_they_would_be_written() -> None:
    value: list[Any] = ["ha"]
    for _ in range(60):
        value = [value, value]
    with pytest.raises(ValueTooLarge, match="parts"):
        whole(value)


@pytest.mark.parametrize(
    "value",
    ["x" * (CODE_VALUE + 1), ["x" * (CODE_VALUE // 4)] * 5, {"x" * CODE_VALUE: "xx"}],
    ids=["one text", "several", "a key"],
)
def test_characters_are_counted(value: Any) -> None:
    with pytest.raises(ValueTooLarge, match="characters"):
        whole(value)


@pytest.mark.anyio
async def test_a_long_value_comes_out_as_a_short_one_does() -> None:
    long = list(range(QUICK_VALUES * 3))
    assert await plain(long) == long
    assert await plain([(1,)]) == [[1]]


@pytest.mark.anyio
async def test_what_is_too_much_is_so_in_a_thread_too() -> None:
    with pytest.raises(ValueTooLarge, match="levels deep"):
        await plain(nested(1_000))
