"""A client's filter of tools: `doctor` weighs what it lets through, and behind the gateway it goes on holding."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.behaviour.command_line import toolbooth
from tests.behaviour.gateway_client import connected
from toolbooth.demo import demo_command

COMMAND, *ARGS = demo_command("tickets")
SERVER: dict[str, Any] = {"command": COMMAND, "args": ARGS}
HIDDEN = "create_ticket"


def write(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return path


def servers(**more: Any) -> dict[str, Any]:
    return {"mcpServers": {"tickets": {**SERVER, **more}}}


def kept_copy(home: Path, client: str) -> Path:
    done = toolbooth("wrap", client, "--json", home=home)
    assert done.code == 0, done.err
    (wrapped,) = done.json["files"]
    assert not wrapped["stays"]
    return Path(wrapped["kept"])


@pytest.mark.promise("doctor:filters")
def test_doctor_weighs_what_the_client_lets_through_and_says_what_is_hidden(tmp_path: Path) -> None:
    everything = toolbooth("doctor", write(tmp_path / "all.json", servers()), "--json", home=tmp_path).json
    path = write(tmp_path / ".gemini" / "settings.json", servers(excludeTools=[HIDDEN]))
    said = toolbooth("doctor", "--json", home=tmp_path).json
    hidden = next(tool for tool in everything["tools"] if tool["id"] == f"tickets.{HIDDEN}")
    assert said["total_tokens"] == everything["total_tokens"] - hidden["tokens"]
    assert said["clients"][0]["hidden"] == [
        {"server": "tickets", "tools": [HIDDEN], "of": len(everything["tools"]), "keys": ["excludeTools"]}
    ]
    table = toolbooth("doctor", path, home=tmp_path, COLUMNS="150").out
    assert f"1 of {len(everything['tools'])} tools of tickets hidden by excludeTools; not weighed" in table


@pytest.mark.promise("doctor:filters")
def test_each_client_is_weighed_with_its_own_filter(tmp_path: Path) -> None:
    write(tmp_path / ".cursor" / "mcp.json", servers())
    words = ", ".join(f'"{word}"' for word in ARGS)
    write(
        tmp_path / ".codex" / "config.toml",
        f'[mcp_servers.tickets]\ncommand = "{COMMAND}"\nargs = [{words}]\nenabled_tools = ["{HIDDEN}"]\n',
    )
    said = toolbooth("doctor", "--json", home=tmp_path).json
    assert {each["client"]: each["tools"] for each in said["clients"]} == {
        "Cursor": said["servers"][0]["tools"],
        "Codex": 1,
    }


@pytest.mark.promise("filters:wrapped")
@pytest.mark.parametrize("surface", ["search", "full", "code", "direct"])
def test_behind_the_gateway_a_hidden_tool_does_not_exist(tmp_path: Path, surface: str) -> None:
    write(tmp_path / ".gemini" / "settings.json", servers(excludeTools=[HIDDEN]))
    with connected(tmp_path, {}, surface, config=kept_copy(tmp_path, "gemini cli")) as client:
        menu = client.result("tools/list")["tools"]
        seen = json.dumps(menu)
        if surface != "direct":
            seen += _said(client, "search_tools", {"query": "create a new ticket"})
        assert HIDDEN not in seen
        answer = _call_hidden(client, surface)
        assert "no tool" in answer.lower() or "unknown" in answer.lower() or "not defined" in answer, answer


def _said(client: Any, tool: str, arguments: dict[str, Any]) -> str:
    return json.dumps(client.ask("tools/call", {"name": tool, "arguments": arguments}))


def _call_hidden(client: Any, surface: str) -> str:
    if surface == "direct":
        return _said(client, HIDDEN, {"title": "x"})
    if surface == "code":
        return _said(client, "call_tool_chain", {"code": f"await tickets.{HIDDEN}(title='x')"})
    return _said(client, "call_tool", {"name": f"tickets.{HIDDEN}", "arguments": {"title": "x"}})


@pytest.mark.promise("filters:claude-rules")
def test_a_rule_of_claude_code_holds_behind_the_gateway(tmp_path: Path) -> None:
    write(tmp_path / ".claude.json", servers())
    write(tmp_path / ".claude" / "settings.json", {"permissions": {"deny": [f"mcp__tickets__{HIDDEN}"]}})
    with connected(tmp_path, {}, config=kept_copy(tmp_path, "claude-code")) as client:
        names = [tool["name"] for tool in client.result("tools/list")["tools"]]
        assert names
        assert not [name for name in names if HIDDEN in name]


def test_doctor_looks_through_a_wrapped_config_with_its_filter(tmp_path: Path) -> None:
    write(tmp_path / ".gemini" / "settings.json", servers(excludeTools=[HIDDEN]))
    kept_copy(tmp_path, "gemini cli")
    (client,) = toolbooth("doctor", "--json", home=tmp_path).json["clients"]
    assert client["gateways"]
    assert client["hidden"][0]["tools"] == [HIDDEN]


@pytest.mark.promise("filters:offline")
def test_search_and_call_agree_on_what_is_hidden(tmp_path: Path) -> None:
    path = write(tmp_path / "filtered.json", servers(disabledTools=[HIDDEN]))
    words = ("search", "create", "a", "new", "ticket", "--json")
    everything = toolbooth(*words, "--config", write(tmp_path / "all.json", servers()), home=tmp_path).json
    found = toolbooth(*words, "--config", path, home=tmp_path).json
    assert f"tickets.{HIDDEN}" in [hit["id"] for hit in everything["hits"]]
    assert found["hits"]
    assert f"tickets.{HIDDEN}" not in [hit["id"] for hit in found["hits"]]
    called = toolbooth("call", f"tickets.{HIDDEN}", '{"title": "x"}', "--config", path, home=tmp_path)
    assert (called.code, "is hidden by" in called.err) == (2, True)


@pytest.mark.promise("doctor:filters")
def test_two_filters_of_one_server_both_count_for_its_client(tmp_path: Path) -> None:
    write(tmp_path / ".gemini" / "settings.json", servers(excludeTools=[HIDDEN]))
    project = tmp_path / "project"
    write(project / ".gemini" / "settings.json", servers(excludeTools=["get_ticket"]))
    said = toolbooth(
        "doctor", "--client", "gemini", "--trust-project", "--json", home=tmp_path, cwd=project
    ).json
    (hidden,) = said["hidden"]
    assert sorted(hidden["tools"]) == [HIDDEN, "get_ticket"]
