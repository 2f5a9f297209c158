"""Schemas of arguments become types that accept no less than they do."""

from typing import Any

import pytest
from tests.unit.sandbox.sample_tools import INT, STR

from toolbooth.sandbox.schema_types import type_of


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        (STR, "str"),
        (INT, "int"),
        ({"type": "number"}, "float"),
        ({"type": "boolean"}, "bool"),
        ({"type": "null"}, "None"),
        ({"type": "object", "properties": {"a": STR}}, "dict[str, Any]"),
        ({"type": "array"}, "list[Any]"),
        ({"type": "array", "items": STR}, "list[str]"),
        ({"type": "array", "items": {"type": "number"}}, "list[float] | list[int]"),
        ({"type": ["string", "null"]}, "str | None"),
        ({"anyOf": [INT, {"type": "null"}]}, "int | None"),
        ({"oneOf": [STR, STR]}, "str"),
        ({"anyOf": [INT, {}]}, "Any"),
        ({"anyOf": []}, "Any"),
        ({"const": "push"}, "Literal['push']"),
        ({"enum": ["a", 1, None, True]}, "Literal['a', 1, None, True]"),
        ({"enum": ["größe"]}, "Literal['gr\\xf6\\xdfe']"),
        ({"enum": [1.5]}, "Any"),
        ({"enum": []}, "Any"),
        ({"enum": ["x" * 101, "y"]}, "str"),
        ({"enum": [10**16, "x"]}, "int | str"),
        ({"enum": [str(n) for n in range(61)]}, "str"),
        ({"enum": [str(n) for n in range(2_000)]}, "Any"),
        ({"type": "string", "allOf": [{}]}, "Any"),
        ({"type": "file"}, "Any"),
        ({"type": 7}, "Any"),
        ({"type": [7, []]}, "Any"),
        ({}, "Any"),
        (True, "Any"),
        (None, "Any"),
    ],
)
def test_a_schema_has_its_type(schema: Any, text: str) -> None:
    assert type_of(schema, {}) == text


def test_references_are_followed_and_rings_end() -> None:
    root = {"$defs": {"A": {"$ref": "#/$defs/B"}, "B": STR, "Ring": {"$ref": "#/$defs/Ring"}}}
    assert type_of({"$ref": "#/$defs/A"}, root) == "str"
    assert type_of({"$ref": "#/$defs/Ring"}, root) == "Any"
    assert type_of({"$ref": "#/$defs/Gone"}, root) == "Any"


def test_lists_of_lists_end_somewhere() -> None:
    root: dict[str, Any] = {"$defs": {"L": {"type": "array", "items": {"$ref": "#/$defs/L"}}}}
    assert type_of({"$ref": "#/$defs/L"}, root) == "list[list[list[list[Any]]]]"


def test_a_type_too_long_to_read_is_anything() -> None:
    assert type_of({"enum": [f"{n}{'x' * 90}" for n in range(50)]}, {}) == "Any"


@pytest.mark.parametrize("word", ["anyOf", "oneOf"])
def test_choices_that_share_references_are_not_unfolded(word: str) -> None:
    """A kilobyte that would be looked at a billion times."""
    steps = {f"d{n}": {word: [{"$ref": f"#/$defs/d{n + 1}"}] * 1_000} for n in range(3)}
    root = {"$defs": {**steps, "d3": STR}}
    assert type_of({"$ref": "#/$defs/d0"}, root) == "Any"


def test_very_many_kinds_are_anything() -> None:
    assert type_of({"type": ["array"] * 50_000, "items": STR}, {}) == "Any"
