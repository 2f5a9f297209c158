"""Every client that writes `mcpServers`, with a config as people have it."""

from pathlib import Path

import pytest
from tests.unit.catalog.config.conftest import Read

from toolbooth.errors import ConfigError


def test_claude_desktop(read: Read) -> None:
    found = read(
        "Library/Application Support/Claude/claude_desktop_config.json",
        """{
          "globalShortcut": "",
          "mcpServers": {
            "filesystem": {
              "command": "npx",
              "args": ["-y", "@modelcontextprotocol/server-filesystem", "/Users/me/Desktop"]
            },
            "brave-search": {
              "command": "npx", "args": ["-y", "@brave/brave-search-mcp-server"], "env": {"BRAVE_API_KEY": "k"}
            }
          }
        }""",
    )
    assert found.client == "Claude Desktop"
    files, brave = found.servers
    assert (files.name, files.transport, files.command) == ("filesystem", "stdio", "npx")
    assert files.args == ("-y", "@modelcontextprotocol/server-filesystem", "/Users/me/Desktop")
    assert brave.env == {"BRAVE_API_KEY": "k"}
    assert "claude_desktop_config.json" in brave.source


CLAUDE_CODE = """{
  "numStartups": 41,
  "mcpServers": {
    "playwright": {"type": "stdio", "command": "npx", "args": ["@playwright/mcp@latest"], "env": {}},
    "linear": {"type": "sse", "url": "https://mcp.linear.app/sse"}
  },
  "projects": {
    "/projects/app": {
      "history": [{"display": "fix it // now", "pastedContents": {}}],
      "mcpServers": {
        "db": {"command": "./bin/db-mcp", "args": []},
        "linear": {"type": "http", "url": "https://mcp.linear.app/mcp"},
        "old": {"command": "old-mcp"}
      },
      "disabledMcpServers": ["old"]
    },
    "/projects/other": {"mcpServers": {"playwright": {"command": "npx", "args": ["@playwright/mcp@latest"]}}}
  }
}"""


def test_claude_code_has_servers_for_the_user_and_for_projects(read: Read) -> None:
    found = read(".claude.json", CLAUDE_CODE)
    assert found.client == "Claude Code"
    assert [spec.name for spec in found.servers] == ["playwright", "linear", "db", "linear-2"]
    assert found.disabled == ("old",)
    assert found.servers[2].cwd == Path("/projects/app")
    assert "project /projects/app" in found.servers[2].source
    assert "/projects/other" in found.servers[0].source
    assert any("linear-2" in note for note in found.notes)


def test_only_the_project_one_works_in_counts(read: Read) -> None:
    inside = read(".claude.json", CLAUDE_CODE, cwd=Path("/projects/app/src"))
    assert "db" in {spec.name for spec in inside.servers}
    outside = read(".claude.json", CLAUDE_CODE, cwd=Path("/projects/apple"))
    assert {spec.name for spec in outside.servers} == {"playwright", "linear"}


def test_a_project_may_switch_a_users_server_off(read: Read) -> None:
    text = """{"mcpServers": {"a": {"command": "x"}, "b": {"command": "x"}},
               "projects": {"/projects/app": {"disabledMcpServers": ["a"], "mcpServers": {}}}}"""
    found = read(".claude.json", text, cwd=Path("/projects/app"))
    assert ([spec.name for spec in found.servers], found.disabled) == (["b"], ("a",))
    assert [spec.name for spec in read(".claude.json", text, cwd=Path("/work")).servers] == ["a", "b"]


def test_claude_code_project_file_with_variables(read: Read) -> None:
    found = read(
        "app/.mcp.json",
        """{"mcpServers": {
            "api": {"type": "streamable-http", "url": "${API_BASE:-https://api.example.com}/mcp",
                    "headers": {"Authorization": "Bearer ${API_KEY}"}},
            "needs": {"command": "x", "env": {"A": "${NOT_THERE}"}},
            "local": {"command": "python", "args": ["./server.py"]}
        }}""",
        API_KEY="s3cret",
    )
    assert found.client == "Claude Code"
    api, local = found.servers
    assert (api.transport, api.url) == ("http", "https://api.example.com/mcp")
    assert api.headers == {"Authorization": "Bearer s3cret"}
    assert local.cwd == found.path.parent
    assert [str(problem) for problem in found.problems] == [
        "needs: needs the environment variable NOT_THERE, which is not set"
    ]


def test_cursor(read: Read, home: Path) -> None:
    found = read(
        "app/.cursor/mcp.json",
        """{"mcpServers": {
            "remote": {"url": "https://mcp.example.com/mcp", "headers": {"X": "${env:KEY}"}},
            "local": {"command": "${workspaceFolder}/run", "args": ["${userHome}/d"], "envFile": ".env"}
        }}""",
        KEY="k",
    )
    assert [str(problem) for problem in found.problems] == ["local: its envFile cannot be read"]
    (home / "app/.env").write_text("TOKEN=t\n")
    found = read("app/.cursor/mcp.json", found.path.read_text(), KEY="k")
    remote, local = found.servers
    assert found.client == "Cursor"
    assert (remote.transport, remote.headers) == ("auto", {"X": "k"})
    assert (local.command, local.args, local.env) == (f"{home}/app/run", (f"{home}/d",), {"TOKEN": "t"})


