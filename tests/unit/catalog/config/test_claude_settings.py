"""Claude Code's settings: tools that a rule denies, and servers of a project that the user has not approved."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.unit.catalog.config.conftest import Read, Write

from toolbooth.catalog.config import ConfigFile

SERVERS = {"mcpServers": {"git hub": {"command": "x"}, "db": {"command": "y"}, "web": {"command": "z"}}}


@pytest.fixture
def claude(read: Read, write: Write) -> Any:
    """Read a config of Claude Code beside these settings of the user and of the project."""

    def read_with(name: str, user: Any = None, local: Any = None, cwd: Path | None = None) -> ConfigFile:
        for place, value in ((".claude/settings.json", user), ("app/.claude/settings.local.json", local)):
            if value is not None:
                write(place, value if isinstance(value, str) else json.dumps(value))
        return read(name, json.dumps(SERVERS), cwd)

    return read_with


def lets(file: ConfigFile, server: str, *tools: str) -> list[str]:
    spec = next(spec for spec in file.servers if spec.name == server)
    return [tool for tool in tools if spec.tools.lets(tool)]


def deny(*rules: str) -> dict[str, Any]:
    return {"permissions": {"deny": list(rules)}}


@pytest.mark.promise("filters:claude-rules")
def test_a_denied_tool_is_hidden_by_its_name_as_claude_code_writes_it(claude: Any) -> None:
    file = claude(".claude.json", deny("mcp__git_hub__delete_repo", "mcp__db", "Bash(rm:*)"))
    assert lets(file, "git-hub", "get.repo", "delete.repo") == ["get.repo"]
    assert lets(file, "db", "query") == []
    assert lets(file, "web", "query") == ["query"]


def test_a_star_in_a_rule_may_mean_many_servers(claude: Any) -> None:
    file = claude(".claude.json", deny("mcp__*__delete_*", "mcp__db__q*"))
    assert lets(file, "git-hub", "delete_x", "get") == ["get"]
    assert lets(file, "db", "query", "insert", "delete_x") == ["insert"]


def test_a_rule_with_arguments_hides_nothing(claude: Any) -> None:
    file = claude(".claude.json", deny("mcp__db__query(drop *)"))
    assert lets(file, "db", "query") == ["query"]


def test_the_rules_of_the_project_in_which_the_user_works_hold_too(claude: Any, home: Path) -> None:
    rules = deny("mcp__db__query")
    assert lets(claude(".claude.json", local=rules, cwd=home / "app"), "db", "query") == []
    assert lets(claude(".claude.json", local=rules), "db", "query") == ["query"]


def test_another_clients_config_has_nothing_to_do_with_them(claude: Any) -> None:
    assert lets(claude(".cursor/mcp.json", deny("mcp__db")), "db", "query") == ["query"]


@pytest.mark.promise("filters:approvals")
@pytest.mark.parametrize(
    ("user", "local", "kept"),
    [
        (None, None, ["git-hub", "db", "web"]),  # nobody was asked yet
        (None, {"enabledMcpjsonServers": ["db"]}, ["db"]),
        ({"enabledMcpjsonServers": ["web"]}, {"enabledMcpjsonServers": ["db"]}, ["db", "web"]),
        (None, {"disabledMcpjsonServers": ["db"]}, ["git-hub", "web"]),
        (None, {"enableAllProjectMcpServers": True, "disabledMcpjsonServers": ["db"]}, ["git-hub", "web"]),
        ({"enableAllProjectMcpServers": True}, {"enabledMcpjsonServers": ["db"]}, ["git-hub", "db", "web"]),
    ],
)
def test_only_approved_servers_of_a_project_count(
    claude: Any, user: Any, local: Any, kept: list[str]
) -> None:
    file = claude("app/.mcp.json", user, local)
    assert [spec.name for spec in file.servers] == kept
    assert {*kept, *file.disabled} == {"git-hub", "db", "web"}


def test_servers_of_the_user_need_no_approval(claude: Any) -> None:
    assert len(claude(".claude.json", {"enabledMcpjsonServers": ["db"]}).servers) == 3


def test_broken_settings_are_one_problem_and_hide_no_server(claude: Any) -> None:
    file = claude(".claude.json", '{"permissions": ')
    assert len(file.servers) == 3
    (problem,) = file.problems
    assert problem.server.endswith(".claude/settings.json")


def test_the_settings_are_watched_also_where_there_are_none(claude: Any, home: Path) -> None:
    assert home / ".claude" / "settings.json" in claude(".claude.json").rules
    assert claude(".cursor/mcp.json").rules == ()
