"""Codex: the `[mcp_servers.name]` tables of `config.toml`."""

from collections.abc import Iterator, Mapping
from typing import Any

from toolbooth.catalog.config import config_file, gateway_command
from toolbooth.catalog.config.config_file import Document
from toolbooth.catalog.config.formats.registry import config_format
from toolbooth.catalog.tool_filter import filter_of_entry


def _entry(launch: gateway_command.GatewayLaunch) -> dict[str, Any]:
    """Codex hands on only a few variables, so those that the moved servers want are named."""
    started: dict[str, Any] = {"command": launch.command, "args": list(launch.args)}
    wanted = {name for table in launch.moved.values() for name in _wanted(table)}
    return (
        started | ({"env_vars": sorted(wanted)} if wanted else {}) | launch.most("tool_timeout_sec", usual=60)
    )


def _wanted(table: Mapping[str, Any]) -> Iterator[str]:
    yield from _forwarded(table.get("env_vars"))
    named = table.get("env_http_headers")
    yield from (
        name for name in (named.values() if isinstance(named, Mapping) else ()) if isinstance(name, str)
    )
    if isinstance(token := table.get("bearer_token_env_var"), str):
        yield token


@config_format(
    "Codex config",
    lambda value: isinstance(value, Mapping) and _tables(value) is not None,
    section=lambda _value: ("mcp_servers",),
    entry=_entry,
)
def read_codex(document: Document) -> config_file.RawConfig:
    """Read every table."""
    tables = _tables(document.value) or {}
    return config_file.RawConfig(tuple(_raw_server(str(name), table) for name, table in tables.items()))


def _tables(value: Mapping[str, Any]) -> Mapping[str, object] | None:
    tables = value.get("mcp_servers")
    return tables if isinstance(tables, Mapping) else None


def _raw_server(name: str, table: object) -> config_file.RawServer:
    if not isinstance(table, Mapping):
        return config_file.RawServer(name, unusable="its entry is not a table")
    return config_file.RawServer(
        name,
        command=table.get("command"),
        args=table.get("args"),
        env=table.get("env"),
        forward=tuple(_forwarded(table.get("env_vars"))),
        cwd=table.get("cwd"),
        url=table.get("url"),
        headers=_headers(table),
        transport="http" if table.get("url") and not table.get("command") else None,
        timeout=_startup_seconds(table),
        call_timeout=table.get("tool_timeout_sec"),
        disabled=config_file.with_environment(table),
        tools=filter_of_entry(table),
        loaded="deferred" in config_file.texts_of_list(table.get("omit_tools_from")),
    )


def _headers(table: Mapping[str, Any]) -> object:
    """Literal headers, and those that Codex takes from the environment, as variables."""
    literal = table.get("http_headers")
    if literal is not None and not isinstance(literal, Mapping):
        return literal
    named = table.get("env_http_headers")
    from_environment = dict(named) if isinstance(named, Mapping) else {}
    headers = dict(literal or {}) | {key: f"${{env:{name}}}" for key, name in from_environment.items()}
    if token := table.get("bearer_token_env_var"):
        headers["Authorization"] = f"Bearer ${{env:{token}}}"
    return headers


def _forwarded(names: object) -> list[str]:
    listed = names if isinstance(names, list) else []
    found = [item.get("name") if isinstance(item, Mapping) else item for item in listed]
    return [name for name in found if isinstance(name, str)]


def _startup_seconds(table: Mapping[str, Any]) -> object:
    milliseconds = table.get("startup_timeout_ms")
    if "startup_timeout_sec" in table or not isinstance(milliseconds, int | float):
        return table.get("startup_timeout_sec")
    return milliseconds / 1000
