"""Estimates and real answers together: which one decides, and the error of the estimate."""

from typing import Any

import pytest

from toolbooth.catalog import Catalog, ServerTools, Tool
from toolbooth.economics import (
    CatalogProfile,
    Risk,
    Seen,
    Thresholds,
    measured_sizes,
    profile_catalog,
    worst_risk,
)

ROW: dict[str, Any] = {"properties": {"id": {}, "name": {}}}
ROWS: dict[str, Any] = {"type": "array", "items": ROW}  # base 14: ≈1,400 where nothing bounds it


def tool(name: str = "tool", output: Any = ROWS, **inputs: Any) -> Tool:
    schema = {"type": "object", "properties": inputs}
    return Tool("server", name, "Does it.", input_schema=schema, output_schema=output, raw={"name": name})


def profiled(*tools: Tool, seen: dict[str, Seen] | None = None, caps: Any = (None, None)) -> CatalogProfile:
    catalog = Catalog((ServerTools("server", tools or (tool(),)),))
    return profile_catalog(catalog, seen, lambda _tool: caps)


def answers(*sizes: int) -> dict[str, Seen]:
    return {"server.tool": Seen(measured_sizes("ledger", [(size, 1) for size in sizes]))}


def test_definitions_are_weighed_exactly_and_their_parts_add_up() -> None:
    found = profiled(tool("one"), tool("two"))
    assert found.tokens == sum(each.weight.tokens for each in found.tools) > 0
    for each in found.tools:
        assert each.weight.tokens == each.weight.name + each.weight.description + each.weight.schema
    assert sum(each.share for each in found.tools) == pytest.approx(1)
    assert sum(each.share for each in found.servers) == pytest.approx(1)


@pytest.mark.parametrize(
    ("sizes", "risk", "is_measured"),
    [
        ((), Risk.MEDIUM, False),
        ((50,), Risk.MEDIUM, False),
        ((1500,), Risk.MEDIUM, True),
        ((9000, 10), Risk.CRITICAL, True),
    ],
)
def test_the_risk_is_the_higher_of_estimate_and_measurement(
    sizes: tuple[int, ...], risk: Risk, is_measured: bool
) -> None:
    found = profiled(seen=answers(*sizes)).tools[0]
    assert (found.risk, found.is_risk_measured) == (risk, is_measured)
    assert found.most_tokens == (max(sizes) if is_measured else 1400)


def test_a_cap_of_the_config_counts_whatever_was_sent_before() -> None:
    found = profiled(seen=answers(9000), caps=(3500, None)).tools[0]
    assert (found.risk, found.is_risk_measured, found.answers.bounded) == (Risk.LOW, False, True)
    assert found.estimate_error is None
    unknown = profiled(tool(output=None), seen=answers(9000), caps=(None, 5)).tools[0]
    assert (unknown.risk, unknown.is_risk_measured) == (Risk.CRITICAL, True)


def test_the_error_is_the_estimate_divided_by_the_measured_maximum() -> None:
    assert profiled(seen=answers(700, 20)).tools[0].estimate_error == 2
    assert profiled(seen=answers(0)).tools[0].estimate_error is None
    assert profiled().tools[0].estimate_error is None
    assert profiled(tool(output=None), seen=answers(700)).tools[0].estimate_error is None
    errors = profiled(seen=answers(700, 20)).estimate_errors
    assert errors is not None
    assert (errors.tools, errors.answers, errors.least, errors.median, errors.most) == (1, 2, 2, 2, 2)
    assert profiled().estimate_errors is None


def test_fields_come_from_the_output_schema_else_from_answers_else_are_unknown() -> None:
    seen = {"server.tool": Seen(None, ("a", "b", "c"))}
    declared, recorded = profiled(seen=seen).tools[0], profiled(tool(output=None), seen=seen).tools[0]
    unknown = profiled(tool(output=None)).tools[0]
    assert [each.answers.fields_from for each in (declared, recorded, unknown)] == [
        "output schema",
        "seen answers",
        None,
    ]
    assert recorded.answers.profile is not None
    assert recorded.answers.profile.max_tokens == 2100
    assert unknown.risk is None


def test_the_riskiest_come_first_then_unknown_risks() -> None:
    limited = {"limit": {"type": "integer", "maximum": 5}}
    tools = (
        tool("mild", **limited),
        tool("unknown", None),
        tool("unknown_but_limited", None, **limited),
        tool("medium"),
        tool("tool", None),
    )
    found = profiled(*tools, seen=answers(5000))
    assert [each.tool.name for each in found.ranked] == [
        "tool",
        "medium",
        "unknown",
        "unknown_but_limited",
        "mild",
    ]
    assert worst_risk(found.tools) is Risk.HIGH
    assert worst_risk(profiled(tool(output=None)).tools) is None


def test_a_server_is_the_sum_of_the_tools_that_can_be_estimated() -> None:
    found = profiled(tool("one"), tool("two"), tool("unknown", None))
    summary = found.servers[0].summary
    assert (summary.tool_count, summary.total_max_tokens, len(summary.unbounded_tool_names)) == (2, 2800, 2)
    assert found.summary == summary


def test_other_thresholds_judge_estimates_too() -> None:
    catalog = Catalog((ServerTools("server", (tool(),)),))
    assert profile_catalog(catalog, thresholds=Thresholds(10, 20, 30)).tools[0].risk is Risk.CRITICAL
    assert profile_catalog(Catalog()).tools == ()
