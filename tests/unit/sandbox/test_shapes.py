"""What an answer is made of, in one short line."""

from typing import Any

import pytest

from toolbooth.sandbox import schema_shape, value_shape

TICKET: dict[str, Any] = {"type": "object", "properties": {"key": {}, "labels": {"type": "array"}}}


@pytest.mark.parametrize(
    ("value", "shape"),
    [
        (
            {"total": 1, "rows": [{"id": 1, "by": {"name": "x"}}, {"other": 2}]},
            "{total, rows:[{id, by:{name}}]}",
        ),
        ([], "[]"),
        ([[1]], "[[]]"),
        ("text", ""),
        (None, ""),
        ({}, "{}"),
        ({str(n): n for n in range(14)}, "{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, …+2}"),
        ({"a": {"b": {"c": {"d": {"e": 1}}}}}, "{a:{b:{c:{d:{…}}}}}"),
        ({"esc\x1b[0m\n": 1}, "{esc}"),
    ],
)
def test_a_value_is_recognized_by_its_keys(value: Any, shape: str) -> None:
    assert value_shape(value) == shape


@pytest.mark.parametrize(
    ("schema", "shape"),
    [
        (None, ""),
        ({"type": "object"}, ""),
        (TICKET, "{key, labels:[]}"),
        ({"properties": {"rows": {"items": TICKET}}}, "{rows:[{key, labels:[]}]}"),
        ({"properties": {"a": {"$ref": "#/$defs/T"}}, "$defs": {"T": TICKET}}, "{a:{key, labels:[]}}"),
        ({"properties": {"a": {"anyOf": [{"type": "null"}, TICKET]}}}, "{a:{key, labels:[]}}"),
        ({"properties": {"self": {"$ref": "#"}}}, "{self:{self:{self:{self:{…}}}}}"),
        ({"$ref": "#"}, ""),
        ({"properties": 5, "anyOf": 3, "items": 4}, "[]"),
    ],
)
def test_a_schema_is_reported_the_same_way(schema: dict[str, Any] | None, shape: str) -> None:
    assert schema_shape(schema) == shape


def test_a_schema_that_refers_to_itself_a_thousand_times_costs_no_time() -> None:
    wide = {"anyOf": [{"$ref": "#/$defs/a"}] * 1000}
    assert schema_shape({**wide, "$defs": {"a": wide}}) == ""


def test_no_line_is_long() -> None:
    wide = {"k" * 40 + str(n): {"k" * 40: n} for n in range(50)}
    assert len(value_shape(wide)) <= 300
