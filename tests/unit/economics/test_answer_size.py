"""What a tool on the wire says about the size of its answers."""

from typing import Any

import pytest

from toolbooth.catalog import Tool
from toolbooth.economics import Risk, answer_risk
from toolbooth.economics.answer_size import limit_input, open_limit_input
from toolbooth.economics.output_fields import row_fields

USERS = {
    "type": "object",
    "properties": {
        "users": {"type": "array", "items": {"$ref": "#/$defs/User"}},
        "next": {"anyOf": [{"type": "string"}, {"type": "null"}]},
    },
    "$defs": {
        "User": {"type": "object", "properties": {"id": {}, "address": {"properties": {"street": {}}}}}
    },
}


def _tool(output: Any = None, **inputs: Any) -> Tool:
    return Tool("server", "tool", input_schema={"properties": inputs}, output_schema=output)


def test_rows_are_the_items_of_lists_and_their_fields_count() -> None:
    assert row_fields(USERS) == ("users", "id", "address")
    assert row_fields({"type": "array", "items": {"properties": {"id": {}, "n": {}}}}) == ("id", "n")
    nested: Any = {"items": {"properties": {"name": {}}}}
    assert row_fields({"properties": {"all": {"items": {"properties": {"id": {}, "tags": nested}}}}}) == (
        "all",
        "id",
        "tags",
        "name",
    )


@pytest.mark.promise("economics:no-ground")
@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"content": {"type": "string"}}},  # the public filesystem server's move_file
        {"properties": {"result": {"type": "string"}}, "x-fastmcp-wrap-result": True},
        {"properties": {"success": {"type": "boolean"}, "id": {"type": "string"}}},
        {"properties": {"tags": {"type": "array", "items": {"type": "string"}}}},
        {"properties": {"content": {"items": {"properties": {"type": {}, "data": {}, "mimeType": {}}}}}},
    ],
)
@pytest.mark.parametrize("inputs", [{}, {"limit": {"type": "integer", "maximum": 50}}])
def test_without_rows_in_the_schema_nothing_is_estimated(schema: Any, inputs: Any) -> None:
    found = answer_risk(_tool(schema, **inputs))
    assert (found.risk, found.profile, found.bounded) == (None, None, bool(inputs))
    assert "the size is unknown" in found.reason
    assert answer_risk(_tool(schema, **inputs), max_bytes=400).risk is Risk.LOW


@pytest.mark.parametrize(
    "schema", [None, {}, {"type": "object"}, {"properties": "nonsense"}, {"$ref": "#/nowhere"}]
)
def test_fields_are_unknown_where_no_schema_names_them(schema: Any) -> None:
    assert row_fields(schema) is None


def test_a_recursive_schema_ends() -> None:
    node = {"properties": {"name": {}, "children": {"type": "array", "items": {"$ref": "#"}}}}
    assert row_fields({"type": "array", "items": node, **node}) == ("name", "children")


def test_a_schema_that_doubles_at_every_step_ends() -> None:
    levels = {
        f"L{n}": {"properties": {s: {"type": "array", "items": {"$ref": f"#/$defs/L{n + 1}"}} for s in "ab"}}
        for n in range(40)
    }
    fields = row_fields({"$ref": "#/$defs/L0", "$defs": levels})
    assert fields is not None
    assert len(fields) <= 2000


def test_the_same_name_in_two_branches_counts_once() -> None:
    either: Any = {"anyOf": [{"properties": {"a": {}}}, {"properties": {"a": {}, "b": {}}}]}
    assert row_fields({"type": "array", "items": either}) == ("a", "b")


@pytest.mark.parametrize(
    ("name", "schema", "maximum"),
    [
        ("limit", {"type": "integer", "maximum": 100}, 100),
        ("perPage", {"type": "integer", "exclusiveMaximum": 101}, 100),
        ("per-page", {"maximum": 100.5}, 100),
        ("page_size", {"anyOf": [{"type": "integer", "maximum": 50}, {"type": "null"}]}, 50),
        ("top_k", {"type": ["integer", "null"], "maximum": 20, "exclusiveMaximum": True}, 19),
        ("maxResults", {"enum": [10, 25, 50, None]}, 50),
        ("count", {"$ref": "#/properties/other"}, 7),
    ],
)
def test_a_pagination_input_with_a_maximum_is_a_limit(name: str, schema: Any, maximum: int) -> None:
    found = limit_input({"properties": {name: schema, "other": {"maximum": 7}}})
    assert found == (name, maximum)


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "integer"},
        {"type": "integer", "maximum": 9007199254740991},
        {"anyOf": [{"type": "integer", "maximum": 5}, {"type": "number"}]},
        {"type": "string", "maxLength": 5},
        {"maximum": True},
        {"enum": ["10", "20"]},
        "nonsense",
    ],
)
def test_a_pagination_input_without_a_real_maximum_is_none(schema: Any) -> None:
    assert limit_input({"properties": {"limit": schema}}) is None


def test_a_vague_name_counts_only_where_no_telling_one_takes_a_number() -> None:
    few = {"type": "integer", "maximum": 9}
    assert limit_input({"properties": {"n": few, "limit": {"type": "integer"}}}) is None
    assert limit_input({"properties": {"n": few, "limit": {**few, "maximum": 50}}}) == ("limit", 50)
    assert limit_input({"properties": {"n": few, "limit": {"type": "string"}}}) == ("n", 9)
    assert limit_input({"properties": {"n": few, "count": {"type": "integer"}}}) == ("n", 9)
    assert open_limit_input({"properties": {"n": few, "limit": {"type": "integer"}}}) == "limit"


def test_risk_is_unknown_and_said_so_without_an_output_schema() -> None:
    risk = answer_risk(_tool())
    assert (risk.risk, risk.bounded, risk.bounded_by, risk.profile) == (None, False, None, None)
    assert "unknown" in risk.reason


def test_a_limit_bounds_an_answer_even_where_its_size_is_unknown() -> None:
    risk = answer_risk(_tool(limit={"maximum": 10}))
    assert risk.risk is None
    assert risk.bounded
    assert risk.bounded_by == "limit input `limit` ≤ 10"


def test_one_line_of_config_bounds_an_unbounded_tool() -> None:
    assert not answer_risk(_tool(USERS)).bounded
    capped = answer_risk(_tool(USERS), max_bytes=3500)
    assert (capped.bounded, capped.risk, capped.bounded_by) == (True, Risk.LOW, "cap of 3500 bytes")
    limited = answer_risk(_tool(USERS), limit=5)
    assert (limited.bounded, limited.bounded_by) == (True, "config limit 5")


def test_the_tighter_of_two_limits_counts() -> None:
    tool = _tool(USERS, limit={"maximum": 10})
    assert answer_risk(tool, limit=50).bounded_by == "limit input `limit` ≤ 10"
    profile = answer_risk(tool, limit=50).profile
    assert profile is not None
    assert profile.agent_limit == 10


def test_a_cap_makes_the_risk_known_without_fields() -> None:
    assert answer_risk(_tool(), max_bytes=1000).risk is Risk.LOW
