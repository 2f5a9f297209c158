"""Our own `toolbooth.yaml`, strictly: see docs/design/config.md."""

from collections.abc import Mapping
from typing import Any, Final

from toolbooth.catalog.config.answer_caps import AnswerCaps
from toolbooth.catalog.config.document import Document
from toolbooth.catalog.config.formats.registry import config_format
from toolbooth.catalog.config.gateway_settings import OFFERED_SURFACES, gateway_keys
from toolbooth.catalog.config.key_table import (
    COUNT,
    FILLED,
    FLAG,
    SECONDS,
    SECONDS_OR_NEVER,
    TEXT,
    Each,
    Items,
    Key,
    Keys,
    one_of,
)
from toolbooth.catalog.config.raw_server import RawServer, Reading, mappings
from toolbooth.limits import CALL_TIMEOUT, CALLS_AT_ONCE, CONNECT_TIMEOUT, DAEMON_IDLE, IDLE_STOP

SERVER: Final = Keys(
    {
        "command": Key(FILLED, "The program to start, for a server that speaks over stdin and stdout."),
        "args": Key(
            Items(TEXT), "Its arguments. ${VAR} and ${VAR:-default} are filled in, here and everywhere."
        ),
        "env": Key(Each(TEXT), "Environment variables for it, by name."),
        "cwd": Key(FILLED, "The folder it starts in, from this file's folder."),
        "url": Key(FILLED, "The address of a remote server, instead of a command."),
        "headers": Key(Each(TEXT), "HTTP headers for a remote server, such as Authorization."),
        "transport": Key(
            one_of("stdio", "http", "sse", "auto"),
            "How to speak to it. The default is stdio for a command and auto (http, then sse) for a url.",
        ),
        "timeout": Key(SECONDS, f"Seconds to connect and to list its tools (default {CONNECT_TIMEOUT:g})."),
        "call_timeout": Key(SECONDS, f"Seconds that one call may take (default {CALL_TIMEOUT:g})."),
        "concurrency": Key(COUNT, f"Calls at the same time (default {CALLS_AT_ONCE}); more wait their turn."),
        "idle_stop": Key(
            SECONDS_OR_NEVER, "Seconds without a call after which it is stopped until the next; 0 is never."
        ),
        "disabled": Key(FLAG, "true: it is not used."),
    }
)
CAP: Final = Keys(
    {
        "max_bytes": Key(COUNT, "The longest answer in bytes."),
        "limit": Key(COUNT, "The most items that one answer lists."),
    }
)
GATEWAY: Final = Keys(
    {
        "idle_stop": Key(
            SECONDS_OR_NEVER,
            f"Seconds without a call after which a server is stopped (default {IDLE_STOP:g}); 0 is never.",
        ),
        "daemon_idle": Key(
            SECONDS_OR_NEVER,
            f"Seconds without a client after which the shared daemon ends (default {DAEMON_IDLE:g}); 0 is never.",
        ),
        "warm_up": Key(FLAG, "Whether servers are reached before their first call (default true)."),
        "manage_servers": Key(
            FLAG,
            "Whether an agent may register and deregister servers (default false: it only sees their state).",
        ),
    }
)
# Everything that may stand in the file. A later key of Toolbooth is one more row here.
TOP: Final = Keys(
    {
        "servers": Key(Each(SERVER), "The MCP servers, each under its name."),
        "tools": Key(
            Each(CAP), "Caps on answers, by `server.tool`; `*` is allowed. The most exact one counts."
        ),
        "surface": Key(
            one_of(*OFFERED_SURFACES),
            "What clients see: search (three short tools, the default), full, or direct (every tool).",
        ),
        "always_visible": Key(
            Items(FILLED), "Tools that every surface shows as they are: `server.tool`, or a bare unique name."
        ),
        "slim": Key(FLAG, "Whether `direct` shortens schemas without loss (default true)."),
        "gateway": Key(GATEWAY, "How long `toolbooth serve` keeps things running, and what it allows."),
    }
)


def _knows(value: Any) -> bool:
    if not isinstance(value, Mapping) or not value:
        return False
    servers = any({"command", "url"} & entry.keys() for _, entry in mappings(value.get("servers")))
    caps = any(CAP.table.keys() & entry.keys() for _, entry in mappings(value.get("tools")))
    return servers or caps or value == {"servers": {}} or _sets_gateway(value)


def _sets_gateway(value: Mapping[str, Any]) -> bool:
    """Known without a server in it: it has a key that no other client's file has, and no foreign one."""
    return bool({"surface", "always_visible", "gateway"} & value.keys()) and value.keys() <= TOP.table.keys()


@config_format("toolbooth.yaml", _knows, "yaml", stem="toolbooth")
def read_toolbooth_yaml(document: Document) -> Reading:
    """Check every key, then read; relative paths start at the file."""
    TOP.check(document, document.value, ())
    value = document.value or {}
    servers = tuple(_raw_server(name, entry or {}) for name, entry in (value.get("servers") or {}).items())
    caps = AnswerCaps.of(value.get("tools") or {})
    return Reading(
        servers, answer_caps=caps, gateway=gateway_keys(value), base=document.path.absolute().parent
    )


def _raw_server(name: str, entry: Mapping[str, Any]) -> RawServer:
    return RawServer(name, **{**entry, "disabled": entry.get("disabled", False)})
