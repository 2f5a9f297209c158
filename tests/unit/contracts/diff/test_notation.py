"""What is only written otherwise does not show: not as a change of any severity."""

from typing import Any

import pytest
from tests.unit.contracts.diff.sample_contracts import changed, rules, taking, tool

SAME: list[tuple[str, Any, Any]] = [
    ("a list of one type", {"type": ["string"]}, {"type": "string"}),
    ("the order of types", {"type": ["string", "null"]}, {"type": ["null", "string"]}),
    ("a constant and an enum of one", {"const": "a"}, {"enum": ["a"]}),
    ("an enum with its type", {"enum": ["a", "b"]}, {"type": "string", "enum": ["a", "b"]}),
    ("a value twice in an enum", {"enum": ["a", "a"]}, {"const": "a"}),
    ("both booleans", {"enum": [True, False]}, {"type": "boolean"}),
    (
        "null as an alternative",
        {"anyOf": [{"type": "string"}, {"type": "null"}]},
        {"type": ["string", "null"]},
    ),
    ("null in an enum", {"enum": ["a", None]}, {"anyOf": [{"const": "a"}, {"type": "null"}]}),
    ("a choice of constants", {"oneOf": [{"const": "a"}, {"const": "b"}]}, {"enum": ["a", "b"]}),
    (
        "a choice of types",
        {"anyOf": [{"type": "string"}, {"type": "integer"}]},
        {"type": ["integer", "string"]},
    ),
    (
        "one of what cannot be both",
        {"oneOf": [{"type": "string"}, {"type": "array"}]},
        {"type": ["string", "array"]},
    ),
    ("a choice of one", {"anyOf": [{"type": "string"}]}, {"type": "string"}),
    ("all of one", {"allOf": [{"type": "string"}], "minLength": 2}, {"type": "string", "minLength": 2}),
    ("all of two", {"allOf": [{"minimum": 1}, {"maximum": 9}]}, {"minimum": 1, "maximum": 9}),
    (
        "the order of alternatives",
        {"anyOf": [{"pattern": "a"}, {"pattern": "b"}]},
        {"anyOf": [{"pattern": "b"}, {"pattern": "a"}]},
    ),
    ("a whole number with a point", {"type": "integer", "minimum": 1}, {"type": "integer", "minimum": 1.0}),
    (
        "more than 0 and from 1 on",
        {"type": "integer", "exclusiveMinimum": 0},
        {"type": "integer", "minimum": 1},
    ),
    ("an integer by its step", {"type": "number", "multipleOf": 1}, {"type": "integer"}),
    (
        "ends of what a double holds",
        {"type": "integer", "minimum": 1 - 2**53, "maximum": 2**53 - 1},
        {"type": "integer"},
    ),
    ("a length from 0 on", {"type": "string", "minLength": 0}, {"type": "string"}),
    ("a pattern that says nothing", {"type": "string", "pattern": ".*"}, {"type": "string"}),
    ("nothing required", {"type": "object", "required": []}, {"type": "object"}),
    ("any further property", {"type": "object", "additionalProperties": True}, {"type": "object"}),
    ("any further property, as a schema", {"type": "object", "additionalProperties": {}}, {"type": "object"}),
    ("names that are texts", {"type": "object", "propertyNames": {"type": "string"}}, {"type": "object"}),
    ("any items", {"type": "array", "items": {}}, {"type": "array"}),
    ("items that may repeat", {"type": "array", "uniqueItems": False}, {"type": "array"}),
    ("true and an empty schema", True, {}),
    ("not anything and nothing", {"not": {}}, False),
    ("not a text", {"not": {"type": "string"}}, {"type": ["null", "boolean", "number", "array", "object"]}),
    ("a keyword of another type", {"type": "string", "minimum": 3}, {"type": "string"}),
    (
        "nothing unevaluated",
        {"type": "object", "unevaluatedProperties": False},
        {"type": "object", "additionalProperties": False},
    ),
]


