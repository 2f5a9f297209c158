"""Configs are told from catalogs and other files."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.unit.catalog.config.conftest import Read

from toolbooth.catalog.config import looks_like_config
from toolbooth.errors import ConfigError

CATALOGS = Path(__file__).parents[6] / "shared" / "data" / "catalogs"


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


@pytest.mark.skipif(not CATALOGS.is_dir(), reason="the shared corpus is not beside this checkout")
def test_no_public_catalog_looks_like_a_config() -> None:
    assert not [
        path.name for path in CATALOGS.glob("*.json") if looks_like_config(json.loads(path.read_bytes()))
    ]


@pytest.mark.parametrize("text", ['{"tools": []}', "[]", '{"a": 1}', "3"])
def test_a_file_without_servers_says_what_was_looked_for(read: Read, text: str) -> None:
    with pytest.raises(ConfigError, match="looked for mcpServers, servers, mcp_servers and context_servers"):
        read("x.json", text)
