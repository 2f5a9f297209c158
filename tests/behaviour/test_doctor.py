"""What `toolbooth doctor` promises to a person, to a pull request and to CI."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.behaviour.command_line import toolbooth
from toolbooth.demo import demo_command
from toolbooth.tokens import count

HOSTILE = str(Path(__file__).parents[1] / "faults" / "hostile.py")
SMALL = str(Path(__file__).with_name("small_server.py"))
SCHEMA = {"type": "object", "properties": {"q": {"type": "string", "title": "Q"}}}
TOOLS: list[dict[str, Any]] = [
    {"name": "find", "description": "Finds things. " * 40, "inputSchema": SCHEMA},
    {"name": "drop", "description": "Drops a thing."},
]


def write(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return path


def config(*names: str, **more: Any) -> dict[str, Any]:
    servers: dict[str, Any] = {}
    for name in names:
        command = demo_command(name)
        servers[name] = {"command": command[0], "args": list(command[1:])}
    return {"mcpServers": {**servers, **more}}


def hostile(mode: str) -> dict[str, Any]:
    return {"command": sys.executable, "args": [HOSTILE, mode]}


@pytest.mark.promise("doctor:offline")
def test_a_catalog_file_is_weighed_offline_as_json(tmp_path: Path) -> None:
    catalog = write(tmp_path / "acme.json", {"tools": TOOLS})
    said = toolbooth("doctor", catalog, "--json", home=tmp_path)
    assert said.code == 0
    find, drop = said.json["tools"]
    assert (find["id"], drop["id"]) == ("acme.find", "acme.drop")
    assert drop["tokens"] == count("drop\nDrops a thing.")
    assert find["tokens"] == find["name"] + find["description"] + find["schema"]
    assert said.json["total_tokens"] == find["tokens"] + drop["tokens"]
    assert said.json["encoding"] == "cl100k_base"
    assert said.json["price"]["usd"] > said.json["price"]["usd_cached"] > 0


@pytest.mark.promise("doctor:encodings")
def test_several_encodings_stand_side_by_side(tmp_path: Path) -> None:
    catalog = write(tmp_path / "acme.json", {"tools": TOOLS})
    said = toolbooth(
        "doctor", catalog, "--encoding", "cl100k_base,o200k_base", "--encoding", "llama3", home=tmp_path
    )
    assert said.code == 0
    for name in ("cl100k_base", "o200k_base", "llama3"):
        assert name in said.out


@pytest.mark.promise("doctor:known-places")
def test_the_configs_of_the_clients_on_the_machine_are_found(tmp_path: Path) -> None:
    write(tmp_path / ".cursor" / "mcp.json", config("notes"))
    write(tmp_path / "work" / ".mcp.json", config("mail"))
    said = toolbooth("doctor", "--json", "--trust-project", home=tmp_path, cwd=tmp_path / "work")
    assert said.code == 0, said.err
    assert {server["server"] for server in said.json["servers"]} == {"notes", "mail"}
    assert said.json["complete"] is True


@pytest.mark.promise("doctor:project")
def test_a_projects_servers_can_be_left_out(tmp_path: Path) -> None:
    write(tmp_path / ".cursor" / "mcp.json", config("notes"))
    write(tmp_path / "work" / ".mcp.json", config("mail"))
    said = toolbooth("doctor", "--json", "--user-only", home=tmp_path, cwd=tmp_path / "work")
    assert {server["server"] for server in said.json["servers"]} == {"notes"}
    assert any(".mcp.json" in note for note in said.json["notes"])


@pytest.mark.promise("doctor:ad-hoc")
def test_a_command_is_weighed_ad_hoc(tmp_path: Path) -> None:
    said = toolbooth("doctor", "--json", "--", *demo_command("weather"), home=tmp_path)
    assert said.code == 0, said.err
    assert len(said.json["tools"]) == 7


@pytest.mark.promise("doctor:one-line-per-failure")
def test_one_line_per_failure_and_the_others_are_still_weighed(tmp_path: Path) -> None:
    broken = write(tmp_path / "broken.json", '{\n  "mcpServers": {\n    "a" 1\n}}')
    mixed = config(
        "mail",
        gone={"command": "no-such-command"},
        dies=hostile("exit-at-once"),
        floods=hostile("flood"),
        noise=hostile("banner"),
    )
    said = toolbooth(
        "doctor",
        write(tmp_path / "mixed.json", mixed),
        broken,
        tmp_path / "absent.json",
        "--json",
        home=tmp_path,
    )
    assert said.code == 0
    assert {server["server"] for server in said.json["servers"]} == {"mail", "noise"}
    assert said.json["complete"] is False
    lines = said.err.strip().splitlines()
    assert len(lines) == 5, said.err
    for where, what in [
        ("broken.json:3:9", ""),
        ("absent.json", "no such file"),
        ("gone", "was not found"),
        ("dies", "missing API_KEY"),
        ("floods", "16 MiB"),
    ]:
        assert any(where in line and what in line for line in lines), (where, said.err)
    assert "\x1b" not in said.err + said.out


@pytest.mark.promise("doctor:exit-3")
@pytest.mark.parametrize(
    ("content", "reason", "code"),
    [
        ('{"mcpServers": {', "broken.json:1", 2),
        ('{"mcpServers": {}}', "no server is configured", 3),
        ('{"hello": 1}', "neither servers", 2),
        ("", "empty", 2),
        ('{"mcpServers": {"x": {"command": "no-such-command"}}}', "was not found", 3),
        ('{"mcpServers": {"x": {"command": "y", "disabled": true}}}', "disabled", 3),
    ],
)
def test_exit_3_if_nothing_could_be_weighed_and_2_if_the_file_is_wrong(
    tmp_path: Path, content: str, reason: str, code: int
) -> None:
    said = toolbooth("doctor", write(tmp_path / "broken.json", content), home=tmp_path)
    assert said.code == code
    assert reason in said.err
    assert said.out == ""


@pytest.mark.promise("doctor:no-config")
def test_no_config_says_where_it_looked_and_gives_an_example(tmp_path: Path) -> None:
    said = toolbooth("doctor", home=tmp_path)
    assert said.code == 3
    for word in ("Claude Desktop", "Cursor", "VS Code", "Codex", "Zed", "toolbooth doctor -- npx"):
        assert word in said.err


def test_a_budget_may_be_nothing_or_a_part_of_a_thousand(tmp_path: Path) -> None:
    catalog = write(tmp_path / "acme.json", {"tools": TOOLS})
    none = toolbooth("doctor", catalog, "--budget", "0", "--json", home=tmp_path)
    assert none.code == 1
    assert none.json["budget"]["over_by"] == none.json["total_tokens"]
    part = toolbooth("doctor", catalog, "--budget", "1.5k", "--json", home=tmp_path)
    assert part.json["budget"]["limit"] == 1500


def test_small_numbers_read_well(tmp_path: Path) -> None:
    one = [{"name": "only", "inputSchema": SCHEMA}, *({"name": n} for n in range(9))]
    catalogs = write(tmp_path / "a" / "one.json", {"tools": one}), write(tmp_path / "b.json", {"tools": []})
    said = toolbooth("doctor", *catalogs, home=tmp_path)
    assert said.code == 0, said.err
    assert said.out.startswith("1 tool on 2 servers")
    assert said.out.count("left out:") == 8
    assert "… and 1 more" in said.out.split("left out:")[-1]
    empty = next(line for line in said.out.splitlines() if line.startswith("  b "))
    assert empty.split() == ["b", "0", "0", "0%"]


def test_an_unbounded_tool_is_not_called_low_and_unknown_is_said(tmp_path: Path) -> None:
    rows = {"type": "array", "items": {"properties": {"id": {"type": "string"}}}}
    limited = {"type": "object", "properties": {"limit": {"type": "integer", "maximum": 5}}}
    tools = [
        {"name": "open", "outputSchema": rows},
        {"name": "closed", "outputSchema": rows, "inputSchema": limited},
        {"name": "mute"},
        {"name": "move", "outputSchema": {"type": "object", "properties": {"content": {"type": "string"}}}},
    ]
    out = toolbooth("doctor", write(tmp_path / "a.json", {"tools": tools}), home=tmp_path).out
    said = {line.split()[0]: line for line in out.splitlines() if line.startswith("  a.")}
    assert said["a.move"].endswith("unknown, unbounded")
    assert "at 100 rows, unbounded" in said["a.open"]
    assert "low" not in said["a.open"]
    assert "low ≈" in said["a.closed"]
    assert "unknown, unbounded" in said["a.mute"]


def test_savings_that_overlap_are_said_to(tmp_path: Path) -> None:
    long_and_noisy = [{**TOOLS[0], "description": "Finds one thing after another. " * 80}]
    path = write(tmp_path / "a.json", {"tools": long_and_noisy})
    for flags in ([], ["--markdown"]):
        assert toolbooth("doctor", path, *flags, home=tmp_path).out.count("do not add up") == 1


def test_a_list_starts_nothing_and_shows_no_secret(tmp_path: Path) -> None:
    canary, started = "canary-5f3a9", tmp_path / "started"
    servers = {
        "runs": {"command": "/usr/bin/touch", "args": [str(started), canary], "env": {"K": canary}},
        "line": {"command": f"npx -y thing --key a/{canary}"},
        "away": {"url": f"https://me:{canary}@mcp.example.com/{canary}?k={canary}", "headers": {"A": canary}},
        "off": {"command": "x", "disabled": True},
        "bad": {"args": [canary]},
    }
    path = write(tmp_path / "c.json", {"mcpServers": servers})
    recorded = write(tmp_path / "acme.json", {"tools": TOOLS})
    table = toolbooth("doctor", "--list", path, recorded, tmp_path / "no.json", home=tmp_path)
    said = toolbooth("doctor", "--list", "--json", path, recorded, tmp_path / "no.json", home=tmp_path)
    assert table.code == said.code == 0
    assert not started.exists()
    assert canary not in table.out + table.err + said.out + said.err
    reached = {each["server"]: (each["transport"], each["reaches"]) for each in said.json["servers"]}
    assert reached["runs"] == ("stdio", "touch")
    assert reached["line"] == ("stdio", "npx")
    assert reached["away"][1] == "mcp.example.com"
    assert said.json["disabled"] == ["off"]
    assert {Path(each["where"]).name for each in said.json["source_errors"]} == {"bad", "no.json"}
    assert said.json["recorded"] == [{"server": "acme", "tools": 2}]
    for word in (
        "c.json",
        "touch",
        "mcp.example.com",
        "disabled",
        "bad",
        "no.json",
        "acme",
        "nothing was started",
    ):
        assert word in table.out


def test_a_list_of_nothing_is_no_success(tmp_path: Path) -> None:
    assert toolbooth("doctor", "--list", tmp_path / "no.json", home=tmp_path).code == 2
    nothing = write(tmp_path / "nothing.json", {"mcpServers": {}})
    assert toolbooth("doctor", "--list", nothing, home=tmp_path).code == 3


@pytest.mark.promise("doctor:budget")
def test_a_budget_fails_above_it_and_names_the_offenders(tmp_path: Path) -> None:
    catalog = write(tmp_path / "acme.json", {"tools": TOOLS})
    over = toolbooth("doctor", catalog, "--budget", "50", home=tmp_path)
    within = toolbooth("doctor", catalog, "--budget", "2k", home=tmp_path)
    assert over.code == 1
    assert "over budget by" in over.out
    assert "acme.find" in over.out.split("heaviest:")[1]
    assert within.code == 0
    assert "within budget" in within.out


@pytest.mark.promise("doctor:budget-incomplete")
def test_a_budget_is_not_proven_while_a_server_is_missing(tmp_path: Path) -> None:
    mixed = write(tmp_path / "m.json", config("mail", gone={"command": "no-such-command"}))
    said = toolbooth("doctor", mixed, "--budget", "100k", home=tmp_path)
    assert said.code == 3
    assert "budget not confirmed" in said.out


@pytest.mark.promise("doctor:markdown")
def test_markdown_cannot_be_broken_by_a_tool(tmp_path: Path) -> None:
    nasty = [{"name": "a|b`[x](javascript:1)\u202e", "description": "@everyone <img src=x>"}]
    said = toolbooth("doctor", write(tmp_path / "n.json", {"tools": nasty}), "--markdown", home=tmp_path)
    assert said.code == 0
    row = next(line for line in said.out.splitlines() if "javascript" in line)
    assert "\u202e" not in row
    assert "a\\|b\\`\\[x\\]\\(javascript" in row


@pytest.mark.promise("doctor:clean-screen")
def test_escape_codes_and_markup_of_a_server_do_not_reach_the_screen(tmp_path: Path) -> None:
    nasty = [{"name": "\x1b[31mred[/x]", "description": "[bold]\x1b]0;owned\x07"}]
    said = toolbooth("doctor", write(tmp_path / "n.json", {"tools": nasty}), home=tmp_path)
    assert said.code == 0
    assert "\x1b" not in said.out
    assert "red[/x]" in said.out


@pytest.mark.promise("doctor:unknown-model")
def test_an_unknown_model_is_said_and_not_guessed(tmp_path: Path) -> None:
    catalog = write(tmp_path / "acme.json", {"tools": TOOLS})
    said = toolbooth("doctor", catalog, "--json", "--model", "no-such-model-7", home=tmp_path)
    assert said.code == 0
    assert said.json["price"] is None
    assert "no-such-model-7" in said.json["price_note"]


@pytest.mark.promise("doctor:save")
def test_a_saved_catalog_is_stable_and_weighs_the_same(tmp_path: Path) -> None:
    first, second = tmp_path / "one.json", tmp_path / "two.json"
    for target in (first, second):
        assert toolbooth("doctor", "--save", target, "--", *demo_command("notes"), home=tmp_path).code == 0
    assert first.read_bytes() == second.read_bytes()
    live = toolbooth("doctor", "--json", "--", *demo_command("notes"), home=tmp_path).json
    saved = toolbooth("doctor", first, "--json", home=tmp_path).json
    assert live["total_tokens"] == saved["total_tokens"]
    assert live["fingerprint"] == saved["fingerprint"]


@pytest.mark.promise("doctor:secrets")
def test_secrets_of_a_config_appear_nowhere(tmp_path: Path) -> None:
    canary = "canary-5f3a9"
    servers = config("mail")["mcpServers"]
    servers["mail"]["env"] = {"TOKEN": canary}
    servers["gone"] = {"command": "no-such-command", "args": ["--key", canary], "env": {"K": canary}}
    servers["dies"] = {**hostile("exit-at-once"), "env": {"K": canary}}
    servers["away"] = {"url": f"http://127.0.0.1:9/mcp?key={canary}", "headers": {"Authorization": canary}}
    path = write(tmp_path / "c.json", {"mcpServers": servers})
    saved = tmp_path / "saved.json"
    for flags in ([], ["--json"], ["--markdown"]):
        said = toolbooth("doctor", path, "--save", saved, *flags, home=tmp_path)
        assert canary not in said.out + said.err + saved.read_text()


@pytest.mark.promise("doctor:cap")
def test_a_cap_in_toolbooth_yaml_bounds_a_tool(tmp_path: Path) -> None:
    command = demo_command("history")
    body = {
        "servers": {"history": {"command": command[0], "args": list(command[1:])}},
        "tools": {"history.get_diff": {"max_bytes": 3500}},
    }
    said = toolbooth("doctor", write(tmp_path / "toolbooth.yaml", body), "--json", home=tmp_path)
    assert said.code == 0, said.err
    answers = {tool["id"]: tool["answers"] for tool in said.json["tools"]}
    assert answers["history.get_diff"]["bounded"] is True
    assert answers["history.get_diff"]["estimated_max_tokens"] == 1000
    assert answers["history.list_branches"]["bounded"] is False


@pytest.mark.promise("cli:wrong-call")
@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["--bugdet", "5"], "did you mean --budget?"),
        (["--budget", "lots"], "not a whole number"),
        (["--encoding", "cl100k"], "cl100k_base"),
        (["--json", "--markdown"], "choose one"),
        (["--"], "a command is missing"),
        (["--timeout", "-1"], "seconds"),
        (["--budget", "1.5"], "not a whole number"),
        (["--budget", "-1"], "not a whole number"),
        (["--encoding", ""], "has no name"),
        (["--encoding", "cl100k_base", "--encoding", ","], "has no name"),
        (["--list", "--budget", "5"], "weighs nothing"),
        (["--top", "0"], "above zero"),
    ],
)
def test_a_wrong_call_is_one_line_and_exit_2(tmp_path: Path, words: list[str], hint: str) -> None:
    said = toolbooth("doctor", *words, home=tmp_path)
    assert said.code == 2
    assert hint in said.err
    assert len(said.err.strip().splitlines()) == 1


@pytest.fixture
def three_clients(tmp_path: Path) -> Path:
    """Cursor, wrapped; Claude Code with the same server; Windsurf with a heavier one."""
    write(tmp_path / ".cursor" / "mcp.json", config("notes", "weather"))
    assert toolbooth("wrap", "cursor", home=tmp_path).code == 0
    write(tmp_path / ".claude.json", config("notes"))
    write(tmp_path / ".codeium" / "windsurf" / "mcp_config.json", config("notes", "tickets"))
    return tmp_path


@pytest.mark.promise("doctor:per-client")
def test_tokens_are_summed_client_by_client(three_clients: Path) -> None:
    found = toolbooth("doctor", "--json", home=three_clients).json
    tokens = {each["server"]: each["tokens"] for each in found["servers"]}
    clients = {each["client"]: each for each in found["clients"]}
    assert list(clients) == ["Windsurf", "Claude Code", "Cursor"]
    assert clients["Windsurf"]["tokens"] == tokens["notes"] + tokens["tickets"]
    assert clients["Claude Code"]["tokens"] == tokens["notes"]
    assert found["total_tokens"] == clients["Windsurf"]["tokens"]
    assert found["window"]["share"] == clients["Windsurf"]["window_share"]
    cursor = clients["Cursor"]
    assert (cursor["tools"], cursor["servers"], cursor["gateways"][0]["surface"]) == (3, [], "search")
    assert cursor["tokens_behind"] == tokens["notes"] + tokens["weather"]
    assert cursor["tokens"] < tokens["notes"]


@pytest.mark.promise("doctor:per-client")
def test_nothing_is_advised_across_clients(three_clients: Path) -> None:
    """`other` is `notes` by another name: in another client it is no duplicate, in the same one it is."""
    other = {"command": "env", "args": ["X=1", sys.executable, "-m", "toolbooth.demo", "notes"]}
    write(three_clients / ".lmstudio" / "mcp.json", config(other=other))
    found = toolbooth("doctor", "--json", home=three_clients).json
    assert not [each for each in found["advice"] if each["id"] == "repeated-server"]
    assert not [
        each for each in found["duplicates"] if len(each["servers"]) > 1 and "other" in each["servers"]
    ]
    write(three_clients / ".claude.json", config("notes", other=other))
    again = toolbooth("doctor", "--json", home=three_clients).json
    assert [each["clients"] for each in again["advice"] if each["id"] == "repeated-server"] == [
        ["Claude Code"]
    ]
    wrapped = [each for each in again["advice"] if each["clients"] == ["Cursor"]]
    assert not [each for each in wrapped if each["saving_tokens"]]


@pytest.mark.promise("doctor:per-client")
def test_a_budget_is_for_the_heaviest_client(three_clients: Path) -> None:
    clients = toolbooth("doctor", "--json", home=three_clients).json["clients"]
    most, second = (each["tokens"] for each in clients[:2])
    assert toolbooth("doctor", "--budget", str(most), home=three_clients).code == 0
    over = toolbooth("doctor", "--budget", str(most - 1), home=three_clients)
    assert (over.code, "over budget by 1: Windsurf: " in over.out) == (1, True)
    both = toolbooth("doctor", "--budget", str(second - 1), "--markdown", home=three_clients)
    assert f"also over: Claude Code ({second:,})" in both.out.replace("\\", "")
    assert both.out.startswith("### Tool surface of Windsurf: ")


def test_a_wrapped_config_is_reported_with_what_is_seen_and_what_is_behind(three_clients: Path) -> None:
    said = toolbooth("doctor", three_clients / ".cursor/mcp.json", home=three_clients)
    assert (
        "Cursor sees 3 tools of the gateway (surface search), 189 tokens; behind it: 15 tools, " in said.out
    )
    assert "behind it: weather" in said.out
    assert "Put the" not in said.out


@pytest.mark.promise("auto:doctor")
def test_what_auto_shows_each_client_is_said_with_the_reason(three_clients: Path) -> None:
    found = toolbooth("doctor", "--json", home=three_clients).json
    tokens = {each["server"]: each["tokens"] for each in found["servers"]}
    auto = {each["client"]: each["auto"] for each in found["clients"]}
    both = f"{tokens['notes'] + tokens['weather']:,} tokens of tools, over 1,000"
    told = "; its own tool search is on, and `wrap` has it load what the gateway shows at once"
    assert auto["Cursor"] == {"surface": "search", "reason": both}
    one = f"{tokens['notes']} tokens of tools, at most 1,000{told}"
    assert auto["Claude Code"] == {"surface": "direct", "reason": one}
    assert [each["auto"] for each in found["clients"][2]["gateways"]] == [True]
    said = toolbooth("doctor", home=three_clients, COLUMNS="400").out
    assert f"auto shows Cursor the surface search: {both}\n" in said
    assert f"auto would show Claude Code the surface direct: {one}\n" in said


@pytest.mark.promise("auto:doctor")
def test_of_light_tools_doctor_shows_what_auto_shows(tmp_path: Path) -> None:
    light = {"command": sys.executable, "args": [SMALL, str(tmp_path / "diary")]}
    write(tmp_path / ".cursor/mcp.json", config(light=light))
    assert toolbooth("wrap", "cursor", home=tmp_path).code == 0
    [client] = toolbooth("doctor", "--json", home=tmp_path).json["clients"]
    [menu] = client["gateways"]
    assert (menu["surface"], menu["auto"], menu["tools"]) == ("direct", True, client["tools"])
    assert client["auto"]["surface"] == "direct"
    write(tmp_path / ".cursor/mcp.json", config("notes", light={"command": "no-such-command"}))
    [client] = toolbooth("doctor", "--json", home=tmp_path).json["clients"]
    assert client["auto"] == {"surface": "search", "reason": "the tools of 1 server are not known yet"}


@pytest.mark.promise("doctor:too-small")
def test_where_the_gateway_does_not_pay_one_line_says_so(tmp_path: Path) -> None:
    small, large = tmp_path / "small.json", tmp_path / "large.json"
    small.write_text(json.dumps({"tools": [{"name": "a", "inputSchema": {"type": "object"}}]}))
    large.write_text(json.dumps({"tools": [{"name": "a", "description": "word " * 2000}]}))
    tokens = toolbooth("doctor", small, "--json", home=tmp_path).json["total_tokens"]
    line = f"the gateway does not pay here: {tokens} tokens of tools, and it pays from about 1,000"
    for options in ([], ["--markdown"]):
        assert line in toolbooth("doctor", small, *options, home=tmp_path).out
        assert "does not pay" not in toolbooth("doctor", large, *options, home=tmp_path).out


@pytest.mark.promise("trust:asked")
def test_a_list_says_that_an_untrusted_config_is_asked_about(tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    clone.mkdir()
    config = clone / ".mcp.json"
    config.write_text(json.dumps({"mcpServers": {"strange": {"command": "x"}}}))
    said = toolbooth("doctor", "--list", home=tmp_path, cwd=clone)
    assert said.code == 0
    assert "without --list, you are asked before those of" in said.out
    assert str(config) in said.out.splitlines()[-1]
    assert "asked" not in toolbooth("doctor", "--list", "--user-only", home=tmp_path, cwd=clone).out
