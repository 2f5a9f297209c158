"""What is served to clients: as the server sent it, or repaired so that no SDK refuses the whole list."""

from typing import Any

import mcp_types
import pytest
from hypothesis import given, strategies as st
from mcp_types import _v2025_11_25 as old, _v2026_07_28 as new

from toolbooth.catalog import MalformedTool, Tool
from toolbooth.gateway.normalized_tool import normalized, normalized_definition

junk: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.sampled_from(["", "object", "array", "x"]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["a", "type", "src"]), inner, max_size=2)
    ),
    max_leaves=5,
)
schemas = st.none() | st.dictionaries(
    st.sampled_from(["type", "properties", "required", "$schema", "anyOf"]), junk
)
raw_tools = st.fixed_dictionaries(
    {"name": st.just("t")},
    optional={
        "inputSchema": schemas,
        "outputSchema": schemas,
        "annotations": st.dictionaries(st.sampled_from(["title", "readOnlyHint", "destructiveHint"]), junk),
        "icons": junk,
        "execution": junk | st.dictionaries(st.just("taskSupport"), junk),
        "title": junk,
        "_meta": junk,
        "description": st.none() | st.text(max_size=5),
    },
)


@given(raw_tools)
def test_whatever_a_server_sends_no_sdk_refuses_it(raw: dict[str, Any]) -> None:
    try:
        tool = Tool.from_raw("s", raw)
    except MalformedTool:
        return
    new.Tool.model_validate(normalized_definition(tool))
    mcp_types.Tool.model_validate(normalized_definition(tool))
    old.Tool.model_validate(normalized_definition(tool, legacy=True))


def test_what_is_right_stays_as_it_is() -> None:
    raw = {
        "name": "t",
        "inputSchema": {"type": "object", "x": 1},
        "_meta": {"k": 1},
        "annotations": {"title": "T"},
    }
    assert normalized(Tool.from_raw("s", raw)) == (raw, ())


@pytest.mark.parametrize(
    ("schema", "served_as"),
    [
        ({"properties": {"a": {}}}, {"type": "object", "properties": {"a": {}}}),
        (None, {"type": "object"}),
        ({"type": ["object", "null"], "properties": None}, {"type": "object", "properties": None}),
        ({"type": "object", "properties": {"a": None}, "required": ["a", 1]}, None),
    ],
)
def test_an_input_schema_becomes_an_object(schema: Any, served_as: Any) -> None:
    definition, repairs = normalized(Tool.from_raw("s", {"name": "t", "inputSchema": schema}))
    repaired = {"type": "object", "properties": {"a": {}}, "required": ["a"]}
    assert definition["inputSchema"] == (served_as or repaired)
    assert len(repairs) == 1


def test_output_that_is_no_object_is_kept_from_old_clients_only() -> None:
    tool = Tool.from_raw(
        "s", {"name": "t", "inputSchema": {"type": "object"}, "outputSchema": {"type": "array"}}
    )
    assert "outputSchema" in normalized_definition(tool)
    assert "outputSchema" not in normalized_definition(tool, legacy=True)


@pytest.mark.parametrize("support", ["optional", "required"])
def test_a_tool_that_runs_as_a_task_may_be_called_either_way(support: str) -> None:
    raw = {"name": "slow", "inputSchema": {"type": "object"}, "execution": {"taskSupport": support}}
    tool = Tool.from_raw("s", raw)
    assert normalized(tool, legacy=True).definition["execution"] == {"taskSupport": "optional"}
    assert "execution" not in normalized(tool).definition
