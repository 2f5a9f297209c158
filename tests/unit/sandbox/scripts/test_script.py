"""A script's text → its description, its arguments, and the code that calls it."""

import ast
import subprocess
import sys
from typing import Any

import pytest

from toolbooth.catalog import Catalog, Tool
from toolbooth.errors import ConfigError, UserMistake
from toolbooth.limits import MAX_CODE
from toolbooth.sandbox import CodeScope, Namespace, Sandbox, Script, check_name, read_script, with_description

ISSUES = '''"""Titles of the open issues.

    And more of it.
"""
from typing import Literal

async def main(label: str, limit: int = 10):
    return [label] * limit
'''


def schema_of(parameters: str) -> dict[str, Any]:
    return read_script("x", f'"""Does."""\ndef main({parameters}): pass\n').input_schema


def test_a_script_is_its_text_its_parameters_and_its_code() -> None:
    script = read_script("issues", ISSUES)
    assert script.description == "Titles of the open issues.\n\nAnd more of it."
    assert script.code == ISSUES
    assert script.start == "await main"
    assert script.input_schema == {
        "type": "object",
        "properties": {"label": {"type": "string"}, "limit": {"type": "integer", "default": 10}},
        "required": ["label"],
        "additionalProperties": False,
    }


def test_it_is_a_tool_like_any_other() -> None:
    tool = read_script("issues", ISSUES).tool("scripts")
    assert isinstance(tool, Tool)
    assert (tool.id, tool.description[:6]) == ("scripts.issues", "Titles")
    assert tool.input_schema is not None
    assert tool.input_schema["additionalProperties"] is False


def test_without_main_it_takes_no_arguments() -> None:
    script = read_script("two", '"""Two."""\n1 + 1\n')
    assert script.input_schema == {"type": "object", "properties": {}, "additionalProperties": False}
    assert script.source({}) == script.code
    with pytest.raises(UserMistake, match="takes no arguments"):
        script.source({"a": 1})


@pytest.mark.parametrize(
    ("annotation", "schema"),
    [
        ("str", {"type": "string"}),
        ("int", {"type": "integer"}),
        ("float", {"type": "number"}),
        ("bool", {"type": "boolean"}),
        ("list", {"type": "array"}),
        ("list[str]", {"type": "array", "items": {"type": "string"}}),
        ("list[list[int]]", {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}}),
        ("typing.List[int]", {"type": "array", "items": {"type": "integer"}}),
        ("dict", {"type": "object"}),
        ("dict[str, Any]", {"type": "object"}),
        ("dict[str, int]", {"type": "object", "additionalProperties": {"type": "integer"}}),
        ("Literal['a', -1, None, True]", {"enum": ["a", -1, None, True]}),
        ("Literal[1, True, 1]", {"enum": [1, True]}),
        ("str | None", {"type": ["string", "null"]}),
        ("Optional[str]", {"type": ["string", "null"]}),
        ("typing.Optional[int | str]", {"type": ["integer", "string", "null"]}),
        ("Union[str, str]", {"type": "string"}),
        ("'str | None'", {"type": ["string", "null"]}),
        ("list[str] | None", {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]}),
        ("Literal['a'] | int | None", {"anyOf": [{"enum": ["a"]}, {"type": "integer"}, {"type": "null"}]}),
        ("str | datetime", {}),
        ("Any", {}),
        ("tuple[int, str]", {}),
        ("Literal[x]", {}),
        ("Literal['\\ud800']", {}),
        ("'not python('", {}),
        ("3", {}),
    ],
)
def test_an_annotation_is_a_schema(annotation: str, schema: dict[str, Any]) -> None:
    assert schema_of(f"a: {annotation}")["properties"] == {"a": schema}


@pytest.mark.parametrize(
    ("parameters", "properties"),
    [
        ("a", {"a": {}}),
        ("a=1", {"a": {"default": 1}}),
        ("a=-1.5", {"a": {"default": -1.5}}),
        ("a={'b': [None, True]}", {"a": {"default": {"b": [None, True]}}}),
        ("a: str = None", {"a": {"type": ["string", "null"], "default": None}}),
        ("a: int = now()", {"a": {"type": "integer"}}),
        ("a=(1, 2)", {"a": {}}),
        ("a=1e999", {"a": {}}),
        ("a, *, b: int, c=2", {"a": {}, "b": {"type": "integer"}, "c": {"default": 2}}),
    ],
)
def test_a_default_that_is_a_literal_stands_in_the_schema(
    parameters: str, properties: dict[str, Any]
) -> None:
    assert schema_of(parameters)["properties"] == properties


