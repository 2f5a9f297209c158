"""How many schemas a value can meet is counted without a value."""

from typing import Any

import pytest

from toolbooth.gateway.arguments.read import read
from toolbooth.gateway.arguments.size import Size
from toolbooth.gateway.arguments.workload import TooMuch, Workload, workload

STR = {"type": "string"}


def load(schema: Any) -> Workload:
    return workload(read(schema).root)


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
    with pytest.raises(TooMuch):
        load(twice)


def test_options_that_are_compared_one_by_one_names_and_patterns_weigh() -> None:
    assert load({"enum": ["a", "b"]}).visits == 1
    assert load({"enum": ["a", 1]}).visits == 21
    assert load({"required": ["a", "b"]}).visits == 3
    assert load({"properties": {"x": {"allOf": [{"pattern": "a"}, {"pattern": "b"}]}}}).patterns == 2


def test_the_cost_of_a_call_is_values_times_visits_and_text_times_patterns() -> None:
    assert Workload(visits=3, patterns=2).cost(Size(values=10, text=5, depth=1)) == 30 + 1_000
