"""The `mcpServers` shape: Claude Desktop and Code, Cursor, Windsurf, Cline, Gemini CLI and look-alikes."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from toolbooth import errors
from toolbooth.catalog.config import config_file, gateway_command
from toolbooth.catalog.config.config_file import Document
from toolbooth.catalog.config.formats.registry import config_format
from toolbooth.catalog.tool_filter import filter_of_entry

# Gemini: `httpUrl` is Streamable HTTP and wins over `url`. Windsurf and Antigravity: `serverUrl`.
_URL_KEYS: Final = (("httpUrl", "http"), ("serverUrl", None), ("url", None))
_OFF_IN_PROJECT: Final = "disabledMcpjsonServers"  # Claude Code: names in the project's own .mcp.json
_TYPE_KEYS: Final = ("type", "transport", "transportType")
_ALSO_WANTED: Final[Mapping[str, Mapping[str, Any]]] = {
    "Claude Code": {"type": "stdio"},
    "Copilot CLI": {"type": "local", "tools": ["*"]},
}
_USUAL_TIMEOUT: Final = {"Gemini CLI": 600_000, "Cline": 60, "Roo Code": 60, "Kilo Code": 60}


def _knows(value: Any) -> bool:
    if not isinstance(value, Mapping):
        return False
    projects = (project for _, project in config_file.mappings(value.get("projects")))
    return "mcpServers" in value or any(
        {"mcpServers", _OFF_IN_PROJECT} & project.keys() for project in projects
    )


def _section(value: Any) -> tuple[str, ...] | None:
    """The servers for all projects; those of one project stay with it."""
    return ("mcpServers",) if isinstance(value.get("mcpServers"), Mapping) else None


def gateway_entry(launch: gateway_command.GatewayLaunch) -> dict[str, Any]:
    """The gateway as these clients write a server of their own."""
    started = {"command": launch.command, "args": list(launch.args)}
    timeout = launch.most("timeout", _USUAL_TIMEOUT.get(launch.client, 0))
    return {**_ALSO_WANTED.get(launch.client, {}), **started, **_forwarded(launch), **timeout}


def _forwarded(launch: gateway_command.GatewayLaunch) -> dict[str, Any]:
    """Gemini CLI withholds variables that look secret from its servers unless their `env` names them."""
    variables = launch.variables() if launch.client == "Gemini CLI" else {}
    return {"env": variables} if variables else {}


@config_format("mcpServers JSON", _knows, section=_section, entry=gateway_entry)
def read_mcp_servers(document: Document) -> config_file.RawConfig:
    """Read the servers of the file and, for Claude Code, of each project in it."""
    value = document.value
    off, projects = _with_environment_by_name(value), list(config_file.mappings(value.get("projects")))
    servers = [
        replace(raw_server(name, entry, off), disabled_in=_disabled_in(name, projects))
        for name, entry in _entries(document, value)
    ]
    for path, project in projects:
        off = config_file.texts_of_list(project.get("disabledMcpServers"))
        servers += [raw_server(name, entry, off, Path(path)) for name, entry in _entries(document, project)]
    off_elsewhere = frozenset(
        (Path(path) / ".mcp.json", name)
        for path, project in projects
        for name in config_file.texts_of_list(project.get(_OFF_IN_PROJECT))
    )
    return config_file.RawConfig(
        tuple(servers), inputs={}, bare_dollar=_is_gemini(value), disables=off_elsewhere
    )


def raw_server(
    name: str, entry: object, off: frozenset[str] = frozenset(), project: Path | None = None
) -> config_file.RawServer:
    """One entry in the common spelling of these clients.

    Their `timeout` is for calls and comes in seconds or milliseconds, so it is left alone.
    """
    if not isinstance(entry, Mapping):
        return config_file.RawServer(name, unusable="its entry is not an object")
    url_key, implied = next((pair for pair in _URL_KEYS if entry.get(pair[0])), ("url", None))
    transport = next((entry[key] for key in _TYPE_KEYS if entry.get(key)), None)
    remote = entry.get("command") is None
    return config_file.RawServer(
        name,
        command=entry.get("command"),
        args=entry.get("args"),
        env=entry.get("env"),
        env_file=entry.get("envFile"),
        cwd=entry.get("cwd"),
        url=entry.get(url_key),
        headers=entry.get("headers"),
        transport=transport or (implied if remote else None),
        disabled=config_file.with_environment(entry) or name in off,
        project=project,
        tools=filter_of_entry(entry),
        loaded=entry.get("alwaysLoad") is True or entry.get("deferTools") == "never",
    )


def _entries(document: Document, holder: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    servers = holder.get("mcpServers")
    if isinstance(servers, Mapping):
        yield from ((str(name), entry) for name, entry in servers.items())
    elif isinstance(servers, list):  # Continue writes a list of named entries
        yield from ((str(entry.get("name", "")), entry) for entry in servers if isinstance(entry, Mapping))
    elif servers is not None:
        raise errors.ConfigError("mcpServers must be an object with one entry for each server", document.path)


def _disabled_in(name: str, projects: Iterable[tuple[str, Mapping[str, object]]]) -> tuple[Path, ...]:
    return tuple(
        Path(path)
        for path, project in projects
        if name in config_file.texts_of_list(project.get("disabledMcpServers"))
    )


def _with_environment_by_name(value: Mapping[str, object]) -> frozenset[str]:
    """Apply Gemini's `mcp.excluded` and `mcp.allowed`."""
    settings = value.get("mcp")
    if not isinstance(settings, Mapping):
        return frozenset()
    names = frozenset(name for name, _ in config_file.mappings(value.get("mcpServers")))
    allowed = config_file.texts_of_list(settings.get("allowed"))
    return config_file.texts_of_list(settings.get("excluded")) | (names - allowed if allowed else frozenset())


def _is_gemini(value: Mapping[str, object]) -> bool:
    return any(entry.get("httpUrl") for _, entry in config_file.mappings(value.get("mcpServers")))
