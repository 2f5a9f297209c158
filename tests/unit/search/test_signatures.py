"""Input schemas become one line that a tool can be called from."""

from statistics import fmean
from typing import Any

import pytest
from tests.brief_lines import brief_line
from tests.catalogs import recorded_tools

from toolbooth.catalog import Tool
from toolbooth.search.signatures import (
    Parameter,
    one_line,
    parameter_lines,
    parameters,
    signature,
)
from toolbooth.tokens import count

STR, INT = {"type": "string"}, {"type": "integer"}


def tool(schema: Any, description: str = "") -> Tool:
    return Tool("s", "t", description, schema)


def shown(*required: str, **properties: Any) -> str:
    """What stands between the brackets."""
    schema = {"type": "object", "properties": properties, "required": list(required)}
    return signature(tool(schema)).removeprefix("s.t(").removesuffix(")")


def kind(schema: Any) -> str:
    """The type of one optional parameter `x`."""
    return shown(x=schema).removeprefix("x").removeprefix(":")


def test_the_line_of_the_specification() -> None:
    schema = {
        "type": "object",
        "properties": {
            "owner": STR,
            "body": STR,
            "repo": STR,
            "title": STR,
            "labels": {"type": "array", "items": STR},
        },
        "required": ["title", "owner", "repo"],
    }
    issue = Tool("github", "create_issue", "Create a new issue in a repository. Needs a token.", schema)
    assert brief_line(issue) == (
        "github.create_issue(owner*, repo*, title*, body, labels:[str]) — Create a new issue in a repository."
    )


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        (STR, ""),
        (INT, "int"),
        ({"type": "number"}, "num"),
        ({"type": "boolean"}, "bool"),
        ({"type": "null"}, "null"),
        ({"type": "array", "items": INT}, "[int]"),
        ({"type": "array"}, "[]"),
        ({"type": "array", "items": {"type": "array", "items": STR}}, "[[str]]"),
        ({"type": "array", "prefixItems": [{"type": "number"}, STR]}, "[num, str]"),
        ({"items": [INT] * 9}, "[int, int, int, int, int, …]"),
        ({"type": "object"}, "{}"),
        ({"additionalProperties": INT}, "{}"),
        ({"type": ["string", "null"]}, ""),
        ({"type": ["string", "integer"]}, "str|int"),
        ({"anyOf": [INT, {"type": "null"}]}, "int"),
        ({"oneOf": [STR, {"type": "array", "items": STR}]}, "str|[str]"),
        ({"allOf": [{"title": "X"}, INT]}, "int"),
        ({"format": "uri"}, ""),
        ({}, "any"),
        (True, "any"),
        (False, "any"),
        (None, "any"),
        ({"type": "file"}, "any"),
        ({"type": 7}, "any"),
        ({"anyOf": [{}, INT]}, "any"),
    ],
)
def test_a_type_stands_where_it_is_not_plain_text(schema: Any, text: str) -> None:
    assert kind(schema) == text


@pytest.mark.parametrize(
    ("values", "text"),
    [
        (["open", "closed", "all"], "open|closed|all"),
        (["a", "b", "c", "d", "e"], "a|b|c|d|e"),
        (["a", "b", "c", "d", "e", "f"], "a|b|c|…"),
        (["asc", None], "asc"),
        ([1, 2.5, -1], "1|2.5|-1"),
        ([True, False], "bool"),
        ([True], "true"),
        ([None], "null"),
        (["a|b", "c d", ""], '"a|b"|"c d"|""'),
        (["1", "true", "int", "null"], '"1"|"true"|"int"|"null"'),
        ([{"a": 1}, [], 10**30], "{…}|[]|…"),
        (["x" * 200], "x" * 59 + "…"),
        (["\x1b[31mred", "a\nb"], r'"\u001b[31mred"|"a\nb"'),
    ],
)
def test_the_values_of_an_enum_are_shown_up_to_five(values: list[Any], text: str) -> None:
    assert kind({"enum": values}) == text


def test_a_constant_is_an_enum_of_one() -> None:
    assert kind({"const": "push"}) == "push"


def test_an_object_is_opened_one_level_and_says_what_it_leaves_out() -> None:
    address = {"type": "object", "properties": {"city": STR}}
    person = {
        "type": "object",
        "properties": {"email": STR, "name": STR, "age": INT, "home": address},
        "required": ["name"],
    }
    assert kind(person) == "{name*, email, age:int, home:{…}}"
    assert kind({"type": "array", "items": person}) == "[{name*, email, age:int, home:{…}}]"
    assert kind({"anyOf": [person, {"type": "null"}]}) == "{name*, email, age:int, home:{…}}"
    assert kind({"anyOf": [person, STR]}) == "{…}|str"


