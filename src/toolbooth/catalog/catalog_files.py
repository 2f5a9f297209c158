"""Reading catalog files of every known shape, without starting a server.

The shapes are: our own snapshot; a `tools/list` answer, bare or in its JSON-RPC envelope; a recorded server
(`{server, tools}`); a map of names to tools; a retrieval corpus (`{version, tools: [{tool_id, server, tool, …}]}`);
and a bare list of tools, in the notation of `tools/list` or of a model provider's API.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from toolbooth import errors
from toolbooth.catalog.snapshot import is_snapshot, read_snapshot
from toolbooth.catalog.tool import Catalog, ServerTools, sort_entries

ABOUT: Final = ("title", "version", "protocol", "instructions")
_WHY: Final = "it failed when this corpus was recorded, so the corpus is incomplete"


def notes_on_servers(document: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """Title, version, protocol and instructions by server; empty for a corpus of another origin."""
    return {
        entry["server"]: {key: entry[key] for key in ABOUT if isinstance(entry.get(key), str)}
        for entry in _entries(document, "servers")
        if isinstance(entry, Mapping) and isinstance(entry.get("server"), str)
    }


def missing_servers(document: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """The servers that are missing from a corpus, each with the reason."""
    return tuple((name, _WHY) for name in _entries(document, "missing") if isinstance(name, str))


def _entries(document: Mapping[str, Any], key: str) -> list[Any]:
    origin = document.get("generated_from")
    found = origin.get(key) if isinstance(origin, Mapping) else None
    return found if isinstance(found, list) else []


_KEPT = ("description", "outputSchema", "annotations", "title")
# Keys of configs: a file with one of them, at its top or one level below, configures servers.
_OF_SERVERS = frozenset(
    {"mcpServers", "servers", "mcp_servers", "context_servers", "command", "url", "serverUrl", "httpUrl"}
)
_SCHEMA_KEYS = ("inputSchema", "input_schema", "schema", "parameters")


def looks_like_catalog(document: object) -> bool:
    """Whether a parsed file contains tools, and not servers to start."""
    return is_snapshot(document) or _tool_list(document) is not None


def read_catalog(document: Any, path: Path) -> Catalog:
    """Read a parsed catalog file; if it names no server, the file's name is used."""
    if is_snapshot(document):
        return read_snapshot(document, path)
    entries = _tool_list(document)
    if entries is None:
        raise errors.ConfigError("is not a catalog: it has no list of tools", path)
    about = document if isinstance(document, Mapping) else {}
    named = about.get("server")
    home = named if isinstance(named, str) and named else path.name.removesuffix(".json")
    by_server: dict[str, list[Any]] = {} if entries else {home: []}
    described: dict[str, str] = {}
    for entry in entries:
        corpus = entry if isinstance(entry, Mapping) and "tool" in entry else {}
        server = str(corpus.get("server") or home).replace(".", "_")
        by_server.setdefault(server, []).append(_as_raw(entry))
        if isinstance(corpus.get("server_description"), str):
            described.setdefault(server, corpus["server_description"])
    instructions = about.get("instructions")
    said = instructions if isinstance(instructions, str) and len(by_server) == 1 else None
    noted = notes_on_servers(about)
    common: dict[str, Any] = {"instructions": said}
    return Catalog(
        tuple(
            sort_entries(
                name,
                tools,
                **common | {"description": described.get(name, "")} | noted.get(name, {}),
            )
            for name, tools in by_server.items()
        ),
        missing_servers(about),
    )


def _tool_list(document: object) -> list[Any] | None:
    if isinstance(document, Mapping):
        inner = document.get("result")
        found = (inner if isinstance(inner, Mapping) else document).get("tools")
        return found if isinstance(found, list) else _mapped_tools(document)
    if not isinstance(document, list):
        return None
    named = any(isinstance(entry, Mapping) and "name" in _function(entry) for entry in document)
    return document if named or not document else None


def _mapped_tools(document: Mapping[str, Any]) -> list[Any] | None:
    """The tools of `{name: tool}`: all have a description or an input schema, one has a schema, none is a server."""
    entries = list(document.values())
    schemas = [_has_schema(entry) for entry in entries]
    fits = all(has or _is_described(entry) for entry, has in zip(entries, schemas, strict=True))
    if not any(schemas) or not fits or any(map(_OF_SERVERS.intersection, (document, *entries))):
        return None
    return [{"name": name, **entry} for name, entry in document.items()]


def _has_schema(entry: object) -> bool:
    return isinstance(entry, Mapping) and any(isinstance(entry.get(key), Mapping) for key in _SCHEMA_KEYS[:2])


def _is_described(entry: object) -> bool:
    return isinstance(entry, Mapping) and isinstance(entry.get("description"), str)


def _function(entry: Mapping[str, Any]) -> Mapping[str, Any]:
    inner = entry.get("function")
    return inner if isinstance(inner, Mapping) else entry


def _as_raw(entry: Any) -> Any:
    """Give a corpus entry, or a tool in a model provider's shape, the names that `tools/list` uses."""
    if not isinstance(entry, Mapping) or "inputSchema" in entry:
        return entry
    entry = _function(entry)
    raw = {key: entry[key] for key in _KEPT if key in entry}
    raw["name"] = entry.get("tool", entry.get("name"))
    schema = next((entry[key] for key in _SCHEMA_KEYS if key in entry), None)
    return raw if schema is None else {**raw, "inputSchema": schema}


def uniquely_named(
    recorded: Iterable[ServerTools], taken: set[str], notes: list[str]
) -> Iterable[ServerTools]:
    """Saved catalogs with unique server names; `notes` receives a line for each new name."""
    for server in recorded:
        name, number = server.server, 2
        while name in taken:
            name, number = f"{server.server}-{number}", number + 1
        taken.add(name)
        if name != server.server:
            notes.append(f"a second catalog of {server.server} is called {name} here")
            tools = tuple(replace(tool, server=name) for tool in server.tools)
            aside = tuple(replace(entry, server=name) for entry in server.set_aside)
            server = replace(server, server=name, tools=tools, set_aside=aside)
        yield server
