"""Two small formats: Zed's `context_servers`, and a map of servers with no key around it.

A bare map is how plugins write `.mcp.json` and how people paste one. It is asked last: it knows a file only by
its values.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from toolbooth.catalog.config import config_file, gateway_command
from toolbooth.catalog.config.config_file import Document
from toolbooth.catalog.config.formats.mcp_servers import gateway_entry, raw_server
from toolbooth.catalog.config.formats.registry import config_format


def _is_zed(value: Any) -> bool:
    return isinstance(value, Mapping) and isinstance(value.get("context_servers"), Mapping)


def _zed_entry(launch: gateway_command.GatewayLaunch) -> dict[str, Any]:
    """`source` is what Zed versions of 2025 want in a flat entry; later ones pass over it."""
    started = {"command": launch.command, "args": list(launch.args), "env": {}}
    return {"source": "custom", **started, **launch.most("timeout", usual=60)}


@config_format("Zed settings", _is_zed, section=lambda _value: ("context_servers",), entry=_zed_entry)
def read_zed(document: Document) -> config_file.RawConfig:
    """Read every context server; those of an extension name no command, so they are problems."""
    servers = document.value["context_servers"]
    return config_file.RawConfig(tuple(_zed_server(str(name), entry) for name, entry in servers.items()))


def _zed_server(name: str, entry: object) -> config_file.RawServer:
    if not isinstance(entry, Mapping):
        return raw_server(name, entry)
    nested = entry.get("command")
    if isinstance(nested, Mapping):
        inner = {"command": nested.get("path"), "args": nested.get("args"), "env": nested.get("env")}
        return raw_server(name, {**entry, **inner})
    raw = raw_server(name, entry)
    if entry.get("source") == "extension" or (nested is None and raw.url is None and "settings" in entry):
        return replace(raw, unusable="comes with a Zed extension, so its command is not in this file")
    return raw


def _is_server(entry: object) -> bool:
    return isinstance(entry, Mapping) and any(
        isinstance(entry.get(key), str) for key in ("command", "url", "serverUrl", "httpUrl")
    )


def _is_bare_map(value: Any) -> bool:
    return isinstance(value, Mapping) and bool(value) and all(map(_is_server, value.values()))


@config_format("bare server map", _is_bare_map, section=lambda _value: (), entry=gateway_entry)
def read_bare_map(document: Document) -> config_file.RawConfig:
    """Read every entry as a server."""
    return config_file.RawConfig(
        tuple(raw_server(str(name), entry) for name, entry in document.value.items())
    )
