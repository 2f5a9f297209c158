"""Who floods, and the lines of toolbooth.yaml that stop it."""

from pathlib import Path
from typing import Any

import pytest

from toolbooth.catalog.config import read_config
from toolbooth.cli.stats.command import CAP, flooding, print_risk, risk_json, yaml_lines
from toolbooth.economics import DEFAULT_THRESHOLDS, Risk, static_profile
from toolbooth.store import Sizes, Stats, ToolStats


def tool(name: str, worst: int = 9000, worst_after: int = 9000, **more: Any) -> ToolStats:
    reported: dict[str, Any] = {
        "server": "github",
        "tool": name,
        "kind": "call",
        "calls": 10,
        "errors": 0,
        "rejected": 0,
        "sizes": Sizes(1, 1, 1, 1),
        "worst": worst,
        "worst_after": worst_after,
        "median": 300,
        "risks": {"low": 7, "high": 1, "critical": 2},
        "advisory": "overload",
        "last_used": 0.0,
        **more,
    }
    return ToolStats(**reported)


def test_the_cap_is_the_most_that_is_no_flood() -> None:
    assert static_profile("x", ["a"], egress_max_bytes=CAP).risk is Risk.MEDIUM
    assert static_profile("x", ["a"], egress_max_bytes=CAP + 4).risk is Risk.HIGH


def test_those_that_flood_most_often_come_first_and_built_in_tools_are_not_among_them() -> None:
    rare = tool("rare", risks={"high": 1})
    stats = Stats(
        tools=(rare, tool("often"), tool("never", risks={"low": 9}), tool("read_result", kind="read"))
    )
    assert [each.tool for each in flooding(stats)] == ["often", "rare"]


def test_the_lines_for_toolbooth_yaml_are_read_as_they_are_meant(tmp_path: Path) -> None:
    names = ["list_issues", "odd: name", "- dash", "#x", "\x1b[31mred", "a'b\"c"]
    lines = yaml_lines([tool(name) for name in names])
    assert lines[:2] == ["tools:", "  github.list_issues: {max_bytes: 14000}"]
    assert not any("\x1b" in line for line in lines)
    config = tmp_path / "toolbooth.yaml"
    config.write_text("\n".join(lines), encoding="utf-8")
    caps = read_config(config, {}).answer_caps
    assert all(caps.cap_for(f"github.{name}").max_bytes == CAP for name in names)


def test_what_was_cut_before_a_client_got_it_needs_no_line() -> None:
    stats = Stats(tools=(tool("reduced", worst_after=DEFAULT_THRESHOLDS.medium),))
    document = risk_json(stats)
    assert document["toolbooth_yaml"] == ""
    assert document["tools"][0]["still_floods"] is False


def test_foreign_names_are_cleaned(capsys: pytest.CaptureFixture[str]) -> None:
    print_risk(Stats(tools=(tool("\x1b[31mred[/x]\u202e"),)), top=5)
    said = capsys.readouterr().out
    assert "\x1b" not in said
    assert "\u202e" not in said
    assert "red[/x]" in said
