"""Zed: the `context_servers` of its settings, flat or with the older nested `command`."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from toolbooth.catalog.config.document import Document
from toolbooth.catalog.config.formats.mcp_servers import raw_server
from toolbooth.catalog.config.formats.registry import config_format
from toolbooth.catalog.config.launch import Launch
from toolbooth.catalog.config.raw_server import RawServer, Reading


def _knows(value: Any) -> bool:
    return isinstance(value, Mapping) and isinstance(value.get("context_servers"), Mapping)


def _entry(launch: Launch) -> dict[str, Any]:
    """`source` is what Zed versions of 2025 want in a flat entry; later ones pass over it."""
    started = {"command": launch.command, "args": list(launch.args), "env": {}}
    return {"source": "custom", **started, **launch.most("timeout", usual=60)}


@config_format("Zed settings", _knows, section=lambda _value: ("context_servers",), entry=_entry)
def read_zed(document: Document) -> Reading:
    """Read every context server; those of an extension name no command, so they are problems."""
    servers = document.value["context_servers"]
    return Reading(tuple(_raw_server(str(name), entry) for name, entry in servers.items()))


def _raw_server(name: str, entry: object) -> RawServer:
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
