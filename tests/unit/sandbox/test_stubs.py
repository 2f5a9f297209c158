"""Tools become stubs that tell a type checker how each is called."""

import ast
from typing import Any

import pytest
from tests.unit.sandbox.sample_tools import INT, STR, tool

from toolbooth.catalog import Tool
from toolbooth.sandbox.stubs import chooser_stub, module_stub


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