def defined(home: str, **more: Any) -> dict[str, Any]:
    day = {"type": "object", "properties": {"year": {"type": "integer"}}, "required": ["year"]}
    return tool(
        inputSchema={
            "type": "object",
            "properties": {"p": {"$ref": f"#/{home}/Day"}},
            home: {"Day": day},
            **more,
        }
    )


@pytest.mark.promise("diff:notation")
@pytest.mark.parametrize(
    ("one", "other"), [(one, other) for _, one, other in SAME], ids=[name for name, _, _ in SAME]
)
def test_notation_alone_does_not_show(one: Any, other: Any) -> None:
    assert rules(changed(taking(one), taking(other))) == []
    assert rules(changed(taking(other), taking(one))) == []


def test_where_definitions_stand_does_not_show() -> None:
    inlined = taking({"type": "object", "properties": {"year": {"type": "integer"}}, "required": ["year"]})
    draft = "http://json-schema.org/draft-07/schema#"
    written = [
        defined("$defs"),
        defined("definitions"),
        defined("definitions", **{"$schema": draft}),
        inlined,
    ]
    for one in written:
        for other in written:
            assert rules(changed(one, other)) == []


def test_a_circle_may_be_drawn_anywhere() -> None:
    node = {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}, "name": {"type": "string"}}}
    once = {"type": "object", "properties": {"p": {"$ref": "#/$defs/Node"}}, "$defs": {"Node": node}}
    unrolled = {
        "type": "object",
        "properties": {"p": {**node, "properties": {**node["properties"]}}},  # type: ignore[dict-item]
        "$defs": {"Node": {"anyOf": [node, False]}},
    }
    assert rules(changed(tool(inputSchema=once), tool(inputSchema=unrolled))) == []


def test_a_tuple_of_an_old_draft_is_one_of_today() -> None:
    old = tool(
        inputSchema={
            "$schema": "http://json-schema.org/draft-07/schema#",
            "type": "object",
            "properties": {"p": {"type": "array", "items": [{"type": "string"}], "additionalItems": False}},
        }
    )
    today = taking({"type": "array", "prefixItems": [{"type": "string"}], "items": False})
    assert rules(changed(old, today)) == []


def test_what_an_old_draft_does_not_read_beside_a_reference_is_not_there() -> None:
    text = {"type": "object", "definitions": {"T": {"type": "string"}}}
    draft = {"$schema": "http://json-schema.org/draft-07/schema#"}
    short = {"properties": {"p": {"$ref": "#/definitions/T", "maxLength": 3}}}
    assert rules(changed(tool(inputSchema={**text, **draft, **short}), taking({"type": "string"}))) == []
    assert rules(changed(taking({"type": "string"}), tool(inputSchema={**text, **short}))) == [
        "input-length-narrowed"
    ]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            tool(annotations={}),
            tool(annotations={"readOnlyHint": False, "destructiveHint": True, "openWorldHint": True}),
        ),
        (tool(), tool(annotations=None)),
        (tool(), tool(execution={"taskSupport": "forbidden"})),
        (
            tool(annotations={"readOnlyHint": True}),
            tool(annotations={"readOnlyHint": True, "destructiveHint": False}),
        ),
        (tool(inputSchema={"type": "object"}), tool(inputSchema={})),
        (tool(inputSchema={"type": "object"}), {"name": "find", "description": "Finds rows."}),
        (dict(reversed(tool(title="a").items())), tool(title="a")),
    ],
)
def test_what_holds_by_default_need_not_be_said(before: dict[str, Any], after: dict[str, Any]) -> None:
    assert rules(changed(before, after)) == []


def test_words_that_moved_with_their_schema_are_the_same_words() -> None:
    shape = {"type": "string", "description": "A colour.", "title": "Colour", "examples": ["red"]}
    inlined = taking({"type": "array", "items": shape})
    referred = tool(
        inputSchema={
            "type": "object",
            "properties": {"p": {"type": "array", "items": {"$ref": "#/$defs/Colour"}}},
            "$defs": {"Colour": shape},
        }
    )
    assert rules(changed(inlined, referred)) == []
    assert rules(changed(referred, inlined)) == []
