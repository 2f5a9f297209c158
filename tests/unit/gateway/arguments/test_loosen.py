"""What is taken out of a schema only ever makes it accept more."""

from typing import Any

import pytest

from toolbooth.gateway.arguments.checker import Checker, build

ODD = {"pattern": "^(?!a)"}  # the linear engine has no look-ahead
STR = {"type": "string"}


def x(schema: Any) -> Checker:
    return build({"properties": {"x": schema, "y": STR}})


def accepts(checker: Checker, value: Any) -> bool:
    return checker.validator is None or checker.validator.is_valid({"x": value})


@pytest.mark.parametrize(
    ("schema", "accepted"),
    [
        (ODD, "a"),
        ({"not": ODD}, "a"),
        ({"not": {"not": ODD}}, "a"),
        ({"oneOf": [ODD, {"maxLength": 1}]}, "b"),
        ({"if": ODD, "then": {"const": "b"}, "else": {"const": "a"}}, "a"),
        ({"contains": ODD, "maxContains": 1}, ["a", "b"]),
        ({"contains": {"type": "null"}, "minContains": -1}, []),
        ({"patternProperties": {"^(?!a)": {}}, "additionalProperties": False}, {"b": 1}),
        ({"properties": {"a": 5}, "additionalProperties": False}, {"a": 1}),
        ({"prefixItems": [5], "items": STR}, [1]),
        ({"allOf": [{"patternProperties": {"^(?!a)": {}}}], "unevaluatedProperties": False}, {"b": 1}),
        ({"anyOf": [STR], "oneOf": [ODD]}, "b"),
        ({"exclusiveMinimum": True, "minimum": 1}, 1),
    ],
)
def test_a_lost_demand_never_turns_into_a_refusal(schema: Any, accepted: Any) -> None:
    checker = x(schema)
    assert checker.judged == "partly"
    assert accepts(checker, accepted)
    assert not checker.validator or not checker.validator.is_valid({"y": 5})


def test_what_stands_beside_a_lost_demand_is_kept() -> None:
    assert not accepts(x({**ODD, "maxLength": 1}), "bb")
    assert not accepts(x({"oneOf": [{**ODD, **STR}, {"type": "null"}]}), 5)


def test_a_definition_that_lost_something_is_known_wherever_it_is_used() -> None:
    checker = build(
        {"not": {"$ref": "#/$defs/odd"}, "required": ["x"], "$defs": {"odd": {"properties": {"x": ODD}}}}
    )
    assert accepts(checker, "a")
    assert checker.validator is not None
    assert not checker.validator.is_valid({})


def test_a_circle_that_consumes_nothing_is_cut_and_the_rest_stays() -> None:
    checker = build({"allOf": [{"$ref": "#"}], "properties": {"x": STR}})
    assert checker.judged == "partly"
    assert not accepts(checker, 5)


def test_an_unused_definition_does_no_harm() -> None:
    assert (
        build({"properties": {"x": STR}, "$defs": {"odd": ODD, "far": {"$ref": "http://127.0.0.1/"}}}).judged
        == "full"
    )


@pytest.mark.parametrize("draft", ["http://json-schema.org/draft-04/schema#", "https://example.org/mine", 7])
def test_a_draft_that_is_not_known_is_left_to_the_backend(draft: Any) -> None:
    checker = build({"$schema": draft, "required": ["x"]})
    assert (checker.judged, checker.validator) == ("not", None)


def test_a_part_with_a_name_of_its_own_is_not_looked_into_by_reference() -> None:
    inner = {"$id": "https://example.org/inner", "$ref": "#/$defs/a", "$defs": {"a": STR}}
    checker = build({"properties": {"x": inner}, "$defs": {"a": {"type": "null"}}})
    assert checker.judged == "partly"
    assert accepts(checker, "a")
