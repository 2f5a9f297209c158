"""Each slimming rule by an example, and each trap by what must stay."""

from typing import Any

import pytest

from toolbooth.economics import noise, slim
from toolbooth.economics.slimming.rule import RULES

D7 = "http://json-schema.org/draft-07/schema#"
D2020 = "https://json-schema.org/draft/2020-12/schema"


def _in_property(schema: Any, key: str = "user_id") -> dict[str, Any]:
    return {"type": "object", "properties": {key: schema}}


NOISE: list[tuple[str, Any, Any]] = [
    ("title-repeats-key", _in_property({"title": "User Id", "type": "string"}), _in_property({"type": "string"})),
    ("title-repeats-key", _in_property({"title": " "}), _in_property({})),
    ("generated-title", {"title": "list_filesArguments", "type": "object"}, {"type": "object"}),
    ("description-repeats-key", _in_property({"description": "user id"}), _in_property({})),
    ("empty-description", {"description": "\n"}, {}),
    ("default-null", {"default": None}, {}),
    ("comment", {"$comment": "x"}, {}),
    ("duplicate-enum", {"enum": [1, "1", True, 1, "1"]}, {"enum": [1, "1", True]}),
    ("duplicate-type", {"type": ["string"]}, {"type": "string"}),
    ("empty-list", {"required": [], "examples": []}, {}),
    ("no-bound", {"minLength": 0, "minItems": 0, "minProperties": 0, "pattern": ".*"}, {}),
    ("false-flag", {"uniqueItems": False, "readOnly": False}, {}),
    ("open-object", {"type": "object", "additionalProperties": True}, {"type": "object"}),
    ("open-object", {"type": "object", "additionalProperties": {}}, {"type": "object"}),
    ("any-property-name", {"propertyNames": {"type": "string"}}, {}),
    ("root-id", {"$id": "https://example.org/x"}, {}),
    ("schema-keyword", {"$schema": D2020, "type": "object"}, {"type": "object"}),
    ("schema-keyword", {"$schema": D7, "type": "object"}, {"type": "object"}),
    ("one-branch", {"anyOf": [{"type": "string"}]}, {"type": "string"}),
    ("duplicate-branch",
     {"allOf": [{"minimum": 1}, {"minimum": 1}, {"minimum": 2}]},
     {"allOf": [{"minimum": 1}, {"minimum": 2}]}),
    ("nested-union",
     {"anyOf": [{"anyOf": [{"not": {}}, {"minimum": 1}]}, {"if": {}}]},
     {"anyOf": [{"not": {}}, {"minimum": 1}, {"if": {}}]}),
    ("union-of-constants", {"oneOf": [{"const": "a"}, {"const": "b"}]}, {"enum": ["a", "b"]}),
    ("union-of-types",
     {"anyOf": [{"type": "string", "maxLength": 3}, {"type": "null"}]},
     {"type": ["string", "null"], "maxLength": 3}),
    ("union-of-types",
     {"anyOf": [{"type": "string", "enum": ["a"]}, {"type": "null"}]},
     {"type": ["string", "null"], "enum": ["a", None]}),
    ("unused-definition", {"$defs": {"A": {"items": {"$ref": "#/$defs/A"}}}}, {}),
    ("inline-definition", {"$ref": "#/$defs/A", "$defs": {"A": {"type": "object"}}}, {"type": "object"}),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "schema", "slimmed"), NOISE)
def test_noise_goes_and_is_named(kind: str, schema: Any, slimmed: Any) -> None:
    assert slim(schema) == slimmed
    assert kind in [found.kind for found in noise(schema)]


def test_every_rule_has_an_example() -> None:
    elsewhere = {"long-definitions"}
    assert {kind for kind, _, _ in NOISE} | elsewhere == {rule.id for rule in RULES}
    assert len({rule.id for rule in RULES}) == len(RULES)


