"""Where several schemas would do, the problem is named by the one that was probably meant."""

from typing import Any

import pytest

from toolbooth.catalog import Tool
from toolbooth.gateway.arguments import check_arguments

STR, INT, NULL = {"type": "string"}, {"type": "integer"}, {"type": "null"}
CIRCLE = {"properties": {"kind": {"const": "circle"}, "radius": INT}, "required": ["kind", "radius"]}
SQUARE = {"properties": {"kind": {"const": "square"}, "side": INT}, "required": ["kind", "side"]}


def of(value: Any, *branches: Any, word: str = "anyOf") -> list[str]:
    tool = Tool("", "t", input_schema={"properties": {"x": {word: list(branches)}}})
    return [problem.message for problem in check_arguments(tool, {"x": value})]


@pytest.mark.parametrize("word", ["anyOf", "oneOf"])
@pytest.mark.parametrize(
    ("value", "branches", "messages"),
    [
        ([], (STR, NULL), ['"x" must be str|null, not list']),
        ("c", ({"const": "a"}, {"const": "b"}), ['"x" must be one of a|b']),
        ("c", ({"enum": ["a", "b"]}, NULL), ['"x" must be one of a|b']),
        ("c", ({"type": "string", "enum": ["a", "b"]}, NULL), ['"x" must be one of a|b']),
        ("", ({"type": "string", "minLength": 1}, INT), ['"x" must have at least 1 character']),
        ({"kind": "square", "side": "1"}, (CIRCLE, SQUARE), ['"x.side" must be int, not str "1"']),
        ({"kind": "circle"}, (SQUARE, CIRCLE), ['missing required "x.radius"']),
        ([1, "a"], ({"items": INT, "type": "array"}, STR), ['"x[1]" must be int, not str "a"']),
    ],
)
def test_the_branch_that_was_meant_speaks(word: str, value: Any, branches: Any, messages: list[str]) -> None:
    assert of(value, *branches, word=word) == messages


def test_a_value_of_two_kinds_where_one_is_wanted_is_said() -> None:
    assert of(1, INT, {"minimum": 0}, word="oneOf") == [
        '"x" must match exactly one alternative of the tool\'s schema; it matches several'
    ]
