"""Real schemas, slimmed without loss by other code of ours, do not differ from what they were."""

import json

import pytest
from tests.catalogs import recorded_tools

from toolbooth.catalog import canonical
from toolbooth.contracts.diff.schemas import compare_schemas
from toolbooth.economics import slim


@pytest.mark.promise("diff:notation")
def test_a_public_tool_slimmed_without_loss_has_not_changed() -> None:
    tools, rewritten = recorded_tools(), 0
    for tool in tools:
        for schema in filter(None, (tool.input_schema, tool.output_schema)):
            slimmed = json.loads(canonical(slim(schema, tool.name)))
            rewritten += canonical(slimmed) != canonical(schema)
            assert compare_schemas(schema, slimmed, "") == (), tool.id
    assert rewritten > len(tools) / 2
