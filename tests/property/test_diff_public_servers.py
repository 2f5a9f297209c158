"""Real schemas, slimmed without loss by other code of ours, do not differ from what they were."""

import json
from pathlib import Path

import pytest

from toolbooth.catalog import Tool, canonical, read_catalog
from toolbooth.contracts.diff.schemas import compare_schemas
from toolbooth.economics import slim

CATALOGS = Path(__file__).parents[2].parent / "shared" / "data" / "catalogs"
EVERY = 4  # of nearly 3,000 tools: all of them take a quarter of a minute


def public_tools() -> list[Tool]:
    files = sorted(CATALOGS.glob("*.json"))
    return [tool for file in files for tool in read_catalog(json.loads(file.read_text()), file)][::EVERY]


@pytest.mark.skipif(not CATALOGS.is_dir(), reason="the public catalogs are not in this checkout")
@pytest.mark.promise("diff:notation")
def test_a_public_tool_slimmed_without_loss_has_not_changed() -> None:
    rewritten = 0
    for tool in public_tools():
        for schema in filter(None, (tool.input_schema, tool.output_schema)):
            slimmed = json.loads(canonical(slim(schema, tool.name)))
            rewritten += canonical(slimmed) != canonical(schema)
            assert compare_schemas(schema, slimmed, "") == (), tool.id
    assert rewritten > 500
