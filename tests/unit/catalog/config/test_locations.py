"""Where configs lie, on each system."""

from pathlib import Path

import pytest
from tests.unit.catalog.config.conftest import Write

from toolbooth.catalog.config import default_scripts_folder, find_configs, known_locations

HOME, CWD = Path("/home/me"), Path("/home/me/projects/app/src")


def _paths(client: str, platform: str, **environ: str) -> list[str]:
    places = known_locations(HOME, CWD, environ, platform)
    return [str(place.path) for place in places if place.client == client]


@pytest.mark.parametrize(
    ("client", "platform", "expected"),
    [
        (
            "Claude Desktop",
            "darwin",
            "/home/me/Library/Application Support/Claude/claude_desktop_config.json",
        ),
        ("Claude Desktop", "linux", "/home/me/.config/Claude/claude_desktop_config.json"),
        ("Claude Desktop", "win32", "/home/me/AppData/Roaming/Claude/claude_desktop_config.json"),
        (
            "Claude Desktop",
            "windows",
            "/home/me/AppData/Local/Packages/Claude_pzs8sxrjxfjjc/LocalCache/Roaming/Claude/claude_desktop_config.json",
        ),
        ("Claude Code", "linux", "/home/me/.claude.json"),
        ("Claude Code", "linux", "/home/me/projects/.mcp.json"),
        ("Cursor", "macos", "/home/me/.cursor/mcp.json"),
        ("Cursor", "macos", "/home/me/projects/app/src/.cursor/mcp.json"),
        ("VS Code", "linux", "/home/me/.config/Code/User/mcp.json"),
        ("VS Code", "macos", "/home/me/Library/Application Support/Code/User/mcp.json"),
        ("VS Code", "windows", "/home/me/AppData/Roaming/Code/User/settings.json"),
        ("VS Code", "linux", "/home/me/projects/app/.vscode/mcp.json"),
        ("Windsurf", "linux", "/home/me/.codeium/windsurf/mcp_config.json"),
        (
            "Cline",
            "linux",
            "/home/me/.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
        ),
        ("Codex", "windows", "/home/me/.codex/config.toml"),
        ("Gemini CLI", "linux", "/etc/gemini-cli/settings.json"),
        ("Gemini CLI", "macos", "/Library/Application Support/GeminiCli/settings.json"),
        ("Gemini CLI", "linux", "/home/me/projects/app/.gemini/settings.json"),
        ("Zed", "linux", "/home/me/.config/zed/settings.json"),
        ("Zed", "macos", "/home/me/.config/zed/settings.json"),
        ("Zed", "windows", "/home/me/AppData/Roaming/Zed/settings.json"),
        ("Kiro", "freebsd14", "/home/me/.kiro/settings/mcp.json"),
        ("Toolbooth", "linux", "/home/me/projects/app/toolbooth.yaml"),
        ("Toolbooth", "macos", "/home/me/.config/toolbooth/toolbooth.yaml"),
        ("Toolbooth", "windows", "/home/me/AppData/Roaming/toolbooth/toolbooth.yaml"),
    ],
)
def test_the_place_is_known(client: str, platform: str, expected: str) -> None:
    assert expected in _paths(client, platform)


@pytest.mark.parametrize(
    ("client", "variable", "value", "expected"),
    [
        ("Codex", "CODEX_HOME", "/x", "/x/config.toml"),
        ("Claude Code", "CLAUDE_CONFIG_DIR", "/x", "/x/.claude.json"),
        ("Copilot CLI", "COPILOT_HOME", "/x", "/x/mcp-config.json"),
        ("Cline", "CLINE_MCP_SETTINGS_PATH", "/x/y.json", "/x/y.json"),
        ("Gemini CLI", "GEMINI_CLI_SYSTEM_SETTINGS_PATH", "/x/y.json", "/x/y.json"),
        ("Zed", "XDG_CONFIG_HOME", "/x", "/x/zed/settings.json"),
    ],
)
def test_environment_variables_move_a_place(client: str, variable: str, value: str, expected: str) -> None:
    assert expected in _paths(client, "linux", **{variable: value})


def test_windows_folders_come_from_the_environment() -> None:
    found = _paths("Claude Desktop", "win32", APPDATA="/roaming", LOCALAPPDATA="/local")
    assert "/roaming/Claude/claude_desktop_config.json" in found
    assert any(path.startswith("/local/Packages/") for path in found)


