"""A catalog file of any known shape is read without being told which."""

from pathlib import Path
from typing import Any

import pytest

from toolbooth.catalog import Catalog, decode, looks_like_catalog, read_catalog, snapshot_bytes, sort_entries
from toolbooth.errors import ConfigError

SCHEMA = {"type": "object", "properties": {"q": {"type": "string"}}}
RAW = {"name": "find", "description": "Finds.", "inputSchema": SCHEMA}
ENTRY = {"tool_id": "x:find", "server": "x", "tool": "find", "description": "Finds.", "schema": SCHEMA}
FUNCTION = {"name": "find", "description": "Finds.", "parameters": SCHEMA}
SHAPES: dict[str, Any] = {
    "tools/list result": {"tools": [RAW]},
    "json-rpc envelope": {"jsonrpc": "2.0", "id": 1, "result": {"tools": [RAW]}},
    "recorded server": {"server": "x", "tools": [RAW]},
    "bare list": [RAW],
    "corpus": {"version": 2, "tools": [ENTRY]},
    "map of tools": {"find": {"description": "Finds.", "inputSchema": SCHEMA}},
    "anthropic": [{"name": "find", "description": "Finds.", "input_schema": SCHEMA}],
    "openai": [{"type": "function", "function": FUNCTION}],
}


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_gives_the_same_tool(shape: str) -> None:
    assert looks_like_catalog(SHAPES[shape])
    (tool,) = read_catalog(SHAPES[shape], Path("x.json"))
    assert (tool.id, tool.description, tool.input_schema) == ("x.find", "Finds.", SCHEMA)


@pytest.mark.parametrize(
    "other",
    [
        {"mcpServers": {}},
        {"servers": {}},
        [],
        {"tools": {"a.b": {}}},
        7,
        None,
        "x",
        [1, 2],
        {},
        {"a": {"command": "x", "description": "A server.", "inputSchema": {}}},
        {"a": {"url": "https://x", "description": "A server."}},
        {"mcpServers": {"inputSchema": {"command": "x"}, "description": {"command": "y"}}},
        {"a": {"description": "A property.", "type": "string"}},
        {"a": {"description": "Finds.", "inputSchema": SCHEMA}, "b": 1},
    ],
)
def test_configs_and_other_files_are_no_catalogs(other: Any) -> None:
    assert looks_like_catalog(other) == (other == [])


def test_a_server_without_tools_is_still_a_server() -> None:
    (server,) = read_catalog({"server": "empty", "tools": []}, Path("e.json")).servers
    assert (server.server, server.tools) == ("empty", ())


def test_a_malformed_entry_is_set_aside() -> None:
    catalog = read_catalog({"tools": [{"name": "ok"}, {"nome": "bad"}]}, Path("x.json"))
    assert [tool.id for tool in catalog] == ["x.ok"]
    assert [entry.reason for entry in catalog.set_aside] == ["an entry has no name"]


def test_a_corpus_is_split_by_server() -> None:
    entries = [{"server": name, "tool": "t", "description": ""} for name in ("a", "b", "a.b")]
    assert [server.server for server in read_catalog({"tools": entries}, Path("c.json")).servers] == [
        "a",
        "b",
        "a_b",
    ]


def test_a_snapshot_is_read_back_and_its_bytes_are_stable() -> None:
    catalog = read_catalog(SHAPES["recorded server"] | {"instructions": "Be kind."}, Path("x.json"))
    saved = snapshot_bytes(catalog)
    again = read_catalog(decode(saved), Path("any.json"))
    assert again.fingerprint == catalog.fingerprint
    assert again.servers[0].instructions == "Be kind."
    assert snapshot_bytes(again) == saved


def test_an_edited_snapshot_is_refused() -> None:
    saved = snapshot_bytes(read_catalog(SHAPES["bare list"], Path("x.json")))
    with pytest.raises(ConfigError, match="fingerprint"):
        read_catalog(decode(saved.replace(b"Finds.", b"Sends.")), Path("c.json"))


def test_a_snapshot_of_the_future_is_refused() -> None:
    with pytest.raises(ConfigError, match="format 99"):
        read_catalog({"format": "toolbooth-catalog", "version": 99}, Path("c.json"))


@pytest.mark.parametrize(
    "damage",
    [
        {"servers": 5},
        {"servers": {"a": 1}},
        {"servers": [5]},
        {"servers": [{"server": "a", "tools": {}}]},
        {"servers": [{"server": "a", "tools": [], "set_aside": 5}]},
        {"servers": [{"server": "a", "tools": [], "set_aside": [{"name": 1}]}]},
        {"missing": "x"},
        {"missing": [{"where": "a"}]},
    ],
)
def test_a_damaged_snapshot_is_refused(damage: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match=r"damaged|no list of tools"):
        read_catalog({"format": "toolbooth-catalog", "version": 1, **damage}, Path("c.json"))


def test_a_snapshot_keeps_what_was_set_aside_and_what_was_missing() -> None:
    entries = [{"name": "ok"}, {"nome": "bad"}, {"name": "ok"}]
    server = sort_entries("x", entries, cut="its cursor never ends", protocol="2025-06-18")
    catalog = Catalog((server,))
    saved = snapshot_bytes(catalog, [("gone", "was not found")])
    again = read_catalog(decode(saved), Path("c.json"))
    assert again.servers == (server,)
    assert again.missing == (("gone", "was not found"),)
    assert again.fingerprint == catalog.fingerprint
    assert snapshot_bytes(again) == saved


def test_an_old_snapshot_without_these_keys_is_still_read() -> None:
    saved = decode(snapshot_bytes(Catalog((sort_entries("x", [RAW]),))))
    assert saved.keys() == {"format", "version", "fingerprint", "servers"}
    assert saved["servers"][0].keys() == {"server", "tools"}
    assert len(read_catalog(saved, Path("c.json"))) == 1


def test_what_a_corpus_says_of_a_server_is_kept() -> None:
    (server,) = read_catalog(
        {"tools": [ENTRY | {"server_description": "Finds it all."}]}, Path("c.json")
    ).servers
    assert server.description == "Finds it all."
    assert server.instructions is None


def test_what_a_recorded_corpus_tells_of_its_servers_is_kept() -> None:
    origin = {
        "servers": [{"server": "x", "title": "X", "version": "1.2", "package": "x@1.2"}],
        "missing": ["y"],
    }
    catalog = read_catalog({"version": "v1", "generated_from": origin, "tools": [ENTRY]}, Path("c.json"))
    (server,) = catalog.servers
    assert (server.title, server.version, server.protocol) == ("X", "1.2", "")
    assert [name for name, _ in catalog.missing] == ["y"]


@pytest.mark.parametrize(
    "origin", [None, "a script", [], {"servers": 1, "missing": [3]}, {"servers": [7, {}]}]
)
def test_any_other_note_on_its_origin_is_no_problem(origin: Any) -> None:
    catalog = read_catalog({"generated_from": origin, "tools": [ENTRY]}, Path("c.json"))
    assert (len(catalog), catalog.missing) == (1, ())
