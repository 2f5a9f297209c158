"""Our own `toolbooth.yaml`, strictly: see docs/design/config.md."""

from collections.abc import Mapping
from typing import Any, Final

from toolbooth.catalog.config.answer_caps import AnswerCaps
from toolbooth.catalog.config.document import Document
from toolbooth.catalog.config.formats.registry import config_format
from toolbooth.catalog.config.key_table import COUNT, FILLED, FLAG, SECONDS, TEXT, Each, Items, Keys, one_of
from toolbooth.catalog.config.raw_server import RawServer, Reading, mappings

SERVER: Final = Keys(
    {
        "command": FILLED,
        "args": Items(TEXT),
        "env": Each(TEXT),
        "cwd": FILLED,
        "url": FILLED,
        "headers": Each(TEXT),
        "transport": one_of("stdio", "http", "sse", "auto"),
        "timeout": SECONDS,
        "disabled": FLAG,
    }
)
CAP: Final = Keys({"max_bytes": COUNT, "limit": COUNT})
# Everything that may stand in the file. A later key of Toolbooth is one more row here.
TOP: Final = Keys({"servers": Each(SERVER), "tools": Each(CAP)})


def _knows(value: Any) -> bool:
    if not isinstance(value, Mapping) or not value:
        return False
    servers = any({"command", "url"} & entry.keys() for _, entry in mappings(value.get("servers")))
    caps = any(CAP.table.keys() & entry.keys() for _, entry in mappings(value.get("tools")))
    return servers or caps or value == {"servers": {}}


@config_format("toolbooth.yaml", _knows, "yaml", stem="toolbooth")
def read_toolbooth_yaml(document: Document) -> Reading:
    """Check every key, then read; relative paths start at the file."""
    TOP.check(document, document.value, ())
    value = document.value or {}
    servers = tuple(_raw_server(name, entry or {}) for name, entry in (value.get("servers") or {}).items())
    caps = AnswerCaps.of(value.get("tools") or {})
    return Reading(servers, answer_caps=caps, base=document.path.absolute().parent)


def _raw_server(name: str, entry: Mapping[str, Any]) -> RawServer:
    return RawServer(name, **{**entry, "disabled": entry.get("disabled", False)})
