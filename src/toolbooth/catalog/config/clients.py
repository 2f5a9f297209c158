"""The known MCP clients, the paths of their config files, and which client a path belongs to."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

OURS: Final = "Toolbooth"
_LINUX: Final = frozenset({"linux"})
_MACOS: Final = frozenset({"macos"})
_WINDOWS: Final = frozenset({"windows"})
_UNIX: Final = _LINUX | _MACOS
_GLOBAL_STORAGE: Final = "{appconfig}/Code/User/globalStorage"


@dataclass(frozen=True)
class Client:
    """One client. `user` files are templates with the folders of locations.py; `project` files are relative.

    `moved` are pairs of an environment variable and a template below it, which are used before the usual paths.
    """

    name: str
    user: tuple[str, ...] = ()
    project: tuple[str, ...] = ()
    moved: tuple[tuple[str, str], ...] = ()
    platforms: frozenset[str] = _UNIX | _WINDOWS
    bare_dollar: bool = False


CLIENTS: Final = (
    Client(
        OURS,
        user=("{xdg}/toolbooth/toolbooth.yaml",),
        project=("toolbooth.yaml", "toolbooth.yml"),
        platforms=_UNIX,
    ),
    Client(OURS, user=("{appconfig}/toolbooth/toolbooth.yaml",), platforms=_WINDOWS),
    Client(
        "Claude Code",
        user=("{home}/.claude.json",),
        project=(".mcp.json",),
        moved=(("CLAUDE_CONFIG_DIR", ".claude.json"),),
    ),
    # Windows installs since February 2026 are MSIX packages and read the virtualised folder only.
    Client(
        "Claude Desktop",
        (
            "{localappdata}/Packages/Claude_pzs8sxrjxfjjc/LocalCache/Roaming/Claude/claude_desktop_config.json",
        ),
        platforms=_WINDOWS,
    ),
    Client("Claude Desktop", user=("{appconfig}/Claude/claude_desktop_config.json",)),
    Client("Cursor", user=("{home}/.cursor/mcp.json",), project=(".cursor/mcp.json",)),
    Client(
        "VS Code",
        user=(
            "{appconfig}/Code/User/mcp.json",
            "{appconfig}/Code/User/settings.json",
            "{appconfig}/Code - Insiders/User/mcp.json",
            "{appconfig}/Code - Insiders/User/settings.json",
        ),
        project=(".vscode/mcp.json", ".vscode/settings.json"),
    ),
    Client("Windsurf", user=("{home}/.codeium/windsurf/mcp_config.json", "{home}/.codeium/mcp_config.json")),
    Client(
        "Cline",
        user=(
            f"{_GLOBAL_STORAGE}/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
            "{home}/.cline/data/settings/cline_mcp_settings.json",
        ),
        moved=(("CLINE_MCP_SETTINGS_PATH", ""),),
    ),
    Client(
        "Roo Code",
        user=(f"{_GLOBAL_STORAGE}/rooveterinaryinc.roo-cline/settings/mcp_settings.json",),
        project=(".roo/mcp.json",),
    ),
    Client(
        "Kilo Code",
        user=("{home}/.kilocode/cli/global/settings/mcp_settings.json",),
        project=(".kilocode/mcp.json",),
    ),
    Client(
        "Codex",
        user=("{home}/.codex/config.toml",),
        project=(".codex/config.toml",),
        moved=(("CODEX_HOME", "config.toml"),),
    ),
    Client(
        "Gemini CLI",
        user=("{home}/.gemini/settings.json",),
        project=(".gemini/settings.json",),
        moved=(("GEMINI_CLI_SYSTEM_SETTINGS_PATH", ""),),
        bare_dollar=True,
    ),
    Client(
        "Gemini CLI", ("{system}/gemini-cli/settings.json",), platforms=_LINUX | _WINDOWS, bare_dollar=True
    ),
    Client("Gemini CLI", ("{system}/GeminiCli/settings.json",), platforms=_MACOS, bare_dollar=True),
    Client(
        "Antigravity",
        user=("{home}/.gemini/config/mcp_config.json", "{home}/.gemini/antigravity/mcp_config.json"),
        project=(".agents/mcp_config.json",),
    ),
    Client(
        "Copilot CLI", user=("{home}/.copilot/mcp-config.json",), moved=(("COPILOT_HOME", "mcp-config.json"),)
    ),
    Client("Zed", user=("{xdg}/zed/settings.json",), project=(".zed/settings.json",), platforms=_UNIX),
    Client("Zed", user=("{appconfig}/Zed/settings.json",), platforms=_WINDOWS),
    Client("LM Studio", user=("{home}/.lmstudio/mcp.json", "{home}/.cache/lm-studio/mcp.json")),
    Client(
        "Amazon Q",
        user=("{home}/.aws/amazonq/mcp.json", "{home}/.aws/amazonq/agents/default.json"),
        project=(".amazonq/mcp.json",),
    ),
    Client("Kiro", user=("{home}/.kiro/settings/mcp.json",), project=(".kiro/settings/mcp.json",)),
    Client("Junie", user=("{home}/.junie/mcp/mcp.json",), project=(".junie/mcp/mcp.json",)),
)
_COMMON_NAMES: Final = frozenset(
    {"mcp.json", "settings.json", "default.json", "mcp_settings.json", "mcp_config.json"}
)


def client_of(path: Path) -> Client | None:
    """The client that a file belongs to, by its folders, or by a file name that only one client uses."""
    parts = tuple(part.lower() for part in path.parts)
    found = [
        (len(tail), client) for client in CLIENTS for tail in _tails(client) if parts[-len(tail) :] == tail
    ]
    return max(found, key=lambda pair: pair[0])[1] if found else None


def _tails(client: Client) -> Iterator[tuple[str, ...]]:
    """The ends of a client's paths; a common file name is only used together with its folder."""
    for template in (*client.user, *client.project):
        parts = tuple(part.lower() for part in PurePosixPath(template).parts if "{" not in part)
        yield parts
        if parts[-1] not in _COMMON_NAMES:
            yield parts[-1:]