def test_many_members_of_an_object_are_counted() -> None:
    many = {"type": "object", "properties": {f"p{n}": STR for n in range(9)}, "required": ["p8"]}
    assert kind(many) == "{p8*, p0, p1, p2, p3, …+4}"


def test_a_type_that_is_too_long_for_a_line_is_only_hinted_at() -> None:
    long = {"type": "object", "properties": {f"{n}_{'x' * 200}": STR for n in range(4)}}
    assert kind(long) == "{…}"
    assert kind({"type": "array", "items": {"enum": [f"{n}{'-x' * 40}" for n in range(5)]}}).startswith(
        '["0-x'
    )


def test_local_references_are_followed_and_rings_end() -> None:
    schema = {
        "properties": {
            "who": {"$ref": "#/$defs/User"},
            "ring": {"$ref": "#/$defs/Ring"},
            "gone": {"$ref": "#/$defs/Gone"},
            "web": {"$ref": "https://example.org/x.json"},
            "odd": {"$ref": "#/$defs/a~1b"},
        },
        "required": ["who"],
        "$defs": {
            "User": {"type": "object", "properties": {"id": INT, "boss": {"$ref": "#/$defs/User"}}},
            "Ring": {"$ref": "#/$defs/Ring"},
            "a/b": {"type": "boolean"},
        },
    }
    assert signature(tool(schema)) == "s.t(who*:{id:int, boss:{…}}, ring:any, gone:any, web:any, odd:bool)"


def test_a_reference_at_the_top_keeps_what_stands_beside_it() -> None:
    schema = {
        "$ref": "#/$defs/Args",
        "required": ["a"],
        "$defs": {"Args": {"properties": {"a": STR, "b": INT}}},
    }
    assert signature(tool(schema)) == "s.t(a*, b:int)"


def test_parts_of_all_of_are_joined_and_alternatives_are_optional_unless_all_require_them() -> None:
    schema = {
        "allOf": [{"properties": {"a": STR}, "required": ["a"]}],
        "anyOf": [
            {"properties": {"b": STR, "id": INT}, "required": ["b", "id"]},
            {"properties": {"c": STR, "id": INT}, "required": ["c", "id"]},
        ],
    }
    assert signature(tool(schema)) == "s.t(a*, id*:int, b, c)"


def test_optional_parameters_beyond_the_limit_are_counted() -> None:
    schema = {"properties": {f"p{n}": STR for n in range(20)}, "required": ["p19"]}
    assert signature(tool(schema), max_optional=2) == "s.t(p19*, p0, p1, …+17)"
    assert signature(tool(schema), max_optional=-1) == "s.t(p19*, …+19)"
    assert signature(tool(schema)).endswith("p11, …+7)")


def test_required_names_are_never_dropped() -> None:
    names = [f"p{n}" for n in range(20_000)]
    text = signature(tool({"properties": dict.fromkeys(names, INT), "required": names}), max_optional=0)
    assert text.count("*:int") == 20_000
    assert "p19999*" in text


def test_a_required_name_without_a_property_is_shown() -> None:
    assert shown("ghost", x=STR) == "ghost*:any, x"


def test_twenty_thousand_optional_parameters_are_a_short_line() -> None:
    assert len(signature(tool({"properties": {f"p{n}": {} for n in range(20_000)}}))) < 200


def test_twenty_thousand_parameters_that_share_one_huge_definition_stay_bounded() -> None:
    names = [f"p{n}" for n in range(20_000)]
    huge = {"type": "object", "properties": dict.fromkeys(names, STR), "required": names}
    one = {"type": "object", "allOf": [{"$ref": "#/$defs/Huge"}]}
    schema = {"properties": {name: dict(one) for name in names}, "required": names, "$defs": {"Huge": huge}}
    text = signature(tool(schema))
    assert text.count("*:{…}") == 20_000


def test_names_that_are_no_identifiers_are_quoted_as_they_must_be_sent() -> None:
    properties = {"per-page": INT, "a b": STR, 'say "x"': STR, "größe": STR, "": STR, "new\nline": STR}
    assert shown("per-page", **properties) == (r'"per-page"*:int, "a b", "say \"x\"", größe, "", "new\nline"')


