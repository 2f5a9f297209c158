"""Lines of toolbooth.yaml that help: each is tried out, and does what it says."""

from pathlib import Path
from typing import Any

import pytest

from toolbooth.catalog import Catalog, ServerTools, Tool
from toolbooth.catalog.config import read_config
from toolbooth.economics import (
    DEFAULT_THRESHOLDS,
    Remedy,
    Risk,
    Seen,
    Thresholds,
    after_recommendation,
    cap_line,
    measured_sizes,
    profile_catalog,
    remedies,
    tool_pattern,
)

ROW: dict[str, Any] = {"properties": {f"field_{number}": {} for number in range(15)}}
WIDE: dict[str, Any] = {"type": "array", "items": ROW}  # base 110
MIDDLE: dict[str, Any] = {"type": "array", "items": {"properties": {"id": {}, "name": {}}}}  # base 14
SMALL: dict[str, Any] = {"type": "array", "items": {"properties": {"id": {}}}}  # base 7
LISTED = {"properties": {"items": {"type": "array", "items": ROW}}}


def tool(name: str, output: Any = WIDE, server: str = "server", **inputs: Any) -> Tool:
    return Tool(server, name, input_schema={"properties": inputs}, output_schema=output)


def found(*tools: Tool, seen: dict[str, Seen] | None = None, caps: Any = (None, None)) -> tuple[Remedy, ...]:
    servers = {each.server: None for each in tools}
    catalog = Catalog(
        tuple(ServerTools(name, tuple(each for each in tools if each.server == name)) for name in servers)
    )
    return remedies(profile_catalog(catalog, seen, lambda _tool: caps))


def answers(*sizes: int) -> Seen:
    return Seen(measured_sizes("recorded", [(size, 1) for size in sizes]))


def test_a_flood_is_capped_where_it_is_no_flood_any_more() -> None:
    (remedy,) = found(tool("get_thing"))
    assert remedy.line == "server.get_thing: {max_bytes: 14000}"
    assert (remedy.first.risk, remedy.after.risk) == (Risk.CRITICAL, Risk.MEDIUM)
    assert remedy.schema is None  # one thing has nothing to page through


def test_a_list_gets_a_limit_as_well_with_as_many_rows_as_are_no_flood() -> None:
    (remedy,) = found(tool("list_things", LISTED))
    assert remedy.line == "server.list_things: {max_bytes: 14000, limit: 33}"
    assert remedy.after.profile is not None
    assert not [each for each in remedy.after.profile.recommendations if each.rule != "too-many-fields"]
    change = remedy.schema
    assert change is not None
    assert (change.input, change.is_new, change.maximum) == ("limit", True, 33)
    assert change.message == "give it an input `limit` with a `maximum` of 33"
    assert change.after is not None
    assert change.after.risk is Risk.MEDIUM


def test_an_input_that_is_there_is_named_for_its_maximum() -> None:
    (open_one,) = found(tool("search", LISTED, page_size={"type": "integer"}))
    (far,) = found(tool("search", LISTED, page_size={"type": "integer", "maximum": 1000}))
    for remedy in (open_one, far):
        assert remedy.schema is not None
        assert remedy.schema.message == "give its input `page_size` a `maximum` of 33"


def test_what_reality_refuted_is_capped_in_bytes_and_nothing_is_said_of_rows() -> None:
    (remedy,) = found(tool("list_things", MIDDLE), seen={"server.list_things": answers(20_000)})
    assert remedy.line == "server.list_things: {max_bytes: 14000}"
    assert remedy.first.is_risk_measured
    assert remedy.schema is not None
    assert remedy.schema.after is None


def test_a_bounded_tool_that_no_line_helps_has_none() -> None:
    assert found(tool("list_things", MIDDLE, limit={"maximum": 100})) == ()
    assert found(tool("get_thing"), caps=(14_000, None)) == ()


def test_unknown_and_low_risks_share_one_line_a_server() -> None:
    tools = [tool(name, None, "web") for name in ("get", "list_pages")]
    (several, alone) = found(*tools, tool("get_thing", SMALL), tool("touch", SMALL, "web"))
    assert several.line == '"web.*": {max_bytes: 14000}'
    assert [each.tool.name for each in several.tools] == ["list_pages", "get", "touch"]
    assert several.after.risk is Risk.MEDIUM
    assert alone.line == "server.get_thing: {max_bytes: 14000}"


def test_the_most_pressing_comes_first() -> None:
    seen = {"server.seen": answers(30_000)}
    lines = found(tool("unknown", None), tool("medium", MIDDLE), tool("wide"), tool("seen", None), seen=seen)
    assert [each.first.tool.name for each in lines] == ["seen", "wide", "medium", "unknown"]


def test_every_recommendation_of_a_rule_can_be_tried_out() -> None:
    profile = profile_catalog(Catalog((ServerTools("server", (tool("list_things", LISTED),)),))).tools[0]
    assert profile.answers.profile is not None
    tried = {
        each.rule: after_recommendation(profile, each, DEFAULT_THRESHOLDS)
        for each in profile.answers.profile.recommendations
    }
    assert list(tried) == ["bound-collection", "cap-payload", "collection-without-limit", "too-many-fields"]
    assert tried["too-many-fields"] is None
    limited, capped = tried["bound-collection"], tried["cap-payload"]
    assert limited is not None
    assert capped is not None
    assert (limited[0], limited[1].bounded) == ((None, 50), True)
    assert (capped[0], capped[1].risk) == ((14_000, None), Risk.MEDIUM)


def test_the_cap_follows_the_thresholds() -> None:
    catalog = Catalog((ServerTools("server", (tool("get_thing"),)),))
    (remedy,) = remedies(profile_catalog(catalog, thresholds=Thresholds(10, 101, 1000)))
    assert (remedy.caps, remedy.after.risk) == ((353, None), Risk.MEDIUM)


@pytest.mark.promise("profile:line")
@pytest.mark.parametrize(
    "name",
    [
        "list_issues",
        "odd: name",
        "- dash",
        "#x",
        "a'b\"c",
        "\x1b[31mred",
        "*",
        "who?",
        "a[b]",
        "null",
        "é",
        "🎈",
    ],
)
def test_a_line_is_read_back_as_it_is_meant_and_means_one_tool(tmp_path: Path, name: str) -> None:
    config = tmp_path / "toolbooth.yaml"
    line = cap_line(tool_pattern(f"github.{name}"), 14_000, 50)
    config.write_text(f"tools:\n  {line}\n", encoding="utf-8")
    caps = read_config(config, {}).answer_caps
    assert caps.cap_for(f"github.{name}")[:2] == (14_000, 50)
    assert caps.cap_for("github.another")[:2] == (None, None)
    assert "\x1b" not in line


def test_a_name_without_a_server_is_quoted() -> None:
    assert cap_line("no", 5) == '"no": {max_bytes: 5}'