def test_projects_are_searched_from_here_up_to_below_home() -> None:
    assert [path for path in _paths("Claude Code", "linux") if path.endswith(".mcp.json")] == [
        "/home/me/projects/app/src/.mcp.json",
        "/home/me/projects/app/.mcp.json",
        "/home/me/projects/.mcp.json",
    ]


def test_projects_are_searched_up_to_the_repository_root() -> None:
    places = known_locations(HOME, CWD, {}, "linux", root=Path("/home/me/projects/app"))
    assert [str(place.path.parent) for place in places if place.path.name == ".mcp.json"] == [
        "/home/me/projects/app/src",
        "/home/me/projects/app",
    ]


@pytest.mark.parametrize("cwd", [HOME, Path("/"), Path("/srv/app")])
def test_every_place_is_named_once(cwd: Path) -> None:
    paths = [place.path for place in known_locations(HOME, cwd, {}, "linux")]
    assert len(paths) == len(set(paths))
    assert cwd / ".mcp.json" in paths


def test_only_files_that_mention_servers_are_found(home: Path, write: Write) -> None:
    write(".cursor/mcp.json", '{"mcpServers": {"a": {"command": "x"}}}')
    write(".config/Code/User/settings.json", '{"editor.fontSize": 12}')
    write(".config/zed/settings.json", '{"theme": "context_servers"}')
    write(".kiro/settings/mcp.json", '{"mcpServers": {')
    write(".codex/config.toml", 'model = "x"\n')
    write("app/.git/HEAD", "")
    write("app/.vscode/mcp.json", '{"servers": {"a": {"command": "x"}}}')
    write("app/toolbooth.yaml", "tools: {'*': {limit: 1}}\n")
    write(".mcp.json", '{"mcpServers": {"above-the-repository": {"command": "x"}}}')
    (home / ".gemini/settings.json").mkdir(parents=True)
    write("app/src/main.py", "")
    write(".junie/mcp/mcp.json", "").write_bytes('{"mcpServers": {}}'.encode("utf-16"))
    found = find_configs(home, home / "app/src", {}, "linux")
    assert [(place.client, str(place.path.relative_to(home))) for place in found] == [
        ("Toolbooth", "app/toolbooth.yaml"),
        ("VS Code", "app/.vscode/mcp.json"),
        ("Cursor", ".cursor/mcp.json"),
        ("Kiro", ".kiro/settings/mcp.json"),
        ("Junie", ".junie/mcp/mcp.json"),
    ]


@pytest.mark.parametrize(
    ("platform", "environ", "expected"),
    [
        ("linux", {}, "/home/me/.config/toolbooth/scripts"),
        ("linux", {"XDG_CONFIG_HOME": "/x"}, "/x/toolbooth/scripts"),
        ("freebsd14", {}, "/home/me/.config/toolbooth/scripts"),
        ("darwin", {"XDG_CONFIG_HOME": "/x"}, "/home/me/.config/toolbooth/scripts"),
        ("win32", {}, "/home/me/AppData/Roaming/toolbooth/scripts"),
        ("win32", {"APPDATA": "/roaming"}, "/roaming/toolbooth/scripts"),
    ],
)
def test_scripts_lie_beside_the_users_own_file(platform: str, environ: dict[str, str], expected: str) -> None:
    assert str(default_scripts_folder(HOME, environ, platform)) == expected
    own = [place.path for place in known_locations(HOME, CWD, environ, platform) if not place.project]
    assert Path(expected).parent / "toolbooth.yaml" in own


@pytest.mark.parametrize(
    ("file", "text", "found"),
    [
        (".cursor/mcp.json", "{broken", True),
        (".claude.json", '{"mcpS', True),
        (".cursor/mcp.json", " \n", False),
        (".cursor/mcp.json", "{}", False),
        (".config/toolbooth/toolbooth.yaml", "surface: [x", True),
        (".config/Code/User/settings.json", "{broken", False),  # not there for servers alone
        (".config/Code/User/settings.json", '{broken "mcpServers"', True),
    ],
)
def test_a_broken_file_that_is_there_for_servers_is_found(
    home: Path, file: str, text: str, found: bool
) -> None:
    path = home / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    assert [place.path for place in find_configs(home, home / "none", {}, "linux")] == [path] * found
