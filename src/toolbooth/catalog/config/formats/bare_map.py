"""A map of servers with no key around it, as plugins write `.mcp.json` and people paste it."""

from collections.abc import Mapping
from typing import Any

from toolbooth.catalog.config.document import Document
from toolbooth.catalog.config.formats.mcp_servers import gateway_entry, raw_server
from toolbooth.catalog.config.formats.registry import config_format
from toolbooth.catalog.config.raw_server import Reading


def _is_server(entry: object) -> bool:
    return isinstance(entry, Mapping) and any(
        isinstance(entry.get(key), str) for key in ("command", "url", "serverUrl", "httpUrl")
    )


def _knows(value: Any) -> bool:
    return isinstance(value, Mapping) and bool(value) and all(map(_is_server, value.values()))


@config_format("bare server map", _knows, section=lambda _value: (), entry=gateway_entry)
def read_bare_map(document: Document) -> Reading:
    """Read every entry as a server."""
    return Reading(tuple(raw_server(str(name), entry) for name, entry in document.value.items()))