def test_the_users_cursor_file_speaks_of_the_working_folder(read: Read, tmp_path: Path) -> None:
    found = read(
        ".cursor/mcp.json",
        '{"mcpServers": {"a": {"command": "${workspaceFolder}/run"}}}',
        cwd=tmp_path / "app",
    )
    assert found.servers[0].command == f"{tmp_path}/app/run"


def test_windsurf_says_server_url(read: Read) -> None:
    found = read(
        ".codeium/windsurf/mcp_config.json",
        '{"mcpServers": {"figma": {"serverUrl": "https://x.dev/mcp", "headers": {"A": "${env:T}"}}}}',
        T="t",
    )
    assert found.client == "Windsurf"
    assert (found.servers[0].transport, found.servers[0].url) == ("auto", "https://x.dev/mcp")


def test_cline_switches_servers_off(read: Read) -> None:
    found = read(
        ".config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
        """{"mcpServers": {
            "on": {"command": "node", "args": ["/s.js"], "disabled": false, "autoApprove": [], "timeout": 60},
            "off": {"command": "node", "disabled": true},
            "stream": {"type": "streamableHttp", "url": "https://x.dev/mcp"}
        }}""",
    )
    assert found.client == "Cline"
    assert [spec.name for spec in found.servers] == ["on", "stream"]
    assert found.servers[1].transport == "http"
    assert found.disabled == ("off",)


def test_gemini_cli(read: Read) -> None:
    found = read(
        ".gemini/settings.json",
        """{ // Gemini allows comments
          "mcp": {"excluded": ["out"]},
          "mcpServers": {
            "http": {"httpUrl": "https://x.dev/mcp", "url": "https://x.dev/sse", "timeout": 5000},
            "sse": {"url": "https://x.dev/sse"},
            "py": {"command": "python", "args": ["-m", "s"], "cwd": "servers/py",
                   "env": {"DB": "$DB_URL", "KEY": "${KEY}", "PASS": "pa$$word"}, "trust": true},
            "out": {"command": "x"}
          }
        }""",
        cwd=Path("/projects/app"),
        DB_URL="d",
        KEY="k",
    )
    http, sse, py = found.servers
    assert found.client == "Gemini CLI"
    assert (http.transport, http.url) == ("http", "https://x.dev/mcp")
    assert sse.transport == "auto"
    assert py.env == {"DB": "d", "KEY": "k", "PASS": "pa$$word"}
    assert py.cwd == Path("/projects/app/servers/py")
    assert found.disabled == ("out",)


def test_gemini_may_name_the_only_servers_it_allows(read: Read) -> None:
    text = '{"mcp": {"allowed": ["a"]}, "mcpServers": {"a": {"command": "x"}, "b": {"command": "x"}}}'
    found = read(".gemini/settings.json", text)
    assert ([spec.name for spec in found.servers], found.disabled) == (["a"], ("b",))


@pytest.mark.parametrize(
    ("name", "client"),
    [
        ("app/.roo/mcp.json", "Roo Code"),
        ("app/.kilocode/mcp.json", "Kilo Code"),
        (".lmstudio/mcp.json", "LM Studio"),
        (".aws/amazonq/mcp.json", "Amazon Q"),
        (".aws/amazonq/agents/default.json", "Amazon Q"),
        ("app/.kiro/settings/mcp.json", "Kiro"),
        ("app/.junie/mcp/mcp.json", "Junie"),
        (".copilot/mcp-config.json", "Copilot CLI"),
        (".gemini/config/mcp_config.json", "Antigravity"),
        ("backup/claude_desktop_config.json", "Claude Desktop"),
        ("somewhere/mcp.json", "mcpServers JSON"),
        ("somewhere/settings.json", "mcpServers JSON"),
    ],
)
def test_look_alikes_are_known_by_their_place(read: Read, name: str, client: str) -> None:
    found = read(name, '{"mcpServers": {"a": {"type": "streamable-http", "url": "https://x.dev"}}}')
    assert found.client == client
    assert found.servers[0].transport == "http"


def test_a_list_of_named_servers_and_yaml_are_read_too(read: Read) -> None:
    found = read("config.yaml", "name: me\nmcpServers:\n  - name: db\n    command: npx\n    args: [-y, db]\n")
    assert (found.servers[0].name, found.servers[0].args) == ("db", ("-y", "db"))


@pytest.mark.parametrize("value", ['"x"', "3", "true"])
def test_servers_that_are_no_map_are_an_error(read: Read, value: str) -> None:
    with pytest.raises(ConfigError, match="mcpServers must be an object"):
        read("a.json", f'{{"mcpServers": {value}}}')
