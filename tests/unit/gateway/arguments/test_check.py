"""A call is judged by the tool's own schema, and what is wrong is said in words that mend it."""

from typing import Any

import pytest

from toolbooth.catalog import Tool
from toolbooth.gateway.arguments import Problem, check, check_arguments, explain_bad_call, judged
from toolbooth.gateway.arguments.check import build
from toolbooth.limits import COMPILED_SCHEMAS, MAX_ARGUMENTS, MAX_CHECK_FRAMES, MAX_CHECK_WORK, MAX_JSON_DEPTH
from toolbooth.tokens import count

STR, INT = {"type": "string"}, {"type": "integer"}


def tool(schema: Any) -> Tool:
    return Tool("s", "t", "", schema)


def said(schema: Any, arguments: Any) -> list[str]:
    return [problem.message for problem in check_arguments(tool(schema), arguments)]


def of(value: Any, **schema: Any) -> list[str]:
    """What is wrong with a value of one parameter `x`."""
    return said({"type": "object", "properties": {"x": schema}}, {"x": value})


ISSUE = {
    "type": "object",
    "properties": {
        "owner": STR,
        "title": STR,
        "state": {"enum": ["open", "closed"]},
        "limit": INT,
        "labels": {"type": "array", "items": {"properties": {"name": STR}}},
    },
    "required": ["owner"],
    "additionalProperties": False,
}


@pytest.mark.promise("call:bad-arguments")
@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({}, Problem("", 'missing required "owner"')),
        ({"owner": "a", "state": "opn"}, Problem("state", '"state" must be one of open|closed')),
        ({"owner": "a", "limit": "5"}, Problem("limit", '"limit" must be int, not str "5"')),
        ({"owner": "a", "titel": ""}, Problem("", 'unknown parameter "titel"; did you mean "title"?')),
        ({"owner": "a", "zzz": ""}, Problem("", 'unknown parameter "zzz"')),
        (
            {"owner": "a", "labels": [{}, {}, {"name": 3}]},
            Problem("labels[2].name", '"labels[2].name" must be str, not int 3'),
        ),
    ],
)
def test_one_mistake_is_one_problem_with_its_place(arguments: Any, problem: Problem) -> None:
    assert check_arguments(tool(ISSUE), arguments) == (problem,)


def test_a_call_that_fits_has_no_problem_and_is_left_as_it_is() -> None:
    arguments = {"owner": "a", "limit": 5.0, "labels": [{"name": "x"}]}
    before = repr(arguments)
    assert check_arguments(tool(ISSUE), arguments) == ()
    assert repr(arguments) == before


def test_what_is_missing_and_what_is_unknown_comes_before_what_is_wrong() -> None:
    assert said(ISSUE, {"limit": "x", "ower": "a"}) == [
        'missing required "owner"',
        'unknown parameter "ower"; did you mean "owner"?',
        '"limit" must be int, not str "x"',
    ]


def test_a_stray_name_is_held_against_a_missing_one_where_any_name_is_allowed() -> None:
    schema = {"properties": {"title": STR}, "required": ["title"]}
    assert said(schema, {"titel": "a"}) == ['missing required "title"; "titel" is not its name']
    assert said(schema, {"Title": "a"}) == ['missing required "title"; "Title" is not its name']
    assert said(schema, {"body": "a"}) == ['missing required "title"']


@pytest.mark.parametrize(
    "schema", [None, {}, {"type": "object"}, {"description": "nothing"}, {"type": "string"}]
)
def test_where_nothing_is_demanded_any_object_is_accepted_and_nothing_else(schema: Any) -> None:
    assert said(schema, {"x": 1}) == []
    assert said(schema, None) == []
    assert said(schema, [1]) == ["the arguments must be object, not list"]
    assert said(schema, '{"x": 1}') == [
        'the arguments must be object, not str "{\\"x\\": 1}"; send JSON, not text'
    ]


def test_a_schema_without_a_type_still_says_what_its_members_are() -> None:
    assert said({"properties": {"x": INT}}, {"x": "1"}) == ['"x" must be int, not str "1"']


