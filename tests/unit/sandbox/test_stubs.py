"""Tools become stubs that tell a type checker how each is called."""

import ast
from typing import Any

import pytest
from tests.unit.sandbox.sample_tools import INT, STR, tool

from toolbooth.catalog import Tool
from toolbooth.sandbox.stubs import chooser_stub, module_stub, type_of


def shown(made: Tool) -> str:
    """What stands between the brackets."""
    line = module_stub({"f": made}).splitlines()[-1]
    return line.removeprefix("async def f(").removesuffix(") -> Any: ...")


def test_required_arguments_have_no_default() -> None:
    assert shown(tool("s", "t", "key", key=STR, limit=INT)) == "*, key: str, limit: int = ..."


def test_a_name_that_is_no_python_is_taken_as_any_other() -> None:
    made = tool("s", "t", "key", key=STR, **{"per-page": INT, "class": STR, "self": STR, "größe": STR})
    assert shown(made) == "*, key: str, **kwargs: Any"


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        (None, "**kwargs: Any"),
        ({}, "**kwargs: Any"),
        ({"additionalProperties": False}, ""),
        ({"properties": {"a": STR}}, "*, a: str = ..."),
        ({"properties": {"a": STR}, "additionalProperties": True}, "*, a: str = ..., **kwargs: Any"),
        ({"properties": {"a": STR}, "additionalProperties": INT}, "*, a: str = ..., **kwargs: Any"),
        ({"properties": {"a": STR}, "patternProperties": {"x": STR}}, "*, a: str = ..., **kwargs: Any"),
    ],
)
def test_other_arguments_are_taken_where_the_schema_wants_them(schema: Any, text: str) -> None:
    assert shown(Tool("s", "t", "", schema)) == text


def test_one_choice_by_text_has_its_own_type() -> None:
    stub = chooser_stub({"my-server.get-x": tool("my-server", "get-x", "key", key=STR)}, any_tool=False)
    assert "async def __call__(self, *, key: str) -> Any" in stub
    assert "name: Literal['my-server.get-x']) -> _T0" in stub
    assert "@overload" not in stub


def test_several_choices_are_overloads() -> None:
    stub = chooser_stub({"a.b": tool("a", "b")}, any_tool=True)
    assert stub.count("@overload") == 2
    assert "name: str) -> Any" in stub


@pytest.mark.parametrize("any_tool", [True, False])
def test_every_stub_is_python(any_tool: bool) -> None:
    odd = tool("s", "t", 'a"b', **{'a"b': STR, "x": {"enum": ['"', "\\", "\n", "\ud800"]}})
    ast.parse(module_stub({"t": odd}))
    ast.parse(chooser_stub({'s."\n\\': odd}, any_tool))
    ast.parse(chooser_stub({}, any_tool))


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
