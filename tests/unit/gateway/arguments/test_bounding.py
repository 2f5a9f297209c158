"""What is taken out of a schema only ever makes it accept more."""

from typing import Any

import pytest

from toolbooth.gateway.arguments.bounding import ArgumentsSize, TooMuchWork, Workload, workload
from toolbooth.gateway.arguments.check import Checker, build
from toolbooth.gateway.arguments.schema_reading import read_schema

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


def test_what_is_beside_a_lost_demand_is_kept() -> None:
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


def load(schema: Any) -> Workload:
    return workload(read_schema(schema).root)


def test_one_schema_is_one_visit_and_what_it_applies_to_the_same_value_counts_with_it() -> None:
    assert load({}).visits == 1
    assert load({"allOf": [{}, {"anyOf": [{}, {}]}]}).visits == 5


def test_parts_of_a_value_are_values_of_their_own() -> None:
    assert load({"properties": {f"p{number}": STR for number in range(9)}}).visits == 1
    assert load({"properties": {"a": STR, "b": {"allOf": [STR, STR]}}}).visits == 3


def test_a_member_meets_what_every_schema_of_its_object_says_of_it() -> None:
    same = {"properties": {"a": STR}}
    assert load({"allOf": [same, {"properties": {"b": STR}}, {"additionalProperties": STR}]}).visits == 4
    assert load({"properties": {"a": {"allOf": [STR] * 9}}, "additionalProperties": STR}).visits == 10


def test_a_tree_that_refers_to_itself_stays_one_visit_a_value() -> None:
    again = {"$ref": "#"}
    assert load({"properties": {"left": again, "right": again, "all": {"items": again}}}).visits == 1


def test_a_circle_that_branches_is_too_much() -> None:
    twice = {"anyOf": [{"properties": {"c": {"$ref": "#"}}}, {"properties": {"c": {"$ref": "#"}}}]}
    with pytest.raises(TooMuchWork):
        load(twice)


def test_options_that_are_compared_one_by_one_names_and_patterns_weigh() -> None:
    assert load({"enum": ["a", "b"]}).visits == 1
    assert load({"enum": ["a", 1]}).visits == 21
    assert load({"required": ["a", "b"]}).visits == 3
    assert load({"properties": {"x": {"allOf": [{"pattern": "a"}, {"pattern": "b"}]}}}).patterns == 2


def test_the_cost_of_a_call_is_values_times_visits_and_text_times_patterns() -> None:
    assert Workload(visits=3, patterns=2).cost(ArgumentsSize(values=10, text=5, depth=1)) == 30 + 1_000
