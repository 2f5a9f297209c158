"""The MCP Inspector, a client that people use, lists and calls through the gateway."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.behaviour.gateway_client import backend, isolated_environ, write_config
from tests.behaviour.servers.samples import SAMPLES
from tests.parts import part


@pytest.fixture
def inspector(npm_node: Path) -> list[str]:
    return [
        str(npm_node / "node"),
        str(part("inspector") / "node_modules" / ".bin" / "mcp-inspector"),
        "--cli",
    ]


def inspect(inspector: list[str], home: Path, surface: str, protocol: str, *words: str) -> Any:
    """What the Inspector prints, started as a person starts it: with the gateway in its config."""
    config = write_config(home, {"talk": backend("both")})
    args = ["-m", "toolbooth", "serve", "--no-daemon", "--surface", surface, "--config", str(config)]
    entry = {"type": "stdio", "command": sys.executable, "args": args, "env": isolated_environ(home)}
    clients = home / "inspector.json"
    clients.write_text(json.dumps({"mcpServers": {"gateway": entry}}), encoding="utf-8")
    command = [
        *inspector,
        "--config",
        str(clients),
        "--server",
        "gateway",
        "--protocol-era",
        protocol,
        *words,
    ]
    environ = {**isolated_environ(home), "MCP_INSPECTOR_SECRET_STORE": "memory"}
    done = subprocess.run(
        command, env=environ, capture_output=True, text=True, timeout=60, cwd=home, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.promise("gateway:inspector")
@pytest.mark.parametrize("protocol", ["legacy", "modern"])
def test_the_inspector_lists_the_menu_and_finds_no_fault_in_its_schemas(
    protocol: str, inspector: list[str], tmp_path: Path
) -> None:
    listed = inspect(inspector, tmp_path, "search", protocol, "--method", "tools/list", "--strict")
    assert [tool["name"] for tool in listed["tools"]] == ["search_tools", "call_tool", "read_result"]


@pytest.mark.promise("gateway:inspector")
@pytest.mark.parametrize("protocol", ["legacy", "modern"])
def test_the_inspector_calls_a_tool_behind_the_gateway(
    protocol: str, inspector: list[str], tmp_path: Path
) -> None:
    words = ["--method", "tools/call", "--tool-name", "call_tool", "--tool-arg", "name=talk.sample"]
    result = inspect(
        inspector, tmp_path, "search", protocol, *words, "--tool-arg", 'arguments={"kind": "structured"}'
    )
    sample = SAMPLES["structured"]
    assert (result["content"], result["structuredContent"]) == (
        sample["content"],
        sample["structuredContent"],
    )


@pytest.mark.promise("gateway:inspector")
def test_the_inspector_calls_a_tool_of_the_direct_surface(inspector: list[str], tmp_path: Path) -> None:
    words = ["--method", "tools/call", "--tool-name", "talk__sample", "--tool-arg", "kind=image"]
    result = inspect(inspector, tmp_path, "direct", "modern", *words)
    assert result["content"] == SAMPLES["image"]["content"]