@pytest.mark.parametrize(
    ("value", "schema", "message"),
    [
        (True, INT, '"x" must be int, not bool true'),
        (2.5, INT, '"x" must be int, not num 2.5'),
        (None, STR, '"x" must be str, not null'),
        ([], {"type": ["string", "null"]}, '"x" must be str|null, not list'),
        ("{}", {"type": "object"}, '"x" must be object, not str "{}"; send JSON, not text'),
        ("[1]", {"type": "array"}, '"x" must be list, not str "[1]"; send JSON, not text'),
        ("b", {"const": "a"}, '"x" must be a'),
        (1, {"enum": ["1", "true", "a b", None]}, '"x" must be one of "1"|"true"|"a b"|null'),
        (0, {"minimum": 1}, '"x" must be at least 1'),
        (9, {"maximum": 1}, '"x" must be at most 1'),
        (1, {"exclusiveMinimum": 1}, '"x" must be more than 1'),
        (1, {"exclusiveMaximum": 1}, '"x" must be less than 1'),
        (3, {"multipleOf": 2}, '"x" must be a multiple of 2'),
        ("", {"minLength": 1}, '"x" must have at least 1 character'),
        ("abc", {"maxLength": 2}, '"x" must have at most 2 characters'),
        ("b", {"pattern": "^a\\d"}, '"x" must match ^a\\d'),
        ([], {"minItems": 2}, '"x" must have at least 2 items'),
        ([1], {"maxItems": 0}, '"x" must have at most 0 items'),
        ([1, 1], {"uniqueItems": True}, '"x" must not contain the same item twice'),
        ({}, {"minProperties": 1}, '"x" must have at least 1 member'),
        ({"a": 1}, {"maxProperties": 0}, '"x" must have at most 0 members'),
        ({"b": 1}, {"properties": {"a": {}}, "additionalProperties": False}, 'unknown member "x.b"'),
        ({"b": 1}, {"additionalProperties": STR}, '"x.b" must be str, not int 1'),
        ({"ab": 1}, {"patternProperties": {"^a": STR}}, '"x.ab" must be str, not int 1'),
        (
            {"ab": "", "b": 1},
            {"patternProperties": {"^a": STR}, "additionalProperties": False},
            'unknown member "x.b"',
        ),
        ({"a b": 1}, {"additionalProperties": STR}, 'x["a b"] must be str, not int 1'),
        ({"a": 1}, {"dependentRequired": {"a": ["b"]}}, 'missing required "x.b"'),
        ({"a": 1}, {"dependentSchemas": {"a": {"required": ["b"]}}}, 'missing required "x.b"'),
        ([1, 2], {"prefixItems": [INT, STR]}, '"x[1]" must be str, not int 2'),
        ([1, 2], {"prefixItems": [INT], "items": STR}, '"x[1]" must be str, not int 2'),
        (5, {"allOf": [INT, {"minimum": 6}]}, '"x" must be at least 6'),
        (5, {"if": INT, "then": {"minimum": 6}}, '"x" must be at least 6'),
        ("a", {"if": INT, "then": True, "else": {"minLength": 2}}, '"x" must have at least 2 characters'),
        (5, {"not": INT}, '"x" is excluded by the tool\'s schema'),
        ([1], {"contains": STR}, '"x" must contain the items that the tool\'s schema requires'),
        ({"ab": 1}, {"propertyNames": {"maxLength": 1}}, '"x" must not have a member of this name'),
    ],
)
def test_each_demand_has_its_words(value: Any, schema: Any, message: str) -> None:
    assert of(value, **schema) == [message]


def test_what_may_never_be_given_is_said() -> None:
    assert said({"properties": {"x": False}}, {"x": 1}) == ['"x" must not be given']


def test_what_no_rule_puts_in_words_is_still_refused() -> None:
    schema = {"allOf": [{"properties": {"a": {}}}], "unevaluatedProperties": False}
    assert said(schema, {"a": 1}) == []
    assert said(schema, {"b": 1}) == ["the arguments do not fit the tool's input schema"]


def test_references_are_followed_and_recursion_is_checked_level_by_level() -> None:
    tree = {"type": "object", "properties": {"left": {"$ref": "#/$defs/n"}, "value": INT}}
    schema = {"properties": {"root": {"$ref": "#/$defs/n"}}, "$defs": {"n": tree}}
    assert judged(tool(schema)) == "full"
    assert said(schema, {"root": {"left": {"left": {"value": "1"}}}}) == [
        '"root.left.left.value" must be int, not str "1"'
    ]


def test_the_draft_that_a_schema_names_is_respected() -> None:
    old = {"$schema": "http://json-schema.org/draft-07/schema#"}
    places = {"properties": {"x": {"items": [INT], "additionalItems": STR}}}
    assert said(old | places, {"x": [1, 2]}) == ['"x[1]" must be str, not int 2']
    hidden = {
        "properties": {"x": {"$ref": "#/definitions/any", "type": "string"}},
        "definitions": {"any": {}},
    }
    assert said(old | hidden, {"x": 1}) == []
    assert said(hidden, {"x": 1}) == ['"x" must be str, not int 1']


