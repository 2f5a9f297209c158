"""The one counting rule, with the fixed points of the spec."""

from typing import Any

import pytest
from hypothesis import given, strategies as st
from tests.catalogs import CATALOGS, RETRIEVAL

from toolbooth.catalog import MalformedTool, Tool, decode, read_catalog
from toolbooth.tokens import count, weigh


def tool(**raw: Any) -> Tool:
    return Tool.from_raw("s", {"name": "t", **raw})


def test_a_tool_costs_name_description_and_schema_each_on_a_line() -> None:
    (weight,) = weigh([tool(description="Does it.", inputSchema={"type": "object", "a": 1})])
    assert weight.tokens == count('t\nDoes it.\n{"a":1,"type":"object"}')
    assert weight.id == "s.t"


@pytest.mark.parametrize("schema", [None, {}, ""])
def test_no_schema_leaves_its_line_break_out(schema: Any) -> None:
    assert weigh([tool(inputSchema=schema)]).total_tokens == count("t\n")
    assert weigh([tool()]).total_tokens == count("t\n")


def test_a_missing_description_is_the_empty_line() -> None:
    assert weigh([tool(inputSchema={"a": 1})]).total_tokens == count('t\n\n{"a":1}')


def test_non_ascii_text_and_numbers_are_counted_as_given() -> None:
    (weight,) = weigh([tool(inputSchema={"d": "Größe 漢", "max": 1.0, "big": 2**70})])
    assert weight.tokens == count('t\n\n{"big":1180591620717411303424,"d":"Größe 漢","max":1.0}')


def test_plain_raw_objects_can_be_weighed_too() -> None:
    assert weigh([{"name": "t", "description": "d"}]).total_tokens == count("t\nd")
    with pytest.raises(MalformedTool):
        weigh([{"description": "no name"}])


@given(st.text(), st.dictionaries(st.text(), st.integers() | st.text() | st.booleans()))
def test_the_three_parts_add_up_to_the_whole(description: str, schema: dict[str, Any]) -> None:
    (weight,) = weigh([tool(description=description, inputSchema=schema)])
    assert weight.name + weight.description + weight.schema == weight.tokens
    assert weight.schema > 0 or not schema


@pytest.mark.parametrize(("corpus", "total", "largest"), [("corpus_v1", 1730, 569), ("corpus_v2", 4386, 805)])
def test_the_fixed_points_hold(corpus: str, total: int, largest: int) -> None:
    path = RETRIEVAL / "mcpproxy" / f"{corpus}.tools.json"
    weights = weigh(read_catalog(decode(path.read_bytes()), path))
    assert weights.total_tokens == total
    assert max(weight.tokens for weight in weights) == largest
    assert len(weights) == 45


def test_all_recorded_public_catalogs_weigh() -> None:
    weights = [weigh(read_catalog(decode(path.read_bytes()), path)) for path in CATALOGS]
    assert len(weights) == 11
    assert sum(len(each) for each in weights) == 68
    assert sum(each.total_tokens for each in weights) == 13_945
