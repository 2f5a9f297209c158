"""Where a server runs: in the folder of the client that asked, however the gateway is started."""

import json
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.behaviour.command_line import toolbooth
from tests.behaviour.gateway_process import gateway_process
from tests.unit.gateway.daemon.bridges import Client, Home, alive, own_home, until

pytestmark = [
    pytest.mark.skipif(os.name != "posix", reason="Windows has no shared daemon"),
    pytest.mark.promise("daemon:working-folder"),
]
RELATIVE = {"small": {"command": sys.executable, "args": ["server.py", "diary"]}}
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}


@pytest.fixture
def home() -> Iterator[Home]:
    with own_home() as made:
        yield made


def project(home: Home, name: str) -> Path:
    """A folder with a server of its own; `diary` beside it tells that it ran here."""
    folder = home.folder / name
    folder.mkdir()
    shutil.copy(Path(__file__).with_name("small_server.py"), folder / "server.py")
    return folder


def config_in(folder: Path, servers: dict[str, Any], name: str = "servers.json") -> Path:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"mcpServers": servers}))
    return path


def mcp(client: Client, number: int, method: str, params: dict[str, Any]) -> dict[str, Any]:
    client.say({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
    while (answer := client.answer()).get("id") != number:
        assert "method" in answer
    return answer


def opened(home: Home, folder: Path, *words: str, command: list[str] | None = None) -> Client:
    serve = command or [sys.executable, "-m", "toolbooth", "serve"]
    client = home.client(*words, command=serve, cwd=folder)
    mcp(client, 0, "initialize", HELLO)
    client.say({"jsonrpc": "2.0", "method": "notifications/initialized"})
    return client


def call(client: Client, tool: str, number: int = 1, **arguments: str) -> str:
    params = {"name": "call_tool", "arguments": {"name": tool, "arguments": arguments}}
    result = mcp(client, number, "tools/call", params)["result"]
    assert not result.get("isError"), result
    return str(result["content"][0]["text"])


def starts(folder: Path) -> list[str]:
    lines = (folder / "diary").read_text().splitlines()
    return [line.split()[1] for line in lines if line.startswith("start")]


def filesystem(npm_bin: Path, npm_node: Path) -> dict[str, Any]:
    """The public server, as its README has it: it allows the folder that it is started in."""
    path = f"{npm_node}:/usr/bin:/bin"
    return {"fs": {"command": str(npm_bin / "mcp-server-filesystem"), "args": ["."], "env": {"PATH": path}}}


@pytest.mark.parametrize("words", [(), ("--no-daemon",)], ids=["daemon", "no-daemon"])
def test_the_public_filesystem_server_allows_the_clients_folder(
    home: Home, npm_bin: Path, npm_node: Path, words: tuple[str, ...]
) -> None:
    folder = project(home, "project")
    config_in(folder, filesystem(npm_bin, npm_node), ".mcp.json")
    client = opened(home, folder, "--config", ".mcp.json", *words)
    allowed = call(client, "fs.list_allowed_directories").splitlines()[1:]
    assert allowed == [str(folder.resolve())]


@pytest.mark.parametrize("words", [(), ("--no-daemon",)], ids=["daemon", "no-daemon"])
def test_a_relative_script_is_found_in_the_clients_folder(home: Home, words: tuple[str, ...]) -> None:
    folder = project(home, "project")
    client = opened(home, folder, "--config", str(config_in(home.folder, RELATIVE)), *words)
    assert call(client, "small.echo", text="here") == "here"
    assert len(starts(folder)) == 1


def test_clients_share_a_server_within_a_folder_and_not_across(home: Home) -> None:
    config = str(config_in(home.folder, RELATIVE))
    here, there = project(home, "here"), project(home, "there")
    for folder in (here, there, here):
        assert call(opened(home, folder, "--config", config), "small.echo", text=folder.name) == folder.name
    assert (len(starts(here)), len(starts(there))) == (1, 1)
    assert starts(here) != starts(there)
    assert len(home.daemons()) == 1


@pytest.mark.parametrize("cwd", ["tools", "absolute"])
def test_the_folder_of_the_config_wins(home: Home, cwd: str) -> None:
    folder, meant = project(home, "project"), project(home, "project/tools")
    entry = {**RELATIVE["small"], "cwd": str(meant) if cwd == "absolute" else cwd}
    client = opened(home, folder, "--config", str(config_in(home.folder, {"small": entry})))
    assert call(client, "small.echo", text="there") == "there"
    assert len(starts(meant)) == 1
    assert not (folder / "diary").exists()


def test_a_relative_part_of_path_is_the_clients(home: Home) -> None:
    folder = project(home, "project")
    tool = folder / "bin" / "a-server"
    tool.parent.mkdir()
    tool.write_text(f"#!/bin/sh\nexec {sys.executable} server.py diary\n")
    tool.chmod(0o755)
    entry = {"small": {"command": "a-server", "env": {"PATH": "bin:/usr/bin:/bin"}}}
    client = opened(home, folder, "--config", str(config_in(home.folder, entry)))
    assert call(client, "small.echo", text="found") == "found"


def test_a_wrapped_config_of_the_user_keeps_the_folder(home: Home) -> None:
    folder = project(home, "project")
    path = config_in(home.folder, RELATIVE, ".cursor/mcp.json")
    assert toolbooth("wrap", "cursor", home=home.folder, XDG_RUNTIME_DIR=str(home.folder)).code == 0
    entry = json.loads(path.read_text())["mcpServers"]["toolbooth"]
    client = opened(home, folder, command=[entry["command"], *entry["args"]])
    assert call(client, "small.echo", text="wrapped") == "wrapped"
    assert len(starts(folder)) == 1


@pytest.mark.promise("daemon:forgets")
def test_after_unwrap_the_daemon_forgets_what_no_client_uses(home: Home) -> None:
    folder = project(home, "project")
    path = config_in(home.folder, RELATIVE, ".cursor/mcp.json")

    def run(*words: str) -> Any:
        return toolbooth(*words, home=home.folder, XDG_RUNTIME_DIR=str(home.folder))

    assert run("wrap", "cursor", "--surface", "search").code == 0
    entry = json.loads(path.read_text())["mcpServers"]["toolbooth"]
    first, second = (opened(home, folder, command=[entry["command"], *entry["args"]]) for _ in range(2))
    assert call(first, "small.echo", text="x") == "x"
    (server,) = map(int, starts(folder))
    assert first.leave() == 0
    assert run("unwrap", "cursor").code == 0
    assert call(second, "small.echo", text="still served") == "still served"
    assert second.leave() == 0
    until(lambda: run("daemon", "status", "--json").json["gateways"] == [], "the gateway is forgotten")
    until(lambda: not alive(server), "its server ends")


def test_over_http_it_is_the_folder_of_the_gateway(tmp_path: Path) -> None:
    shutil.copy(Path(__file__).with_name("small_server.py"), tmp_path / "server.py")
    with gateway_process(tmp_path, "--config", config_in(tmp_path, RELATIVE)) as gateway:
        assert gateway.client().call("small.echo", "over HTTP").text == "over HTTP"
    assert len(starts(tmp_path)) == 1


def test_a_folder_that_is_gone_is_said(home: Home) -> None:
    entry = {**RELATIVE["small"], "cwd": "gone"}
    client = opened(home, project(home, "project"), "--config", str(config_in(home.folder, {"small": entry})))
    params = {"name": "call_tool", "arguments": {"name": "small.echo", "arguments": {"text": "x"}}}
    assert "does not exist" in json.dumps(mcp(client, 1, "tools/call", params))
