"""VS Code: `servers` and `inputs` of an `mcp.json`, or the same under `mcp` in settings and workspaces."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from toolbooth.catalog.config.document import Document
from toolbooth.catalog.config.formats.mcp_servers import raw_server
from toolbooth.catalog.config.formats.registry import config_format
from toolbooth.catalog.config.raw_server import Reading, mappings

_HOLDERS: Final = ((), ("mcp",), ("settings", "mcp"), ("customizations", "vscode", "mcp"))
_TELLTALE_KEYS: Final = frozenset({"command", "url", "type"})


def _holders(value: object) -> Iterator[Mapping[str, Any]]:
    for path in _HOLDERS:
        found = value
        for key in path:
            found = found.get(key) if isinstance(found, Mapping) else None
        if isinstance(found, Mapping) and isinstance(found.get("servers"), Mapping):
            yield found


def _holds_servers(holder: Mapping[str, Any]) -> bool:
    # A catalog may have `servers` too, but its entries have tools, not commands.
    entries = holder["servers"].values()
    return all(isinstance(entry, Mapping) and _TELLTALE_KEYS & entry.keys() for entry in entries)


@config_format("VS Code mcp.json", lambda value: any(map(_holds_servers, _holders(value))), "json")
def read_vscode(document: Document) -> Reading:
    """Read servers from every place where VS Code allows them, with the defaults of their inputs."""
    holders = [holder for holder in _holders(document.value) if _holds_servers(holder)]
    servers = [
        raw_server(str(name), entry) for holder in holders for name, entry in holder["servers"].items()
    ]
    inputs = {key: default for holder in holders for key, default in _inputs(holder.get("inputs"))}
    return Reading(tuple(servers), inputs=inputs)


def _inputs(value: object) -> Iterator[tuple[str, str | None]]:
    listed = dict(enumerate(value)) if isinstance(value, list) else None
    for _, entry in mappings(listed):
        default = entry.get("default")
        yield str(entry.get("id", "")), default if isinstance(default, str) else None
