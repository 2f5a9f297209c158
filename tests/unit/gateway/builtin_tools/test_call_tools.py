"""The code that a model asks `call_tool_chain` to run."""

from typing import Any

import pytest

from toolbooth.errors import WrongArguments
from toolbooth.gateway.builtin_tools import RequestedCode, read_code


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"code": "1 + 1"}, "1 + 1"),
        ({"code": "```python\nx = 1\nx\n```"}, "x = 1\nx"),
        ({"code": "\n```\nx\n```\n"}, "x"),
        ({"code": "```py\r\nx\r\n```"}, "x"),
        ({"code": "\ufeffx"}, "x"),
        ({"code": "print('```')"}, "print('```')"),
        ({"code": {"tool": "a.b"}}, '{"tool":"a.b"}'),
        ({"tool": "a.b", "arguments": {"x": 1}}, '{"arguments":{"x":1},"tool":"a.b"}'),
    ],
)
def test_code_is_read_as_it_is_meant(given: dict[str, Any], code: str) -> None:
    assert read_code(given) == RequestedCode(code)


def test_intent_and_reduce_are_for_the_answer() -> None:
    assert read_code({"code": "1", "intent": "sums", "reduce": False}) == RequestedCode("1", "sums", False)


@pytest.mark.parametrize("code", [None, "", " \n", "```\n```", 5, []])
def test_without_code_it_is_said_how(code: object) -> None:
    with pytest.raises(WrongArguments, match="needs `code`, as in"):
        read_code({"code": code})
