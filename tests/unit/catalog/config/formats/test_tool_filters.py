"""Filters of tools in files as the clients write them: what each lets through of `search`, `create` and `delete`."""

import pytest
from tests.unit.catalog.config.conftest import Read

TOOLS = ("search", "create", "delete")
CODEX = """
model = "gpt-5-codex"

[mcp_servers.github]
command = "docker"
args = ["run", "-i", "--rm", "ghcr.io/github/github-mcp-server"]
startup_timeout_sec = 20
enabled_tools = ["search", "create"]
disabled_tools = ["create"]
"""
GEMINI = """{
  "theme": "GitHub",
  "mcpServers": {
    "github": {"command": "npx", "args": ["-y", "x"], "trust": false, "includeTools": ["search", "delete(id)"],
               "excludeTools": ["delete"]}
  }
}"""
COPILOT = '{"mcpServers": {"github": {"type": "http", "url": "https://x.dev/mcp", "headers": {}, "tools": ["search"]}}}'
WITHOUT = """{"mcpServers": {"github": {"command": "npx", "args": ["-y", "x"], "disabled": false,
  "autoApprove": ["search"], "disabledTools": ["create", "delete"]}}}"""
ZED = '{"context_servers": {"github": {"source": "custom", "command": "npx", "args": []}}}'


@pytest.mark.promise("filters:read")
@pytest.mark.parametrize(
    ("file", "text", "let_through"),
    [
        (".codex/config.toml", CODEX, ["search"]),
        (".gemini/settings.json", GEMINI, ["search"]),
        (".copilot/mcp-config.json", COPILOT, ["search"]),
        (".codeium/windsurf/mcp_config.json", WITHOUT, ["search"]),
        (".kiro/settings/mcp.json", WITHOUT, ["search"]),
        ("app/.roo/mcp.json", WITHOUT, ["search"]),
        ("app/.vscode/mcp.json", WITHOUT.replace("mcpServers", "servers"), ["search"]),
        (".config/zed/settings.json", ZED, ["search", "create", "delete"]),
        ("pasted.json", '{"github": {"command": "npx", "disabledTools": ["delete"]}}', ["search", "create"]),
    ],
)
def test_the_filter_of_a_client_is_read_from_its_file(
    read: Read, file: str, text: str, let_through: list[str]
) -> None:
    (spec,) = read(file, text).servers
    assert [tool for tool in TOOLS if spec.tools.lets(tool)] == let_through


def test_of_one_server_in_two_files_what_both_let_through_counts(read: Read) -> None:
    from toolbooth.catalog.config import merge

    one, other = (
        read(".codex/config.toml", CODEX),
        read(
            ".cursor/mcp.json",
            '{"mcpServers": {"github": {"command": "docker", "args": ["run", "-i", "--rm", '
            '"ghcr.io/github/github-mcp-server"], "disabledTools": ["search"]}}}',
        ),
    )
    (spec,) = merge([one, other]).servers
    assert not any(map(spec.tools.lets, TOOLS))