@pytest.mark.parametrize(
    "schema",
    [
        None,
        {},
        True,
        [],
        "x",
        {"properties": []},
        {"properties": {}},
        {"required": "x"},
        {"required": [1, None]},
    ],
)
def test_a_missing_or_malformed_schema_is_a_tool_without_parameters(schema: Any) -> None:
    assert signature(tool(schema)) == "s.t()"
    assert parameters(schema) == ()
    assert parameter_lines(tool(schema)) == ()


def test_foreign_text_cannot_leave_its_line() -> None:
    nasty = "\x1b]0;title\x07a\u202eb\nc"
    schema = {"properties": {nasty: {"enum": [nasty], "description": nasty, "default": nasty}}}
    lines = [brief_line(Tool(nasty, nasty, nasty, schema)), *parameter_lines(tool(schema))]
    for line in lines:
        assert not {"\x1b", "\x07", "\u202e", "\n"} & set(line)


def test_parameters_carry_description_and_default() -> None:
    state = {
        "enum": ["open", "all"],
        "default": "open",
        "description": "Which ones.\n\nAll of them by default.",
    }
    schema = {"properties": {"state": state, "owner": STR}, "required": ["owner"]}
    assert parameters(schema) == (
        Parameter("owner", required=True),
        Parameter("state", "open|all", False, "Which ones.", "open"),
    )
    assert parameter_lines(tool(schema)) == ("owner*", "state:open|all = open — Which ones.")


def test_a_description_beside_a_reference_is_preferred() -> None:
    definition = {"type": "integer", "description": "A number.", "default": 3}
    schema = {
        "properties": {"n": {"$ref": "#/$defs/N", "description": "How many."}},
        "$defs": {"N": definition},
    }
    assert parameter_lines(tool(schema)) == ("n:int = 3 — How many.",)


@pytest.mark.parametrize(
    ("default", "text"),
    [(0, "0"), (False, "false"), ("", '""'), (None, ""), ([], "[]"), ({"a": 1}, "{…}"), ("a b", '"a b"')],
)
def test_a_default_is_shown_as_a_value_and_null_is_none(default: Any, text: str) -> None:
    (parameter,) = parameters({"properties": {"x": {"default": default}}})
    assert parameter.default == text


def test_lines_of_very_many_optional_parameters_end_with_a_count() -> None:
    lines = parameter_lines(tool({"properties": {f"p{n}": STR for n in range(150)}}))
    assert (len(lines), lines[-1]) == (101, "…+50")


@pytest.mark.parametrize(
    ("description", "line"),
    [
        ("", ""),
        ("  \n ", ""),
        ("Reads a file. Fails if absent.", "Reads a file."),
        ("Reads a file\n\nArgs:\n  path: where", "Reads a file"),
        ("Reads a file\nArgs: path", "Reads a file"),
        ("Reads a\nlong file. More.", "Reads a long file."),
        ("Sends text, e.g. A greeting. Then waits.", "Sends text, e.g. A greeting."),
        ("Uses v2.1 of node.js to run. Fast.", "Uses v2.1 of node.js to run."),
        ("Does it:\n- one\n- two", "Does it:"),
        ("# Heading\nText", "Heading Text"),
        ("<Purpose>\nLoads a guide. More.", "Loads a guide."),
        ("搜索地点。返回列表。", "搜索地点。"),
        ("Really? Yes.", "Really?"),
    ],
)
def test_the_first_sentence_is_found(description: str, line: str) -> None:
    assert one_line(description) == line


def test_a_long_sentence_is_cut_after_a_word() -> None:
    line = one_line("word " * 100)
    assert line == "word " * 23 + "word…"
    assert one_line("x" * 300) == "x" * 119 + "…"
    assert one_line("short enough", limit=12) == "short enough"


def test_a_tool_without_description_is_its_signature() -> None:
    assert brief_line(tool({})) == "s.t()"


@pytest.fixture(scope="module")
def real_tools() -> list[Tool]:
    return recorded_tools()


def test_every_real_tool_keeps_its_required_names_on_one_short_line(real_tools: list[Tool]) -> None:
    for each in real_tools:
        line = brief_line(each)
        required = (each.input_schema or {}).get("required", [])
        assert all(name in line for name in required)
        assert len(line.splitlines()) == 1
        assert len(line) < 1200


def test_eight_real_hits_are_at_most_350_tokens_on_average(real_tools: list[Tool]) -> None:
    assert 8 * fmean(count(brief_line(each)) for each in real_tools) + 7 <= 350
