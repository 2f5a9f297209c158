"""What Claude Code's `settings.json` files say of MCP: tools that it hides, and servers of a project that it may start.

A tool that `permissions.deny` names is not shown to the model (seen with 2.1.197), so it is a filter like those of
other clients. A server of a project's `.mcp.json` is started only if the user approved it, and these files keep that.
"""

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from toolbooth import errors, limits
from toolbooth.catalog.config import config_file
from toolbooth.catalog.config.regular_file import read_regular
from toolbooth.catalog.tool_filter import EVERY_TOOL, ToolFilter, rule_name

CLIENT: Final = "Claude Code"
PROJECT_FILE: Final = ".mcp.json"
_MANAGED: Final = {
    "darwin": "/Library/Application Support/ClaudeCode/managed-settings.json",
    "win32": "C:/Program Files/ClaudeCode/managed-settings.json",
}
_MANAGED_ELSEWHERE: Final = "/etc/claude-code/managed-settings.json"
_OFF: Final = "disabledMcpjsonServers"
_ON: Final = "enabledMcpjsonServers"


@dataclass(frozen=True)
class ClaudeSettings:
    """The rules of all settings files together; `places` are those files, whether they exist or not.

    `approved` are servers of `.mcp.json`, None for all; it is None as well while nobody has answered for any.
    """

    places: tuple[Path, ...] = ()
    denied: frozenset[str] = frozenset()
    approved: frozenset[str] | None = None
    rejected: frozenset[str] = frozenset()
    problems: tuple[config_file.ServerProblem, ...] = ()

    def applied(self, raw: config_file.RawServer, path: Path) -> config_file.RawServer:
        """A server of one of Claude Code's files, as these settings leave it."""
        waits = self.approved is not None and raw.name not in self.approved
        off = path.name == PROJECT_FILE and (raw.name in self.rejected or waits)
        return replace(raw, disabled=raw.disabled or off, tools=raw.tools.joined(self._filter_of(raw.name)))

    def _filter_of(self, server: str) -> ToolFilter:
        prefix = f"mcp__{rule_name(server)}__"
        rules = (prefix + "*" if f"{rule}__" == prefix else rule for rule in self.denied)
        mine = frozenset((prefix, rule) for rule in rules if rule.startswith(prefix) or "*" in rule)
        return ToolFilter(denied=mine, keys=("permissions.deny",)) if mine else EVERY_TOOL


def read_settings(home: Path, projects: Sequence[Path], environ: Mapping[str, str]) -> ClaudeSettings:
    """Read every settings file that Claude Code reads in these projects; a broken one is a problem."""
    places = tuple(dict.fromkeys(_places(home, projects, environ)))
    read: list[Mapping[str, Any]] = []
    problems: list[config_file.ServerProblem] = []
    for place in places:
        try:
            read += [_read(place)] if os.path.lexists(place) else []
        except errors.ConfigError as error:
            problems.append(config_file.ServerProblem(str(place), error.message))
    return ClaudeSettings(
        places,
        frozenset(rule for each in read for rule in _denied(each)),
        _approved(read),
        frozenset(name for each in read for name in config_file.texts_of_list(each.get(_OFF))),
        tuple(problems),
    )


def _places(home: Path, projects: Sequence[Path], environ: Mapping[str, str]) -> Iterator[Path]:
    own = environ.get("CLAUDE_CONFIG_DIR")
    yield Path(_MANAGED.get(sys.platform, _MANAGED_ELSEWHERE))
    yield (Path(own) if own else home / ".claude") / "settings.json"
    for project in projects:
        yield project / ".claude" / "settings.json"
        yield project / ".claude" / "settings.local.json"


def _read(path: Path) -> Mapping[str, Any]:
    data = read_regular(path, limits.MAX_CONFIG_BYTES)
    value = config_file.parse_bytes(path, data).value if data.strip() else {}
    return value if isinstance(value, Mapping) else {}


def _denied(settings: Mapping[str, Any]) -> frozenset[str]:
    """The rules about tools of MCP. One with arguments holds for single calls, so it hides nothing."""
    permissions = settings.get("permissions")
    rules = config_file.texts_of_list(permissions.get("deny") if isinstance(permissions, Mapping) else None)
    return frozenset(rule for rule in rules if rule.startswith("mcp__") and "(" not in rule)


def _approved(read: Sequence[Mapping[str, Any]]) -> frozenset[str] | None:
    if any(each.get("enableAllProjectMcpServers") is True for each in read):
        return None
    names = frozenset(name for each in read for name in config_file.texts_of_list(each.get(_ON)))
    return names or None
