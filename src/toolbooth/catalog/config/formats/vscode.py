"""VS Code: `servers` and `inputs` of an `mcp.json`, or the same under `mcp` in settings and workspaces."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from toolbooth.catalog.config import config_file, gateway_command
from toolbooth.catalog.config.config_file import Document
from toolbooth.catalog.config.formats.mcp_servers import raw_server
from toolbooth.catalog.config.formats.registry import config_format

_HOLDERS: Final = ((), ("mcp",), ("settings", "mcp"), ("customizations", "vscode", "mcp"))
_TELLTALE_KEYS: Final = frozenset({"command", "url", "type"})


def _holders(value: object) -> Iterator[Mapping[str, Any]]:
    return (holder for path in _HOLDERS if (holder := _holder(value, path)) is not None)


def _holder(value: object, path: tuple[str, ...]) -> Mapping[str, Any] | None:
    for key in path:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value if isinstance(value, Mapping) and isinstance(value.get("servers"), Mapping) else None


def _holds_servers(holder: Mapping[str, Any]) -> bool:
    # A catalog may have `servers` too, but its entries have tools, not commands.
    entries = holder["servers"].values()
    return all(isinstance(entry, Mapping) and _TELLTALE_KEYS & entry.keys() for entry in entries)


def _section(value: Any) -> tuple[str, ...] | None:
    """The first place that holds servers, and not just an empty map."""
    found = [path for path in _HOLDERS if (holder := _holder(value, path)) and _holds_servers(holder)]
    filled = [path for path in found if (holder := _holder(value, path)) and holder["servers"]]
    return next(((*path, "servers") for path in (*filled, *found)), None)


def _entry(launch: gateway_command.GatewayLaunch) -> dict[str, Any]:
    return {"type": "stdio", "command": launch.command, "args": list(launch.args)}


@config_format(
    "VS Code mcp.json",
    lambda value: any(map(_holds_servers, _holders(value))),
    "json",
    section=_section,
    entry=_entry,
)
def read_vscode(document: Document) -> config_file.RawConfig:
    """Read servers from every place where VS Code allows them, with the defaults of their inputs."""
    holders = [holder for holder in _holders(document.value) if _holds_servers(holder)]
    servers = [
        raw_server(str(name), entry) for holder in holders for name, entry in holder["servers"].items()
    ]
    inputs = {key: default for holder in holders for key, default in _inputs(holder.get("inputs"))}
    return config_file.RawConfig(tuple(servers), inputs=inputs)


def _inputs(value: object) -> Iterator[tuple[str, str | None]]:
    listed = dict(enumerate(value)) if isinstance(value, list) else None
    for _, entry in config_file.mappings(listed):
        default = entry.get("default")
        yield str(entry.get("id", "")), default if isinstance(default, str) else None
