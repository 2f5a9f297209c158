"""How a profile is shown: estimates bear their sign, names are clean, and no line is wider than the screen."""

import argparse
import re
from pathlib import Path
from typing import Any

import pytest

from toolbooth.catalog import Catalog, ServerSpec, ServerTools, Tool
from toolbooth.catalog.loading import SourceError, Sources
from toolbooth.cli import terminal
from toolbooth.cli.profile.command import run, thresholds
from toolbooth.cli.profile.formats import as_json
from toolbooth.cli.profile.report import (
    ProfileGate,
    ProfileReport,
    bound_words,
    gate_words,
    risk_words,
    tool_words,
)
from toolbooth.cli.profile.tables import print_profile
from toolbooth.economics import Overhead, Risk, Seen, Thresholds, measured_sizes, profile_catalog
from toolbooth.economics.measured import Measured
from toolbooth.errors import UserMistake

ROW: dict[str, Any] = {"properties": {f"field_{number}": {} for number in range(15)}}
WIDE: dict[str, Any] = {"type": "array", "items": ROW}
SMALL: dict[str, Any] = {"type": "array", "items": {"properties": {"id": {}}}}
ODD = "\x1b[31mred[/x]\u202e"


def tool(name: str, output: Any = WIDE, server: str = "server", **inputs: Any) -> Tool:
    return Tool(server, name, "Does it.", {"properties": inputs}, output, raw={"name": name})


def report(
    *tools: Tool,
    seen: dict[str, Seen] | None = None,
    gate: ProfileGate | None = None,
    caps: Any = (None, None),
    **more: Any,
) -> ProfileReport:
    servers = dict.fromkeys(each.server for each in tools)
    catalog = Catalog(
        tuple(ServerTools(name, tuple(each for each in tools if each.server == name)) for name in servers)
    )
    profile = profile_catalog(catalog, seen, lambda _tool: caps)
    return ProfileReport(profile, Sources(**more), gate=gate or ProfileGate())


def seen(*sizes: int, **more: Any) -> Seen:
    return Seen(measured_sizes("ledger", [(size, 1) for size in sizes], **more))


def shown(found: ProfileReport, capsys: pytest.CaptureFixture[str], top: int = 15) -> str:
    print_profile(found, top)
    return capsys.readouterr().out


def test_thresholds_are_three_numbers_that_rise() -> None:
    assert thresholds("1k,4000,8_000") == Thresholds(1000, 4000, 8000)
    for wrong in ("1,2", "3,2,1", "1,1,2", "a,b,c", "", "1,2,3,4"):
        with pytest.raises(argparse.ArgumentTypeError):
            thresholds(wrong)


def test_a_time_of_a_ledger_that_is_left_out_is_a_contradiction() -> None:
    with pytest.raises(UserMistake, match="choose one"):
        run(["--no-ledger", "--since", "7d"])


def test_what_bounds_a_tool_is_said_in_few_words() -> None:
    limited, free = report(tool("a", limit={"maximum": 5}), tool("b")).profile.tools
    capped = report(tool("a"), caps=(14_000, None)).profile.tools[0]
    assert [bound_words(each.answers) for each in (limited, free, capped)] == [
        "`limit` ≤ 5",
        "nothing",
        "14000 bytes",
    ]


def test_low_is_doubted_where_nothing_bounds_it_and_nobody_saw_it() -> None:
    bounded = report(tool("a", SMALL, limit={"maximum": 5})).profile.tools
    free = report(tool("a", SMALL)).profile.tools
    known = report(tool("a", SMALL), seen={"server.a": seen(12)}).profile.tools
    assert [risk_words(tools) for tools in (bounded, free, known)] == ["low", "low?", "low"]
    assert risk_words(report(tool("a", None)).profile.tools) == "unknown"


def test_a_long_server_name_does_not_take_the_room_of_the_tools() -> None:
    found = report(tool("read_text_file", server="modelcontextprotocol-server-filesystem")).profile.tools[0]
    assert tool_words(found, alone=True) == "read_text_file"
    assert tool_words(found, alone=False) == "modelcontextproto….read_text_file"


@pytest.mark.promise("profile:estimates")
def test_estimates_bear_their_sign_and_what_was_seen_does_not(capsys: pytest.CaptureFixture[str]) -> None:
    found = report(tool("get"), tool("other"), seen={"server.get": seen(9000, 20)})
    text = shown(found, capsys)
    assert "≈11,000" in text
    assert " 9,000 " in text
    assert "≈9,000" not in text
    assert re.search(r" 1\.\d\d× ", text)
    assert "≈: an estimate" in text
    assert "seen: measured answers from the gateway's ledger" in text
    assert "critical, 9,000 seen → medium, at most ≈4,000" in text
    document = as_json(found)
    labels = [
        (each["estimated"]["label"], (each["measured"] or {}).get("label")) for each in document["tools"]
    ]
    assert labels == [("estimated", "measured"), ("estimated", None)]
    assert document["tools"][0]["estimate_over_measured"] == 1.2222
    assert document["tools"][0]["risk_label"] == "measured"
    assert document["summary"]["label"] == "estimated"