def test_formats_are_not_asserted() -> None:
    assert of("nobody", type="string", format="email") == []


def test_foreign_text_in_names_and_choices_is_cleaned() -> None:
    hidden = "a\x1b[31m\u202eb"
    words = " ".join(
        [*of(1, enum=[hidden, "x\ny"]), *said({"required": [hidden]}, {}), *of(hidden, type="null")]
    )
    assert words.isprintable()
    assert "\x1b" not in words


def test_arguments_deeper_than_any_json_are_refused() -> None:
    value: Any = {}
    for _ in range(MAX_JSON_DEPTH):
        value = {"c": value}
    assert said({}, value) == [f"the arguments nest deeper than {MAX_JSON_DEPTH} levels"]
    assert said({}, value["c"]) == []


def test_a_call_too_large_to_look_at_is_left_to_the_backend() -> None:
    schema = {"properties": {"x": {"items": STR}}}
    assert said(schema, {"x": [1] * 20})
    assert said(schema, {"x": [1] * MAX_ARGUMENTS}) == []


def test_what_is_no_json_is_said() -> None:
    assert of("\ud800", pattern="a") == ["the arguments are not JSON"]


def test_the_same_definition_is_judged_once_whoever_offers_it() -> None:
    schema = {"type": "object", "title": "only once"}
    assert check._checker(Tool("a", "t", "d", schema)) is check._checker(Tool("b", "t", "d", schema))


def test_a_description_that_ends_like_a_schema_takes_the_place_of_none() -> None:
    honest = Tool("a", "t", "d", {"required": ["x"]})
    liar = Tool("b", "t", 'd\n{"required":["x"]}')
    assert liar.digest == honest.digest
    assert check_arguments(liar, {}) == ()
    assert check_arguments(honest, {})


def test_no_more_schemas_are_kept_compiled_than_the_ceiling(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolbooth.limits.COMPILED_SCHEMAS", 3)
    monkeypatch.setattr(check, "_checkers", type(check._checkers)())
    for number in (1, 2, 3, 1, 4):
        judged(tool({"minProperties": number}))
    kept = [checker.root and checker.root.keywords["minProperties"] for checker in check._checkers.values()]
    assert kept == [3, 1, 4]
    assert COMPILED_SCHEMAS > 3


PATTERN = {"properties": {"x": {"type": "string", "pattern": "^a"}, "y": {"type": "string"}}}


def test_a_long_text_meets_no_pattern_but_all_the_rest() -> None:
    checker = build(PATTERN)
    assert checker.for_call({"x": "b"}) is checker
    plain = checker.for_call({"y": "b" * MAX_CHECK_WORK})
    assert plain is checker.without_patterns
    assert plain is not None
    assert plain.validator is not None
    assert plain.validator.is_valid({"x": "b"})
    assert not plain.validator.is_valid({"x": 5})


def test_more_work_than_a_call_is_worth_is_left_to_the_backend() -> None:
    checker = build({"properties": {"x": {"items": {"allOf": [{"type": "string"}] * 99}}}})
    assert checker.load.visits == 100
    assert checker.for_call({"x": ["a"]}) is checker
    assert checker.for_call({"x": ["a"] * (MAX_CHECK_WORK // 100)}) is None


def test_a_call_is_checked_only_as_deep_as_the_engine_may_recurse() -> None:
    checker = build({"properties": {"c": {"$ref": "#"}}, "allOf": [{"type": "object"}] * 99})
    call: dict[str, object] = {}
    for _ in range(MAX_CHECK_FRAMES // checker.load.visits - 1):
        call = {"c": call}
    assert checker.for_call(call) is checker
    assert checker.for_call({"c": call}) is None


TOOL = Tool(
    "github",
    "create_issue",
    "Create an issue",
    {
        "properties": {"owner": {}, "state": {"enum": ["open", "closed"]}, "limit": {"type": "integer"}},
        "required": ["owner"],
    },
)


def test_it_names_the_mistakes_and_shows_the_signature() -> None:
    text = explain_bad_call(TOOL, check_arguments(TOOL, {"limit": "5"}))
    assert text.splitlines() == [
        "Not called:",
        '- missing required "owner"',
        '- "limit" must be int, not str "5"',
        "Call it as github.create_issue(owner*:any, state:open|closed, limit:int)",
    ]


def test_it_stays_short_however_much_is_wrong() -> None:
    text = explain_bad_call(TOOL, [Problem("x", f'"x{number}" must be int') for number in range(12)])
    assert text.count("must be int") == 6
    assert "- …+6" in text
    assert count(text) < 120
