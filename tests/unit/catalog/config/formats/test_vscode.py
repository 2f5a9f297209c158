"""VS Code's own shape, in all the files where it may stand."""

from pathlib import Path

import pytest
from tests.unit.catalog.config.conftest import Read

MCP_JSON = """{
  // asked for once
  "inputs": [
    {"type": "promptString", "id": "gh-token", "description": "GitHub token", "password": true},
    {"type": "pickString", "id": "region", "options": ["eu", "us"], "default": "eu"},
  ],
  "servers": {
    "github": {"type": "http", "url": "https://api.githubcopilot.com/mcp/",
               "headers": {"Authorization": "Bearer ${input:gh-token}"}},
    "local": {"type": "stdio", "command": "python", "args": ["${workspaceFolder}/s.py", "${input:region}"],
              "env": {"PORT": 8080, "GONE": null}, "cwd": "${workspaceFolder}", "dev": {"watch": "**"}},
  },
}"""


def test_inputs_come_from_the_environment_or_their_default(read: Read, home: Path) -> None:
    found = read("app/.vscode/mcp.json", MCP_JSON, GH_TOKEN="s3cret")
    github, local = found.servers
    assert found.client == "VS Code"
    assert github.headers == {"Authorization": "Bearer s3cret"}
    assert local.args == (f"{home}/app/s.py", "eu")
    assert (local.env, local.cwd) == ({"PORT": "8080"}, home / "app")


def test_an_input_without_an_answer_is_that_servers_problem(read: Read) -> None:
    found = read("app/.vscode/mcp.json", MCP_JSON)
    assert [spec.name for spec in found.servers] == ["local"]
    assert str(found.problems[0]) == (
        "github: asks for the input gh-token; set the environment variable GH_TOKEN to answer it"
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            ".config/Code/User/settings.json",
            '{"editor.fontSize": 12, "mcp": {"servers": {"a": {"command": "x"}}}}',
        ),
        (
            "app/my.code-workspace",
            '{"folders": [], "settings": {"mcp": {"servers": {"a": {"command": "x"}}}}}',
        ),
        (
            "devcontainer.json",
            '{"customizations": {"vscode": {"mcp": {"servers": {"a": {"command": "x"}}}}}}',
        ),
        (".config/Code/User/mcp.json", '{"servers": {"a": {"command": "x"}}}'),
    ],
)
def test_settings_workspaces_and_containers_hold_servers_too(read: Read, name: str, text: str) -> None:
    assert [spec.name for spec in read(name, text).servers] == ["a"]


def test_an_empty_list_of_servers_is_a_config(read: Read) -> None:
    assert read("app/.vscode/mcp.json", '{"servers": {}, "inputs": []}').servers == ()
