"""What `toolbooth profile` promises at the shell: on live servers, on a ledger of real calls, on files, and in CI."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.behaviour.command_line import CommandResult, toolbooth
from tests.behaviour.gateway_client import GatewayClient, connected, write_config
from toolbooth.demo import demo_command

ANSWERS = Path(__file__).parents[1] / "data" / "answers"
WIDE = {"type": "array", "items": {"properties": {f"field_{number}": {} for number in range(15)}}}
IDS = {"type": "object", "properties": {"orders": {"type": "array", "items": {"properties": {"id": {}}}}}}
LIMITED = {"type": "object", "properties": {"limit": {"type": "integer", "maximum": 20}}}
TOOLS = [
    {
        "name": "get_order",
        "description": "One order.",
        "inputSchema": {"type": "object"},
        "outputSchema": WIDE,
    },
    {"name": "list_orders", "description": "Orders.", "inputSchema": LIMITED, "outputSchema": IDS},
    {"name": "say", "description": "Says something.", "inputSchema": {"type": "object"}},
]


def profile(home: Path, *words: str | Path) -> CommandResult:
    return toolbooth("profile", *words, home=home, XDG_DATA_HOME=str(home))


def demo(*names: str) -> dict[str, Any]:
    return {name: {"command": demo_command(name)[0], "args": list(demo_command(name)[1:])} for name in names}


@pytest.fixture
def catalog(tmp_path: Path) -> Path:
    path = tmp_path / "shop.json"
    path.write_text(json.dumps({"server": "shop", "tools": TOOLS}))
    return path


def by_id(document: Any) -> dict[str, Any]:
    return {each["id"]: each for each in document["tools"]}


def call(client: GatewayClient, tool: str, **arguments: Any) -> str:
    given = {"name": "call_tool", "arguments": {"name": tool, "arguments": arguments}}
    return str(client.result("tools/call", given)["content"][0]["text"])


@pytest.mark.promise("profile:ledger")
def test_calls_through_the_gateway_stand_measured_beside_the_estimates(tmp_path: Path) -> None:
    servers = demo("tickets", "database")
    with connected(tmp_path, servers, "search") as client:
        call(client, "database.list_tables")
        for number in range(1, 4):
            call(client, "tickets.get_ticket", key=f"LF-{140 + number}")
        call(client, "tickets.list_tickets", per_page=100)
        call(client, "tickets.get_ticket", nonsense=True)
    config = write_config(tmp_path, servers)
    said = profile(tmp_path, config, "--json")
    assert (said.code, said.err) == (0, "")
    tools = by_id(said.json)
    one, many = tools["tickets.get_ticket"], tools["tickets.list_tickets"]
    rows = toolbooth("stats", "--recent", "20", "--json", home=tmp_path, XDG_DATA_HOME=str(tmp_path)).json[
        "recent"
    ]
    sent = sorted(
        row["tokens_before"] for row in rows if (row["tool"], row["outcome"]) == ("get_ticket", "ok")
    )
    assert len(sent) == 3
    measured = one["measured"]
    assert (measured["label"], measured["origin"], measured["answers"]) == ("measured", "ledger", 3)
    assert (measured["median_tokens"], measured["worst_tokens"]) == (sent[1], sent[2])
    assert (one["estimated"], many["estimated"]) == (
        None,
        None,
    )  # no rows in a schema; a ledger keeps no answers
    tables = tools["database.list_tables"]
    ratio = tables["estimated"]["max_tokens"] / tables["measured"]["worst_tokens"]
    assert tables["estimate_over_measured"] == pytest.approx(ratio, abs=1e-4)
    assert (many["risk"], many["risk_label"]) == (many["measured"]["risk"], "measured")
    assert tools["tickets.create_ticket"]["measured"] is None
    text = profile(tmp_path, config).out
    assert "seen: measured answers from the gateway's ledger" in text
    assert "error: estimate ÷ worst answer seen" in text
    named = tmp_path / "tickets.json"  # the same server as a saved catalog: its calls are known by name
    named.write_text(json.dumps({"server": "tickets", "tools": [{"name": "get_ticket"}]}))
    saved, without, later = (
        profile(tmp_path, named, "--json", *words).json["tools"][0]["measured"]
        for words in ([], ["--no-ledger"], ["--since", "2099-01-01"])
    )
    assert (saved, without, later) == (measured, None, None)


@pytest.mark.promise("profile:offline")
def test_a_catalog_file_is_profiled_without_starting_anything(tmp_path: Path, catalog: Path) -> None:
    document = profile(tmp_path, catalog, "--json").json
    tools = by_id(document)
    assert list(tools) == ["shop.get_order", "shop.say", "shop.list_orders"]
    order, orders, say = (tools[f"shop.{name}"] for name in ("get_order", "list_orders", "say"))
    assert (order["risk"], order["risk_label"], order["bounded_by"]) == ("critical", "estimated", None)
    assert (orders["risk"], orders["bounded_by"]) == ("low", "limit input `limit` ≤ 20")
    assert (say["risk"], say["estimated"], say["bounded"]) == (None, None, False)
    weighed = toolbooth("doctor", catalog, "--json", home=tmp_path).json
    assert document["total_tokens"] == weighed["total_tokens"]
    assert {each["id"]: each["tokens"] for each in weighed["tools"]} == {
        name: each["definition"]["tokens"] for name, each in tools.items()
    }
    text = profile(tmp_path, catalog).out
    assert "shop.get_order: {max_bytes: 14000}" in text
    assert "critical ≈11,000 → medium, at most ≈4,000" in text


@pytest.mark.promise("profile:cap")
def test_the_line_that_is_recommended_does_what_it_says(tmp_path: Path, catalog: Path) -> None:
    document = profile(tmp_path, catalog, "--json").json
    config = tmp_path / "toolbooth.yaml"
    config.write_text(document["toolbooth_yaml"], encoding="utf-8")
    capped = profile(tmp_path, catalog, config, "--json", "--fail-on", "high", "--fail-on-unbounded")
    assert (capped.code, capped.json["gate"]["passed"]) == (0, True)
    order = by_id(capped.json)["shop.get_order"]
    promised = document["remedies"][0]["after"]
    assert (order["risk"], order["estimated"]["max_tokens"]) == (promised["risk"], promised["max_tokens"])
    assert order["bounded_by"] == "cap of 14000 bytes"
    assert capped.json["toolbooth_yaml"] == ""


@pytest.mark.promise("profile:gate")
def test_a_gate_is_exit_1_and_names_the_offenders(tmp_path: Path, catalog: Path) -> None:
    said = profile(tmp_path, catalog, "--fail-on", "high")
    assert said.code == 1
    assert "failed: 1 tool with risk high or worse: get_order (critical ≈11,000)" in said.out
    said = profile(tmp_path, catalog, "--fail-on", "critical", "--thresholds", "1k,20k,30k")
    assert said.code == 0
    assert "1 tool of unknown size passed" in said.out
    said = profile(tmp_path, catalog, "--fail-on-unbounded")
    assert said.code == 1
    assert "2 tools with unlimited answers" in said.out
    assert profile(tmp_path, catalog).code == 0


def test_a_gate_is_not_proven_while_a_server_cannot_be_reached(tmp_path: Path, catalog: Path) -> None:
    config = write_config(tmp_path, {"gone": {"command": "no-such-command-here"}})
    said = profile(tmp_path, catalog, config, "--fail-on", "critical", "--thresholds", "1k,20k,30k")
    assert said.code == 3
    assert "not confirmed" in said.out
    assert "gone" in said.err
    assert profile(tmp_path, config).code == 3


@pytest.mark.promise("profile:answers")
def test_recorded_answers_give_fields_sizes_and_the_error_of_the_estimate(tmp_path: Path) -> None:
    config = write_config(tmp_path, demo("tickets", "database"))
    said = profile(tmp_path, config, "--answers", ANSWERS, "--json")
    assert said.code == 0
    tools = by_id(said.json)
    query, export = tools["database.run_query"], tools["tickets.export_tickets"]
    assert query["estimated"]["fields_from"] == "seen answers"
    assert (query["measured"]["origin"], query["measured"]["answers"]) == ("recorded", 2)
    assert query["risk"] == "critical"
    assert 0 < query["estimate_over_measured"] < 1
    assert (export["estimated"], export["measured"]["answers"]) == (None, 1)  # CSV names no fields
    assert said.json["estimate_errors"]["tools"] == 3
    assert any("that no server offers: fetch.fetch" in note for note in said.json["notes"])


def test_one_server_is_looked_at_alone_and_an_unknown_one_is_said(tmp_path: Path) -> None:
    others = {"gone": {"command": "no-such-command-here"}, "unset": {"command": "${NO_SUCH_VARIABLE_HERE}"}}
    config = write_config(tmp_path, {**demo("notes"), **others})
    said = profile(tmp_path, config, "--server", "notes", "--json", "--fail-on", "critical")
    assert (said.code, said.err) == (0, "")
    assert [each["server"] for each in said.json["servers"]] == ["notes"]
    wrong = profile(tmp_path, config, "--server", "note")
    assert (wrong.code, wrong.err.count("\n")) == (2, 1)
    assert "the servers are notes, gone, unset" in wrong.err


@pytest.mark.parametrize(
    "words",
    [
        ["--thresholds", "4,3,2"],
        ["--thresholds", "many"],
        ["--fail-on", "some"],
        ["--answers", "nowhere.json"],
        ["--no-ledger", "--since", "7d"],
    ],
)
def test_a_wrong_call_is_one_line_and_exit_2(tmp_path: Path, catalog: Path, words: list[str]) -> None:
    said = profile(tmp_path, catalog, *words)
    assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)


def test_a_ledger_that_cannot_be_read_is_a_note_and_the_estimates_stand(
    tmp_path: Path, catalog: Path
) -> None:
    (tmp_path / "toolbooth").mkdir()
    (tmp_path / "toolbooth" / "ledger.sqlite3").write_bytes(b"no ledger at all " * 100)
    said = profile(tmp_path, catalog)
    assert (said.code, said.err) == (0, "")
    assert "no measurements of the gateway are used" in said.out


def test_behind_a_wrapped_client_the_real_servers_are_profiled(tmp_path: Path) -> None:
    config = tmp_path / ".cursor" / "mcp.json"
    config.parent.mkdir()
    config.write_text(json.dumps({"mcpServers": demo("notes")}))
    assert toolbooth("wrap", config, home=tmp_path, XDG_DATA_HOME=str(tmp_path)).code == 0
    said = profile(tmp_path, config, "--json")
    assert (said.code, said.err) == (0, "")
    assert [each["server"] for each in said.json["servers"]] == ["notes"]


def test_recommendations_are_reported_in_every_format_of_contracts(tmp_path: Path) -> None:
    catalog = tmp_path / "shop.json"
    catalog.write_text(json.dumps({"server": "shop", "tools": TOOLS}, indent=1))
    files = {form: tmp_path / f"out.{form}" for form in ("json", "sarif", "markdown")}
    reports = [word for form, path in files.items() for word in ("--report", f"{form}:{path}")]
    said = profile(tmp_path, catalog, "--fail-on", "high", "--format", "github", *reports)
    document = json.loads(files["json"].read_text())
    assert said.code == 1
    offenders = {each["tool"] for each in document["gate"]["offenders"]}
    errors = [line for line in said.out.splitlines() if line.startswith("::error file=shop.json,line=")]
    assert {line.partition("title=high%3A ")[2].partition("::")[0] for line in errors} == offenders
    run = json.loads(files["sarif"].read_text())["runs"][0]
    assert {rule["properties"]["tags"][0] for rule in run["tool"]["driver"]["rules"]} == {"cost"}
    assert files["markdown"].read_text().startswith("### ❌ toolbooth profile: failed: ")
