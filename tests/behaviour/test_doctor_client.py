"""`toolbooth doctor --client`: the first turn of one client, with and without Toolbooth in front of its servers."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.behaviour.command_line import toolbooth
from toolbooth.demo import demo_command


def config(*names: str) -> str:
    commands = {name: demo_command(name) for name in names}
    entries = {name: {"command": words[0], "args": list(words[1:])} for name, words in commands.items()}
    return json.dumps({"mcpServers": entries})


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def setups(said: Any, *, tool_search: bool) -> dict[str, Any]:
    (mode,) = (each for each in said["modes"] if each["tool_search"] is tool_search)
    return {each["setup"].partition(":")[0]: each for each in mode["setups"]}


@pytest.mark.promise("doctor:client")
def test_only_the_clients_own_config_counts_and_toolbooth_stands_beside_it(tmp_path: Path) -> None:
    write(tmp_path / ".claude.json", config("tickets", "files"))
    write(tmp_path / ".cursor" / "mcp.json", config("weather"))
    said = toolbooth("doctor", "--client", "claude-code", "--json", home=tmp_path).json
    assert {name.split("__")[1] for name in setups(said, tool_search=False)["as configured"]["loaded"]} == {
        "tickets",
        "files",
    }
    deferring, whole = setups(said, tool_search=True), setups(said, tool_search=False)
    assert deferring["as configured"]["deferred"] == whole["as configured"]["loaded"]
    assert deferring["as configured"]["tokens"]["all"] < whole["as configured"]["tokens"]["all"]
    assert deferring["with Toolbooth, search"]["loaded"] == [
        "mcp__toolbooth__search_tools",
        "mcp__toolbooth__call_tool",
        "mcp__toolbooth__read_result",
    ]
    assert said["auto"]["surface"] in ("search", "direct")
    assert said["total_tokens"] == deferring["as configured"]["tokens"]["all"]


@pytest.mark.promise("doctor:client")
def test_a_wrapped_config_is_shown_as_it_is_and_as_it_was(tmp_path: Path) -> None:
    write(tmp_path / ".gemini" / "settings.json", config("tickets"))
    before = toolbooth("doctor", "--client", "gemini", "--json", home=tmp_path).json
    assert toolbooth("wrap", "gemini cli", "--surface", "search", home=tmp_path).code == 0
    after = setups(toolbooth("doctor", "--client", "gemini", "--json", home=tmp_path).json, tool_search=False)
    assert after["as configured"]["loaded"] == after["with Toolbooth, search"]["loaded"]
    assert (
        after["without Toolbooth"]["loaded"] == setups(before, tool_search=False)["as configured"]["loaded"]
    )


@pytest.mark.promise("doctor:client")
@pytest.mark.parametrize("client", ["claude-code", "codex", "cursor", "copilot", "vscode", "gemini"])
def test_each_client_is_known_and_says_where_its_facts_come_from(tmp_path: Path, client: str) -> None:
    catalog = write(
        tmp_path / "acme.json", json.dumps({"tools": [{"name": "find", "description": "Finds."}]})
    )
    said = toolbooth("doctor", "--client", client, catalog, home=tmp_path, COLUMNS="120")
    assert said.code == 0, said.err
    profile = toolbooth("doctor", "--client", client, catalog, "--json", home=tmp_path).json
    assert bool(profile["observed"]) != bool(profile["documents"])
    assert ("not observed" in said.out) != bool(profile["observed"])
    assert "with Toolbooth, search" in said.out


@pytest.mark.promise("doctor:client")
def test_the_exit_codes_are_those_of_doctor(tmp_path: Path) -> None:
    wrong = toolbooth("doctor", "--client", "cursr", home=tmp_path)
    assert (wrong.code, "did you mean cursor?" in wrong.err) == (2, True)
    write(tmp_path / ".cursor" / "mcp.json", config("weather"))
    none = toolbooth("doctor", "--client", "codex", home=tmp_path)
    assert (none.code, "no server is configured for Codex" in none.err) == (3, True)
    over = toolbooth("doctor", "--client", "cursor", "--budget", "1", home=tmp_path)
    assert (over.code, "over budget by" in over.out) == (1, True)
    assert toolbooth("doctor", "--client", "cursor", "--markdown", home=tmp_path).code == 2


def test_a_filter_is_said_and_what_it_hides_is_not_counted(tmp_path: Path) -> None:
    entry = json.loads(config("tickets"))
    entry["mcpServers"]["tickets"]["excludeTools"] = ["create_ticket"]
    write(tmp_path / ".gemini" / "settings.json", json.dumps(entry))
    said = toolbooth("doctor", "--client", "gemini", home=tmp_path, COLUMNS="120").out
    assert "tools of tickets hidden by excludeTools" in said
    assert "mcp_tickets_create_ticket" not in said
