"""Fields that a call asks for."""

from typing import Any

import pytest

from toolbooth.errors import WrongArguments
from toolbooth.gateway.reduce.selection import names_in, project

PAGE = {
    "items": [{"id": 1, "title": "a", "body": "x"}, {"id": 2}, {"body": "y"}],
    "total": 3,
    "a.b": {"c": 1},
}


@pytest.mark.parametrize(
    ("fields", "left"),
    [
        (["items[].id", "items[].title"], {"items": [{"id": 1, "title": "a"}, {"id": 2}, {}]}),
        (["items.id"], {"items": [{"id": 1}, {"id": 2}, {}]}),
        (["items[*].id", "total"], {"items": [{"id": 1}, {"id": 2}, {}], "total": 3}),
        (['"a.b".c'], {"a.b": {"c": 1}}),
        (["total", "nowhere"], {"total": 3}),
    ],
)
def test_only_these_stay_in_their_places(fields: list[str], left: Any) -> None:
    assert project(PAGE, fields) == left


def test_a_field_of_a_list_needs_no_sign() -> None:
    assert project([{"id": 1, "b": 2}], ["[].id"]) == project([{"id": 1, "b": 2}], ["id"]) == [{"id": 1}]


def test_none_of_them_is_nothing() -> None:
    assert project(PAGE, ["nowhere"]) is None
    assert names_in(PAGE) == ["items[].id", "items[].title", "items[].body", "total", "a.b"]


def test_what_is_no_field_is_said() -> None:
    with pytest.raises(WrongArguments, match=r"write fields like items\[\].id"):
        project(PAGE, ["items[0].id"])
