"""Configs are told apart from catalogs and other files."""

import json
from typing import Any

import pytest
from tests.catalogs import FILES
from tests.unit.catalog.config.conftest import Read

from toolbooth.catalog.config import looks_like_config
from toolbooth.errors import ConfigError


@pytest.mark.parametrize(
    "value",
    [
        {"mcpServers": {}},
        {"projects": {"/a": {"mcpServers": {}}}},
        {"servers": {"a": {"command": "x"}}},
        {"mcp": {"servers": {"a": {"url": "https://x"}}}},
        {"mcp_servers": {"a": {"command": "x"}}},
        {"context_servers": {}},
        {"tools": {"a.*": {"max_bytes": 1}}},
        {"a": {"command": "x"}},
    ],
)
def test_configs_look_like_configs(value: Any) -> None:
    assert looks_like_config(value)


@pytest.mark.parametrize(
    "value",
    [
        {},
        [],
        None,
        "x",
        {"tools": []},
        {"tools": [{"name": "a", "inputSchema": {"type": "object"}}]},
        {"result": {"tools": []}, "jsonrpc": "2.0"},
        {"servers": {"a": {"tools": []}}},
        {"servers": [{"name": "a", "tools": []}]},
        {"server": "x", "package": "y", "tools": []},
        [{"name": "a"}],
        {"mcp": {"allowed": []}},
        {"editor.fontSize": 12},
    ],
)
def test_catalogs_and_other_files_do_not(value: Any) -> None:
    assert not looks_like_config(value)


def test_no_recorded_catalog_looks_like_a_config() -> None:
    assert not [path.name for path in FILES if looks_like_config(json.loads(path.read_bytes()))]


@pytest.mark.parametrize("text", ['{"tools": []}', "[]", '{"a": 1}', "3"])
def test_a_file_without_servers_says_what_was_looked_for(read: Read, text: str) -> None:
    with pytest.raises(ConfigError, match="looked for mcpServers, servers, mcp_servers and context_servers"):
        read("x.json", text)