def test_overhead_is_shown_where_there_is_any(capsys: pytest.CaptureFixture[str]) -> None:
    measured = Measured("recorded", 2, 10, 10, 10, Risk.LOW, overhead=Overhead(1, 0.5))
    assert " 50%" in shown(report(tool("get"), seen={"server.get": Seen(measured)}), capsys)
    assert "overhead" not in shown(report(tool("get")), capsys)


@pytest.mark.parametrize("width", [60, 80, 120, 200])
def test_no_line_is_wider_than_the_screen_but_those_to_paste(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    monkeypatch.setattr(terminal, "PIPE_WIDTH", width)
    tools = [tool(f"list_rather_long_names_{number}", server=f"server_{number}") for number in range(5)]
    text = shown(report(*tools, seen={tools[0].id: seen(123_456, 2)}), capsys)
    lines = [line for line in text.splitlines() if "{max_bytes" not in line]
    assert max(map(len, lines)) <= width
    assert "critical" in text


def test_foreign_names_are_cleaned_wherever_they_stand(capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(
        report(tool(ODD, server=ODD), tool("list" + ODD, None), gate=ProfileGate(Risk.LOW, unbounded=True)),
        capsys,
    )
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_an_empty_catalog_and_one_of_nothing_known_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert shown(ProfileReport(profile_catalog(Catalog()), Sources()), capsys).startswith(
        "0 tools on 0 servers"
    )
    text = shown(report(tool("a", None), tool("b", None)), capsys)
    assert "?: unknown" in text
    assert '"server.*": {max_bytes: 14000}  # unknown → medium, at most ≈4,000 (2 tools)' in text
    assert "≈: an estimate" not in text


def test_an_output_schema_without_a_list_of_objects_is_not_called_none(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """`{ok: boolean}` names a field; what it lacks is rows, by which an estimate goes."""
    found = report(tool("a", {"type": "object", "properties": {"ok": {"type": "boolean"}}}))
    text = " ".join(shown(found, capsys).split())
    assert "?: unknown; neither an output schema nor a recorded answer has a list of objects" in text
    assert "has a list of objects" in found.profile.tools[0].answers.reason


@pytest.mark.promise("profile:gate")
def test_the_gate_names_who_fails_it_and_why() -> None:
    tools = (tool("get"), tool("a", SMALL), tool("b", None), tool("c", SMALL, limit={"maximum": 3}))
    critical = report(*tools, gate=ProfileGate(Risk.CRITICAL))
    assert (critical.exit_code, [each.tool.name for each in critical.offenders]) == (1, ["get"])
    assert gate_words(critical) == "failed: 1 tool with risk critical: get (critical ≈11,000)"
    both = report(*tools, gate=ProfileGate(Risk.CRITICAL, unbounded=True))
    assert [each.tool.name for each in both.offenders] == ["get", "b", "a"]
    assert report(*tools, gate=ProfileGate(Risk.LOW)).exit_code == 1
    assert report(*tools).exit_code == 0
    assert gate_words(report(*tools)) == ""


def test_an_unknown_size_passes_the_gate_of_risks_and_that_is_said() -> None:
    found = report(tool("b", None), gate=ProfileGate(Risk.LOW))
    assert found.exit_code == 0
    assert gate_words(found) == "passed: no tool with risk low or worse; 1 tool of unknown size passed"
    assert as_json(found)["gate"] == {
        "fail_on": "low",
        "fail_on_unbounded": False,
        "passed": True,
        "offenders": [],
        "unknown": ["server.b"],
    }


def test_a_gate_is_not_proven_while_a_server_is_missing() -> None:
    source_error = (SourceError("files", "did not answer"),)
    down: dict[str, Any] = {"servers": (ServerSpec("files", "stdio", "x"),), "source_errors": source_error}
    found = report(tool("a", SMALL), gate=ProfileGate(Risk.HIGH), **down)
    assert found.exit_code == 3
    broken = report(tool("a", SMALL), gate=ProfileGate(Risk.HIGH), source_errors=source_error)
    assert broken.exit_code == 2  # a file, not a server
    assert gate_words(found).startswith("not confirmed")
    assert report(tool("a", SMALL), source_errors=source_error).exit_code == 0


def test_json_has_every_tool_with_what_each_recommendation_would_do(tmp_path: Path) -> None:
    document = as_json(
        report(tool("get"), tool("list_rows", {"properties": {"rows": {"type": "array", "items": ROW}}}))
    )
    first = document["tools"][0]
    assert first["estimated"]["fields_from"] == "output schema"
    assert {each["rule"] for each in first["recommendations"]} >= {"bound-collection", "cap-payload"}
    for each in first["recommendations"]:
        assert (each["line"] is None) == (each["after"] is None) == (each["rule"] == "too-many-fields")
    remedy = document["remedies"][0]
    assert remedy["before"]["risk"] == "critical"
    assert remedy["after"]["risk"] == "medium"
    assert remedy["schema"]["input"] == "limit"
    assert document["toolbooth_yaml"].startswith("tools:\n  server.")
    definition = first["definition"]
    assert definition["tokens"] == definition["name"] + definition["description"] + definition["schema"]