def test_parameters_without_a_default_are_required() -> None:
    assert schema_of("a, b=1, *, c, d=now()")["required"] == ["a", "c"]
    assert "required" not in schema_of("a=1")


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ('"""Does."""\nx = (\n', 2, "is not valid Python: '(' was never closed"),
        ("x = 1\n", 1, "has no description"),
        ('"""  """\n', 1, "has no description"),
        ("", 1, "has no description"),
        ('"""Does."""\n\ndef main(a, /): pass\n', 3, "a can only be given by position"),
        ('"""Does."""\ndef main(*many): pass\n', 2, "*many has no arguments of its own"),
        ('"""Does."""\ndef main(\n  **more): pass\n', 3, "**more has no arguments of its own"),
        ('"""Does."""\nasync def main(): pass\nawait main()\n', 3, "calls main itself"),
        ('"""Does."""\ndef main(): pass\nmain()\n', 3, "calls main itself"),
        ('"""Does."""\ndef main(): pass\nprint(asyncio.run(main()))\n', 3, "calls main itself"),
        ('"""Does."""\ndef main(): pass\nif __name__ == "__main__":\n  main()\n', 4, "calls main itself"),
        ('"""Does."""\nx = "\x00"\n', None, "is not valid Python"),
        ('"""\ud800"""\n', None, "is not valid Python"),
        ('"""Does."""\nx = ' + "-" * 60_000 + "1\n", None, "nested too deeply"),
        ('"""Does."""\ndef main(a: ' + "int|" * 15_000 + "int): pass\n", None, "nested too deeply"),
        ('"""Does."""\n' + "#" * MAX_CODE, None, "is longer than 65,536 characters"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_what_cannot_be_used_is_said_with_its_line(text: str, line: int | None, says: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read_script("x", text)
    assert says in caught.value.message
    assert str(caught.value).startswith("x.py")
    assert "\x00" not in str(caught.value)
    if line is not None:
        assert caught.value.line == line


def test_a_strange_escape_is_no_reason_to_complain() -> None:
    assert read_script("x", '"""A \\d."""\ndef main(a: "\'\\\\d\'" = 1): pass').description == "A \\d."


def test_half_a_character_of_a_description_goes_no_further() -> None:
    assert read_script("x", '"""A \\ud800."""').description == "A ?."


@pytest.mark.parametrize(
    "name", ["", "A", "1a", "_a", "a-b", "a.b", "../a", "a/b", "é", "a" * 65, "class", "a\n"]
)
def test_a_name_that_is_none_is_refused(name: str) -> None:
    with pytest.raises(UserMistake):
        check_name(name)
    with pytest.raises(UserMistake):
        read_script(name, ISSUES)


def test_arguments_are_written_as_a_literal_behind_the_code() -> None:
    script = read_script("issues", ISSUES)
    source = script.source({"label": "'); import os #", "limit": 2})
    assert source.startswith(ISSUES)
    last = ast.parse(source).body[-1]
    assert ast.unparse(last) == "await main(**{'label': \"'); import os #\", 'limit': 2})"


class Sly(str):
    def __repr__(self) -> str:
        return "__import__('os')"


@pytest.mark.parametrize(
    "value",
    [float("nan"), float("inf"), (1,), {1}, b"x", {1: 2}, Sly("x"), {Sly("x"): 1}, [10**5000], "\ud800"],
)
def test_only_json_becomes_an_argument(value: object) -> None:
    with pytest.raises(UserMistake, match="are not JSON"):
        read_script("issues", ISSUES).source({"label": [value]})


def test_arguments_that_are_too_deep_or_too_long_are_refused() -> None:
    deep: list[Any] = []
    for _ in range(1000):
        deep = [deep]
    script = read_script("issues", ISSUES)
    with pytest.raises(UserMistake, match="levels deep"):
        script.source({"label": deep})
    with pytest.raises(UserMistake, match="longer than 65,536 characters together"):
        script.source({"label": "x" * MAX_CODE})


@pytest.mark.parametrize(
    "text",
    [
        "x = 1\n",
        "# first\nx = 1\n",
        '"""Old."""\nx = 1\n',
        '#!/x\n"é" """Old\ntext."""; x = 1\n',
        "(\n'Old'\n)\r\nx = 1\r\n",
        "\ufeff'Old'\nx = 1",
    ],
)
@pytest.mark.parametrize(
    "description", ["New.", 'Say "hello"', 'a """ b\\', "two\n  lines\t\x1b[0m", "é → ü"]
)
def test_a_description_becomes_or_replaces_the_text_at_the_top(text: str, description: str) -> None:
    changed = with_description(text, description, "x.py")
    script = read_script("x", changed)
    assert "Old" not in changed
    assert script.description.split() == description.split()
    assert ast.unparse(ast.parse(changed).body[-1]) == "x = 1"


def test_an_empty_description_is_a_mistake() -> None:
    with pytest.raises(UserMistake, match="description is empty"):
        with_description("x = 1", " \n ", "x.py")


async def nothing(_tool: Tool, _arguments: dict[str, Any]) -> None:
    return None


@pytest.mark.anyio
async def test_the_sandbox_runs_what_source_gives() -> None:
    sandbox, scope = Sandbox(), CodeScope(Namespace(Catalog()), nothing)
    odd = {"label": "a\x1b\"'\\\n\u202e→😀", "limit": 2}
    plain: Script = read_script("plain", '"""Does."""\ndef main(a, *, b=None):\n    return [a, b]  # end')
    try:
        assert (await sandbox.run(read_script("issues", ISSUES).source(odd), scope)).value == [
            odd["label"]
        ] * 2
        given = {"a": {"k": [1.5e300, -1, None, True, False, ""]}}
        assert (await sandbox.run(plain.source(given), scope)).value == [given["a"], None]
    finally:
        await sandbox.close()


def test_scripts_are_read_without_the_sandbox() -> None:
    code = (
        "import sys; from toolbooth.sandbox import ScriptFolder, read_script; print([n for n in "
        "sys.modules if 'monty' in n or n == 'mcp'])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
