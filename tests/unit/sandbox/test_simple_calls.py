"""Code that is nothing but one call is known without the sandbox; everything else is left to it."""

import warnings
from typing import Any

import pytest

from toolbooth.limits import ONE_LINE
from toolbooth.sandbox import SimpleCall, simple_call


@pytest.mark.parametrize(
    ("code", "name", "arguments"),
    [
        ("await shop.get(key='a')", "shop.get", {"key": "a"}),
        ("  await shop . get ( key = 'a', )\n", "shop.get", {"key": "a"}),
        ("await shop.get()", "shop.get", {}),
        ("await tools['my-server.get-x'](key=1)", "my-server.get-x", {"key": 1}),
        ('await tools["my-server.get-x"](key=-1.5)', "my-server.get-x", {"key": -1.5}),
        ("await a.b(x={'k': [1, None, True, (2, 3)]})", "a.b", {"x": {"k": [1, None, True, [2, 3]]}}),
        ("await a.b(x='(' ')')", "a.b", {"x": "()"}),
        ('{"tool": "a.b", "arguments": {"x": 1}}', "a.b", {"x": 1}),
        ('{"name": "a.b"}', "a.b", {}),
        (' {"tool": "my-server.get-x",\n "arguments": null} ', "my-server.get-x", {}),
    ],
)
def test_one_call_is_known(code: str, name: str, arguments: dict[str, Any]) -> None:
    assert simple_call(code) == SimpleCall(name, arguments)


@pytest.mark.parametrize(
    "code",
    [
        "",
        "1",
        "shop.get(key='a')",
        "x = await shop.get(key='a')",
        "await shop.get('a')",
        "await shop.get(**{'key': 'a'})",
        "await shop.get(*[])",
        "await shop.get(key=name)",
        "await shop.get(key=f'{name}')",
        "await shop.get(key=1, key=2)",
        "await shop.get(key=1)['rows']",
        "await shop.get(key=1) + (2)",
        "await shop.get(key=1); print(2)",
        "await shop.get()(key=1)",
        "await shop.get(key=(1)",
        "await shop.get(key=1)\nawait shop.get(key=2)",
        "await get(key=1)",
        "await a.b.c(key=1)",
        f"await a.b(x='{'x' * ONE_LINE}')",
        '{"tool": 1}',
        '{"tool": "a.b", "arguments": [1]}',
        '{"tool": "a.b", "x": 1}',
        '{"tool": "a.b", "arguments": {"x": NaN}}',
        '{"tool": "a.b"',
        '{"tool": "\ud800"}',
        "await a.b(x='\ud800')",
        "await a.b(x='\x00')",
    ],
)
def test_everything_else_is_code(code: str) -> None:
    assert simple_call(code) is None


@pytest.mark.parametrize(
    "value",
    [r"'\ud800'", "{1, 2}", "set()", "b'a'", "...", "1j", "1e999", "{1: 2}", "9" * 3_000, "[{(1,): 2}]"],
)
def test_what_json_has_no_word_for_is_the_sandboxs_to_write(value: str) -> None:
    assert simple_call(f"await a.b(x={value})") is None


@pytest.mark.parametrize(
    "nested",
    ["-" * 3_900 + "1", "(" * 1_900 + "1" + ")" * 1_900, "1+" * 1_900 + "1", "a." * 1_900],
    ids=["minus", "brackets", "sums", "attributes"],
)
def test_a_line_that_is_nested_to_break_a_parser_is_code(nested: str) -> None:
    assert simple_call(f"await a.b(x={nested})") is None


def test_python_says_nothing_of_a_strange_escape() -> None:
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        assert simple_call(r"await a.b(x='\d+')") == SimpleCall("a.b", {"x": r"\d+"})
    assert said == []