def test_definitions_get_their_short_name_and_references_follow() -> None:
    node = {"properties": {"next": {"$ref": "#/definitions/a~1b"}, "other": {"$ref": "#/definitions/a~1b"}}}
    slimmed = slim({"$ref": "#/definitions/a~1b", "definitions": {"a/b": node}})
    assert slimmed["properties" if "properties" in slimmed else "$ref"] == "#/$defs/a~1b"
    assert slimmed["$defs"]["a/b"]["properties"]["next"] == {"$ref": "#/$defs/a~1b"}


def test_a_reference_follows_its_target_when_that_moves() -> None:
    schema = {
        "properties": {
            "a": {"allOf": [{"properties": {"deep": {"type": "string", "description": "x" * 200}}}]},
            "b": {"$ref": "#/properties/a/allOf/0/properties/deep"},
        }
    }
    assert slim(schema)["properties"]["b"] == {"$ref": "#/properties/a/properties/deep"}


def test_the_tool_name_as_title_goes_only_where_the_tool_is_known() -> None:
    schema = {"title": "List files", "type": "object"}
    assert slim(schema) == schema
    assert slim(schema, "list_files") == {"type": "object"}


KEPT: dict[str, dict[str, Any]] = {
    "a title that says more than its key": _in_property({"title": "Customer"}),
    "properties that are called like keywords": {
        "properties": {
            name: {"type": "string", "description": f"the {name} of it"}
            for name in ("title", "description", "default", "$schema", "enum", "$ref", "additionalProperties")
        },
        "required": ["title"],
    },
    "values that look like schemas": {
        "const": {"title": "const", "default": None},
        "enum": [{"minLength": 0}, {"description": ""}],
        "default": {"$comment": "x", "$ref": "#/nowhere"},
        "examples": [{"required": []}],
    },
    "the draft of keywords that 2020-12 reads otherwise": {"$schema": D7, "items": [{"type": "string"}]},
    "the draft where formats are asserted": {"$schema": D7, "properties": {"mail": {"format": "email"}}},
    "the draft where a reference hides its siblings": {
        "$schema": D7,
        "properties": {"a": {"$ref": "#", "maxLength": 1}, "b": {"type": "string"}},
    },
    "the draft that takes any value of a flag it does not know": {
        "$schema": D7,
        "properties": {"a": {"deprecated": "since 2.0"}},
    },
    "definitions that the draft does not check, so that a fault in them refuses nothing": {
        "$schema": D7,
        "properties": {"a": {"$ref": "#/$defs/A"}, "b": {"$ref": "#/$defs/B"}},
        "$defs": {"A": {"$ref": "#/$defs/B", "minimum": "1"}, "B": {"type": "object", "title": 3}},
    },
    "an unknown draft": {"$schema": "https://example.org/mine", "default": None},
    "draft 4": {"$schema": "http://json-schema.org/draft-04/schema#", "default": None},
    "references by anchor": {"$ref": "#x", "$defs": {"A": {"$anchor": "x", "default": None}}},
    "dynamic references": {"$dynamicRef": "#x", "default": None},
    "a schema with a name inside": {"properties": {"a": {"$id": "b", "default": None}}},
    "references to other documents": {"$ref": "https://example.org/other", "default": None},
    "references that lead nowhere": {"$ref": "#/$defs/None", "default": None},
    "references in a circle": {"$ref": "#/$defs/A", "$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}}},
    "what siblings have evaluated": {"additionalProperties": True, "unevaluatedProperties": False},
    "additional properties beside an inner list of them": {
        "properties": {"a": {}},
        "allOf": [{"additionalProperties": False}],
    },
    "conditions that would read each other": {"if": {"type": "string"}, "allOf": [{"then": {"minLength": 3}}]},
    "an assertion that would stand beside a reference": {
        "properties": {"n": {"allOf": [{"$ref": "#"}], "minProperties": 1}}
    },
    "a bound that would reach another type": {
        "anyOf": [{"type": "array", "minItems": 1, "maxLength": 1}, {"type": "string"}]
    },
    "an enum that would reach another type": {"anyOf": [{"type": "string", "enum": ["a"]}, {"type": "integer"}]},
    "types of which only one may fit": {"oneOf": [{"type": "number"}, {"type": "integer"}]},
    "constants of which only one may fit": {"oneOf": [{"const": 1}, {"const": 1.0}]},
    "branches of which only one may fit": {"oneOf": [{"minimum": 1}, {"minimum": 1}]},
    "two descriptions": {
        "description": "outer",
        "anyOf": [{"type": "string", "description": "inner"}, {"type": "null"}],
    },
    "a default inside a branch": {"anyOf": [{"type": "string", "default": "x"}, {"type": "null"}]},
    "items and properties that some APIs require": {"type": "array", "items": {}, "properties": {}},
    "a map of references that is no schema": {
        "discriminator": {"mapping": {"a": "#/$defs/A"}},
        "$ref": "#/$defs/A",
        "$defs": {"A": {"type": "object"}},
    },
    "malformed keywords": {"properties": [], "default": None},
    "a keyword of the wrong type": {"pattern": ["x"], "enum": "abc", "type": {"a": 1}, "title": 3},
    "boolean schemas": {"properties": {"a": True, "b": False}, "not": False},
}  # fmt: skip


@pytest.mark.parametrize("schema", KEPT.values(), ids=KEPT.keys())
def test_what_cannot_be_shown_to_be_noise_stays(schema: dict[str, Any]) -> None:
    assert slim(schema) == schema
    assert noise(schema) == ()


def test_a_definition_stays_whole_where_only_a_part_of_it_is_used() -> None:
    schema = {
        "properties": {"a": {"$ref": "#/$defs/A/properties/x"}},
        "$defs": {
            "A": {
                "properties": {"x": {"type": "string", "description": "y" * 99}, "z": {"$ref": "#/$defs/B"}}
            },
            "B": {"description": "w" * 99, "properties": {"b": {"$ref": "#/$defs/B"}}},
            "C": {"$ref": "#/$defs/B"},
        },
    }
    slimmed = slim(schema)
    assert set(slimmed["$defs"]) == {"A", "B"}


def test_what_a_reference_leads_to_is_not_dropped_as_a_repetition() -> None:
    long = {"type": "object", "properties": {"a": {"description": "x" * 99}}}
    refs = {name: {"$ref": "#/anyOf/1/properties/a"} for name in "ab"}
    schema = {"anyOf": [long, long], "properties": refs}
    assert slim(schema | {"default": None}) == schema


def _nested(depth: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"default": None}
    for _ in range(depth):
        schema = {"not": schema}
    return schema


@pytest.mark.parametrize(
    "schema", [_nested(60_000), _nested(80), {"enum": list(range(60_000)), "default": None}]
)
def test_a_schema_over_the_ceilings_is_given_back_as_it_is(schema: dict[str, Any]) -> None:
    slimmed = slim(schema)
    assert slimmed is not schema
    assert slimmed.keys() == schema.keys()


def test_a_chain_of_definitions_does_not_grow_past_the_ceiling() -> None:
    chain = {f"D{n}": {"properties": {"x": {"$ref": f"#/$defs/D{n + 1}"}}} for n in range(3000)}
    slimmed = slim({"$ref": "#/$defs/D0", "$defs": chain | {"D3000": {"type": "string"}}})
    assert slim(slimmed) == slimmed
    assert slimmed["properties"]["x"]["properties"]


def test_what_is_given_back_shares_no_part_that_was_slimmed() -> None:
    schema = _in_property({"type": "string", "default": None, "enum": ["a"]})
    slim(schema)["properties"]["user_id"]["enum"].append("b")
    assert schema["properties"]["user_id"]["enum"] == ["a"]


def test_a_finding_says_where_and_what() -> None:
    (found,) = noise(_in_property({"title": "A/B", "type": "string"}, "a/b"))
    assert found == ("title-repeats-key", "#/properties/a~1b", 'title "A/B" repeats the key')
