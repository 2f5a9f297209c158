"""Our own `toolbooth.yaml`, read strictly, and its JSON Schema for editors: see docs/design/config.md.

The reader and the schema use the same tables of keys, so they cannot disagree.
"""

from collections.abc import Mapping
from typing import Any, Final

from toolbooth import limits
from toolbooth.catalog.config import config_file, gateway_settings, key_table
from toolbooth.catalog.config.config_file import Document
from toolbooth.catalog.config.formats.registry import config_format

SERVER_KEYS: Final = key_table.Keys(
    {
        "command": key_table.Key(
            key_table.FILLED, "The program to start, for a server that speaks over stdin and stdout."
        ),
        "args": key_table.Key(
            key_table.Items(key_table.TEXT),
            "Its arguments. ${VAR} and ${VAR:-default} are filled in, here and everywhere.",
        ),
        "env": key_table.Key(key_table.Each(key_table.TEXT), "Environment variables for it, by name."),
        "cwd": key_table.Key(key_table.FILLED, "The folder it starts in, from this file's folder."),
        "url": key_table.Key(key_table.FILLED, "The address of a remote server, instead of a command."),
        "headers": key_table.Key(
            key_table.Each(key_table.TEXT), "HTTP headers for a remote server, such as Authorization."
        ),
        "transport": key_table.Key(
            key_table.one_of("stdio", "http", "sse", "auto"),
            "How to speak to it. The default is stdio for a command and auto (http, then sse) for a url.",
        ),
        "timeout": key_table.Key(
            key_table.SECONDS,
            f"Seconds to connect and to list its tools (default {limits.CONNECT_TIMEOUT:g}).",
        ),
        "call_timeout": key_table.Key(
            key_table.SECONDS, f"Seconds that one call may take (default {limits.CALL_TIMEOUT:g})."
        ),
        "concurrency": key_table.Key(
            key_table.COUNT, f"Calls at the same time (default {limits.CALLS_AT_ONCE}); more wait their turn."
        ),
        "idle_stop": key_table.Key(
            key_table.SECONDS_OR_NEVER,
            "Seconds without a call after which it is stopped until the next; 0 is never.",
        ),
        "disabled": key_table.Key(key_table.FLAG, "true: it is not used."),
    }
)
REDUCE_KEYS: Final = key_table.Keys(
    {
        "over": key_table.Key(
            key_table.COUNT, f"Bytes of an answer above which it is looked at (default {limits.REDUCE_OVER})."
        ),
        "compact": key_table.Key(key_table.FLAG, "JSON without its blanks (default true)."),
        "blobs": key_table.Key(key_table.FLAG, "Long encoded data (base64) stays behind (default true)."),
        "intent": key_table.Key(
            key_table.FLAG,
            "Where a call says its intent, what does not bear on it stays behind (default true).",
        ),
        "intent_over": key_table.Key(
            key_table.COUNT, f"Bytes above which that is done (default {limits.INTENT_OVER})."
        ),
        "collapse": key_table.Key(
            key_table.FLAG, "Of many items with the same keys the first few are shown (default true)."
        ),
        "collapse_over": key_table.Key(
            key_table.COUNT, f"How many of them are shown in full (default {limits.COLLAPSE_OVER})."
        ),
        "chunks": key_table.Key(
            key_table.FLAG, "Of long JSON an outline and the most relevant parts (default true)."
        ),
        "chunk_over": key_table.Key(
            key_table.COUNT, f"Bytes of JSON above which that is done (default {limits.CHUNK_OVER})."
        ),
        "chunk_bytes": key_table.Key(
            key_table.COUNT, f"The size of such a part (default {limits.CHUNK_BYTES})."
        ),
        "truncate": key_table.Key(
            key_table.FLAG, "Of what is still too long, the head and the tail (default true)."
        ),
        "max_bytes": key_table.Key(
            key_table.COUNT, f"Bytes above which that is done (default {limits.SHOWN_ANSWER})."
        ),
        "metadata": key_table.Key(
            key_table.FLAG, "A line that says what was saved, and the ref (default true)."
        ),
    }
)
CAP_KEYS: Final = key_table.Keys(
    {
        "max_bytes": key_table.Key(key_table.COUNT, "The longest answer in bytes: no call can ask for more."),
        "limit": key_table.Key(key_table.COUNT, "The most items that one answer lists."),
        "reduce": key_table.Key(
            key_table.Switch(REDUCE_KEYS), "How its answers are cut: false is not at all."
        ),
    }
)
GATEWAY_KEYS: Final = key_table.Keys(
    {
        "idle_stop": key_table.Key(
            key_table.SECONDS_OR_NEVER,
            f"Seconds without a call after which a server is stopped (default {limits.IDLE_STOP:g}); 0 is never.",
        ),
        "daemon_idle": key_table.Key(
            key_table.SECONDS_OR_NEVER,
            f"Seconds without a client after which the shared daemon ends (default {limits.DAEMON_IDLE:g}); 0 "
            "is never.",
        ),
        "warm_up": key_table.Key(
            key_table.FLAG, "Whether servers are reached before their first call (default true)."
        ),
        "manage_servers": key_table.Key(
            key_table.FLAG,
            "Whether an agent may register and deregister servers (default false: it only sees their state).",
        ),
        "code_timeout": key_table.Key(
            key_table.SECONDS,
            f"Seconds that one run of code may take, its calls included (default {limits.CODE_SECONDS:g}).",
        ),
        "code_calls": key_table.Key(
            key_table.COUNT, f"Calls of tools that one run of code may make (default {limits.CODE_CALLS})."
        ),
        "approvals": key_table.Key(
            key_table.one_of("together", "split"),
            "split: call_tool is three tools, for tools that only read, that write and that destroy, so that a client "
            "can allow the first and ask for the others (default together).",
        ),
        "ledger": key_table.Key(
            key_table.one_of("on", "off"),
            "Whether each call gets a row with its sizes and outcome, for `toolbooth stats` (default on).",
        ),
    }
)
CONTRACTS_KEYS: Final = key_table.Keys(
    {
        "mode": key_table.Key(
            key_table.one_of(*gateway_settings.ENFORCEMENT_MODES),
            "enforce (the default of this map), warn or off.",
        ),
        "lock": key_table.Key(
            key_table.FILLED,
            f"The lock, from this file's folder (default `{gateway_settings.LOCK_FILE}` beside this file).",
        ),
        "verify_key": key_table.Key(
            key_table.FILLED, "The public key that must have signed it: a file, or `env:NAME`."
        ),
    }
)
# Everything that may stand in the file. A later key of Toolbooth is one more row here.
TOP_KEYS: Final = key_table.Keys(
    {
        "servers": key_table.Key(key_table.Each(SERVER_KEYS), "The MCP servers, each under its name."),
        "tools": key_table.Key(
            key_table.Each(CAP_KEYS),
            "Caps on answers, and how they are cut, by `server.tool`; `*` is allowed. The most exact counts.",
        ),
        "surface": key_table.Key(
            key_table.one_of(*gateway_settings.SURFACE_NAMES),
            "What clients see: search (three short tools, the default), full, code (Python that the model writes "
            "calls the tools), direct (every tool), or auto (direct or search, for each client).",
        ),
        "always_visible": key_table.Key(
            key_table.Items(key_table.FILLED),
            "Tools that every surface shows as they are: `server.tool`, or a bare unique name.",
        ),
        "reduce": key_table.Key(
            key_table.Switch(REDUCE_KEYS), "How answers are cut to what an agent needs; false is not at all."
        ),
        "slim": key_table.Key(
            key_table.FLAG, "Whether `direct` shortens schemas without loss (default true)."
        ),
        "scripts": key_table.Key(
            key_table.FILLED,
            "The folder of saved scripts, from this file's folder (default `scripts` beside your own toolbooth.yaml).",
        ),
        "contracts": key_table.Key(
            key_table.WordOrKeys(key_table.one_of(*gateway_settings.ENFORCEMENT_MODES), CONTRACTS_KEYS),
            "Whether servers are held to a lock: enforce (a tool that is new or changed since it was locked is "
            "neither found nor called), warn (it is only said), or off (the default).",
        ),
        "gateway": key_table.Key(
            GATEWAY_KEYS, "How long `toolbooth serve` keeps things running, and what it allows."
        ),
    }
)


