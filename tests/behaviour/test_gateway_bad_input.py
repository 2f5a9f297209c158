"""What is no message on stdin is answered as JSON-RPC wants it, and the next message finds a gateway that works."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest


def answers(tmp_path: Path, *lines: bytes) -> list[Any]:
    """What the gateway answers to these lines and a ping after them."""
    weather = {"command": sys.executable, "args": ["-m", "toolbooth.demo", "weather"]}
    (tmp_path / "mcp.json").write_text(json.dumps({"mcpServers": {"weather": weather}}))
    environ = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "XDG_CACHE_HOME": str(tmp_path)}
    command = [
        sys.executable,
        "-m",
        "toolbooth",
        "serve",
        "--no-daemon",
        "--config",
        str(tmp_path / "mcp.json"),
    ]
    ping = b'{"jsonrpc":"2.0","id":"last","method":"ping"}'
    done = subprocess.run(
        command,
        input=b"\n".join([*lines, ping]) + b"\n",
        capture_output=True,
        env=environ,
        timeout=60,
        check=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.promise("gateway:bad-input")
@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"{oops", -32700),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","x":NaN}', -32700),
        (b"[]", -32600),
        (b"5", -32600),
        (b'"hello"', -32600),
        (b'{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600),
        (b'{"hello":"world"}', -32600),
    ],
)
def test_what_is_no_message_is_refused_and_the_gateway_goes_on(
    tmp_path: Path, line: bytes, code: int
) -> None:
    refused, pong = answers(tmp_path, line)
    assert refused["error"]["code"] == code
    assert (pong["id"], pong["result"]) == ("last", {})


@pytest.mark.promise("gateway:bad-input")
def test_blank_lines_are_no_messages(tmp_path: Path) -> None:
    assert [each["id"] for each in answers(tmp_path, b"", b"   ")] == ["last"]


@pytest.mark.promise("gateway:one-shot")
def test_what_is_piped_in_at_once_is_answered_before_the_end(tmp_path: Path) -> None:
    """`printf … | toolbooth serve`: the client is gone from stdin before its handshake is read."""
    client = {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "sh", "version": "1"},
    }
    wanted = {"name": "call_tool", "arguments": {"name": "weather.list_stations"}}
    asked = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": client},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": wanted},
    ]
    answered = {
        each["id"]: each for each in answers(tmp_path, *(json.dumps(each).encode() for each in asked))
    }
    assert answered.keys() == {1, 2, "last"}
    assert answered[2]["result"]["content"][0]["text"]
    assert not answered[2]["result"].get("isError")
