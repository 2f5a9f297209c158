"""Our own `toolbooth.yaml`, read strictly, and its JSON Schema for editors: see docs/design/config.md.

The reader and the schema use the same tables of keys, so they cannot disagree.
"""

from collections.abc import Mapping
from typing import Any, Final

from toolbooth.catalog.config.config_file import RawConfig, RawServer, mappings
from toolbooth.catalog.config.document import Document
from toolbooth.catalog.config.formats.registry import config_format
from toolbooth.catalog.config.gateway_settings import (
    ENFORCEMENT_MODES,
    LOCK_FILE,
    OFFERED_SURFACES,
    AnswerCaps,
    gateway_keys,
)
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
    Switch,
    WordOrKeys,
    one_of,
)
from toolbooth.limits import (
    CALL_TIMEOUT,
    CALLS_AT_ONCE,
    CHUNK_BYTES,
    CHUNK_OVER,
    CODE_CALLS,
    CODE_SECONDS,
    COLLAPSE_OVER,
    CONNECT_TIMEOUT,
    DAEMON_IDLE,
    IDLE_STOP,
    INTENT_OVER,
    REDUCE_OVER,
    SHOWN_ANSWER,
)

SERVER_KEYS: Final = Keys(
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
REDUCE_KEYS: Final = Keys(
    {
        "over": Key(COUNT, f"Bytes of an answer above which it is looked at (default {REDUCE_OVER})."),
        "compact": Key(FLAG, "JSON without its blanks (default true)."),
        "blobs": Key(FLAG, "Long encoded data (base64) stays behind (default true)."),
        "intent": Key(
            FLAG, "Where a call says its intent, what does not bear on it stays behind (default true)."
        ),
        "intent_over": Key(COUNT, f"Bytes above which that is done (default {INTENT_OVER})."),
        "collapse": Key(FLAG, "Of many items with the same keys the first few are shown (default true)."),
        "collapse_over": Key(COUNT, f"How many of them are shown in full (default {COLLAPSE_OVER})."),
        "chunks": Key(FLAG, "Of long JSON an outline and the most relevant parts (default true)."),
        "chunk_over": Key(COUNT, f"Bytes of JSON above which that is done (default {CHUNK_OVER})."),
        "chunk_bytes": Key(COUNT, f"The size of such a part (default {CHUNK_BYTES})."),
        "truncate": Key(FLAG, "Of what is still too long, the head and the tail (default true)."),
        "max_bytes": Key(COUNT, f"Bytes above which that is done (default {SHOWN_ANSWER})."),
        "metadata": Key(FLAG, "A line that says what was saved, and the ref (default true)."),
    }
)
CAP_KEYS: Final = Keys(
    {
        "max_bytes": Key(COUNT, "The longest answer in bytes: no call can ask for more."),
        "limit": Key(COUNT, "The most items that one answer lists."),
        "reduce": Key(Switch(REDUCE_KEYS), "How its answers are cut: false is not at all."),
    }
)
GATEWAY_KEYS: Final = Keys(
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
        "code_timeout": Key(
            SECONDS, f"Seconds that one run of code may take, its calls included (default {CODE_SECONDS:g})."
        ),
        "code_calls": Key(COUNT, f"Calls of tools that one run of code may make (default {CODE_CALLS})."),
    }
)
CONTRACTS_KEYS: Final = Keys(
    {
        "mode": Key(one_of(*ENFORCEMENT_MODES), "enforce (the default of this map), warn or off."),
        "lock": Key(FILLED, f"The lock, from this file's folder (default `{LOCK_FILE}` beside this file)."),
        "verify_key": Key(FILLED, "The public key that must have signed it: a file, or `env:NAME`."),
    }
)
# Everything that may stand in the file. A later key of Toolbooth is one more row here.
TOP_KEYS: Final = Keys(
    {
        "servers": Key(Each(SERVER_KEYS), "The MCP servers, each under its name."),
        "tools": Key(
            Each(CAP_KEYS),
            "Caps on answers, and how they are cut, by `server.tool`; `*` is allowed. The most exact counts.",
        ),
        "surface": Key(
            one_of(*OFFERED_SURFACES),
            "What clients see: search (three short tools, the default), full, code (Python that the model writes "
            "calls the tools), or direct (every tool).",
        ),
        "always_visible": Key(
            Items(FILLED), "Tools that every surface shows as they are: `server.tool`, or a bare unique name."
        ),
        "reduce": Key(
            Switch(REDUCE_KEYS), "How answers are cut to what an agent needs; false is not at all."
        ),
        "slim": Key(FLAG, "Whether `direct` shortens schemas without loss (default true)."),
        "scripts": Key(
            FILLED,
            "The folder of saved scripts, from this file's folder (default `scripts` beside your own toolbooth.yaml).",
        ),
        "contracts": Key(
            WordOrKeys(one_of(*ENFORCEMENT_MODES), CONTRACTS_KEYS),
            "Whether servers are held to a lock: enforce (a tool that is new or changed since it was locked is "
            "neither found nor called), warn (it is only said), or off (the default).",
        ),
        "gateway": Key(GATEWAY_KEYS, "How long `toolbooth serve` keeps things running, and what it allows."),
    }
)


def _knows(value: Any) -> bool:
    if not isinstance(value, Mapping) or not value:
        return False
    servers = any({"command", "url"} & entry.keys() for _, entry in mappings(value.get("servers")))
    caps = any(CAP_KEYS.table.keys() & entry.keys() for _, entry in mappings(value.get("tools")))
    return servers or caps or value == {"servers": {}} or _sets_gateway(value)


def _sets_gateway(value: Mapping[str, Any]) -> bool:
    """Known without a server in it: it has a key that no other client's file has, and no foreign one."""
    return (
        bool({"surface", "always_visible", "gateway", "reduce", "scripts", "contracts"} & value.keys())
        and value.keys() <= TOP_KEYS.table.keys()
    )


@config_format("toolbooth.yaml", _knows, "yaml", stem="toolbooth")
def read_toolbooth_yaml(document: Document) -> RawConfig:
    """Check every key, then read; relative paths start at the file."""
    TOP_KEYS.check(document, document.value, ())
    value = document.value or {}
    servers = tuple(_raw_server(name, entry or {}) for name, entry in (value.get("servers") or {}).items())
    caps = AnswerCaps.of(value.get("tools") or {})
    return RawConfig(
        servers, answer_caps=caps, gateway=gateway_keys(value), base=document.path.absolute().parent
    )


def _raw_server(name: str, entry: Mapping[str, Any]) -> RawServer:
    return RawServer(name, **{**entry, "disabled": entry.get("disabled", False)})


def config_schema() -> dict[str, Any]:
    """Made from the same tables that the reader checks with, so the two cannot disagree."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "toolbooth.yaml",
        "description": "MCP servers, caps on their answers, and how the Toolbooth gateway behaves.",
        **TOP_KEYS.schema(),
    }