def _knows(value: Any) -> bool:
    if not isinstance(value, Mapping) or not value:
        return False
    servers = any(
        {"command", "url"} & entry.keys() for _, entry in config_file.mappings(value.get("servers"))
    )
    caps = any(CAP_KEYS.table.keys() & entry.keys() for _, entry in config_file.mappings(value.get("tools")))
    return servers or caps or value == {"servers": {}} or _sets_gateway(value)


def _sets_gateway(value: Mapping[str, Any]) -> bool:
    """Known without a server in it: it has a key that no other client's file has, and no foreign one."""
    return (
        bool({"surface", "always_visible", "gateway", "reduce", "scripts", "contracts"} & value.keys())
        and value.keys() <= TOP_KEYS.table.keys()
    )


@config_format("toolbooth.yaml", _knows, "yaml", stem="toolbooth")
def read_toolbooth_yaml(document: Document) -> config_file.RawConfig:
    """Check every key, then read; relative paths start at the file."""
    TOP_KEYS.check(document, document.value, ())
    value = document.value or {}
    servers = tuple(_raw_server(name, entry or {}) for name, entry in (value.get("servers") or {}).items())
    caps = gateway_settings.AnswerCaps.of(value.get("tools") or {})
    return config_file.RawConfig(
        servers,
        answer_caps=caps,
        gateway=gateway_settings.gateway_keys(value),
        base=document.path.absolute().parent,
    )


def _raw_server(name: str, entry: Mapping[str, Any]) -> config_file.RawServer:
    return config_file.RawServer(name, **{**entry, "disabled": entry.get("disabled", False)})


def config_schema() -> dict[str, Any]:
    """Made from the same tables that the reader checks with, so the two cannot disagree."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "toolbooth.yaml",
        "description": "MCP servers, caps on their answers, and how the Toolbooth gateway behaves.",
        **TOP_KEYS.schema(),
    }
