"""The surface `auto` as clients meet it: on stdio with and without the daemon, over HTTP, and after a restart."""

import json
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.behaviour.command_line import CommandResult, toolbooth
from tests.behaviour.gateway_client import GatewayClient, connected
from tests.behaviour.gateway_process import (
    HELLO,
    SessionClient,
    SteeredServer,
    gateway_process,
    stateless_request,
    until,
    write_config,
)
from tests.unit.gateway.daemon.bridges import own_home

CLIENTS = [("claude-code", "2.1.197"), ("codex-mcp-client", "0.169.0"), ("somebody", "1")]
THREE = {"search_tools", "call_tool", "read_result"}
TOOLS = {"one__echo", "two__echo"}
HEAVY = {f"report_{number}": "Makes one of many reports. " * 20 for number in range(20)}


class Place:
    """Two servers whose tools a gateway in `home` knows from an earlier session; `one` is heavy if the test says so."""

    def __init__(self, home: Path, *, heavy: bool) -> None:
        self.home = home
        self.one, self.two = SteeredServer.at(home / "one"), SteeredServer.at(home / "two")
        self.one.offer("echo", **(HEAVY if heavy else {}))
        self.two.offer("echo")
        self.entries = {"one": self.one.entry, "two": self.two.entry}
        self.config = write_config(home / "clients.json", self.entries)

    def seen(self) -> "Place":
        with connected(self.home, {}, "direct", config=self.config) as client:
            assert len(menu(client)) >= 2
        return self

    def grow(self) -> None:
        """From now on what is known of the tools is heavy: another process has called one of them."""
        self.one.offer("echo", **HEAVY)
        with connected(self.home, {}, "direct", config=self.config) as client:
            client.result("tools/call", {"name": "one__echo", "arguments": {"text": "starts it"}})
            until(lambda: "one__report_7" in menu(client), "its new tools are listed")

    @contextmanager
    def client(self, name: str = "somebody", version: str = "1", **more: Any) -> Iterator[GatewayClient]:
        surface = more.pop("surface", "auto")
        with connected(
            self.home, {}, surface, name=name, version=version, config=self.config, **more
        ) as client:
            yield client


@pytest.fixture
def home() -> Iterator[Path]:
    with own_home() as made:
        yield made.folder


def menu(client: GatewayClient) -> set[str]:
    return {each["name"] for each in client.result("tools/list")["tools"]}


def greeting(client: GatewayClient) -> str:
    [hello] = [each["result"] for each in client.heard if "instructions" in each.get("result", {})]
    return str(hello["instructions"])


@pytest.mark.promise("auto:rule")
@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("heavy", [False, True])
def test_every_client_gets_the_surface_that_suits_its_tools(home: Path, *, heavy: bool, shared: bool) -> None:
    place = Place(home, heavy=heavy).seen()
    try:
        for (name, version), protocol in zip(CLIENTS, ("old", "new", "old"), strict=True):
            with place.client(name, version, protocol=protocol, daemon=shared) as client:
                assert menu(client) >= (THREE if heavy else TOOLS), name
                assert ("search_tools" in greeting(client)) == heavy
                call = {"name": "one.echo", "arguments": {"text": "hi"}}
                params = {"name": "call_tool", "arguments": call} if heavy else {**call, "name": "one__echo"}
                assert "echo says hi" in json.dumps(client.result("tools/call", params))
                overview = client.result("resources/read", {"uri": "toolbooth://overview"})
                assert ("search_tools" in json.dumps(overview)) == heavy
    finally:
        daemon(home, "stop")


@pytest.mark.promise("auto:rule")
def test_a_client_that_cannot_be_told_to_load_three_tools_gets_the_real_ones(home: Path) -> None:
    place = Place(home, heavy=True).seen()
    with place.client("claude-code", "2.1.100") as client:
        assert menu(client) >= TOOLS
    with place.client("claude-code", "2.1.197") as client:
        assert menu(client) == THREE


@pytest.mark.promise("auto:waits")
@pytest.mark.parametrize("protocol", ["old", "new"])
def test_nothing_waits_for_a_server_that_was_never_seen(home: Path, protocol: str) -> None:
    place = Place(home, heavy=False)
    place.one.sign("hold")
    with place.client(protocol=protocol) as client:
        assert menu(client) == THREE
        (place.one.folder / "hold").unlink()
        call = {"name": "call_tool", "arguments": {"name": "one.echo", "arguments": {"text": "hi"}}}
        assert "echo says hi" in json.dumps(client.result("tools/call", call))
        assert menu(client) == THREE
    with place.client(protocol=protocol) as client:
        assert menu(client) == TOOLS


@pytest.mark.promise("auto:kept")
@pytest.mark.parametrize("protocol", ["old", "new"])
def test_a_session_keeps_its_surface_while_its_tools_grow(home: Path, protocol: str) -> None:
    place = Place(home, heavy=False).seen()
    with place.client(protocol=protocol) as client:
        first = client.result("tools/list")
        place.one.offer("echo", **HEAVY)
        client.result("tools/call", {"name": "one__echo", "arguments": {"text": "starts it"}})
        until(lambda: "one__report_7" in menu(client), "its new tools are listed")
        assert not menu(client) & THREE
    with place.client(protocol=protocol) as client:
        assert menu(client) == THREE
    assert len(first["tools"]) == 2


@pytest.mark.promise("auto:kept")
@pytest.mark.skipif(os.name != "posix", reason="Windows has no shared daemon")
@pytest.mark.parametrize("protocol", ["old", "new"])
def test_another_daemon_goes_on_with_the_surface_that_the_client_had(home: Path, protocol: str) -> None:
    place = Place(home, heavy=False).seen()
    try:
        with place.client(protocol=protocol, daemon=True) as client:
            assert menu(client) == TOOLS
            place.grow()
            os.kill(daemon(home, "status", "--json").json["pid"], signal.SIGKILL)
            assert menu(client) >= TOOLS
            assert "echo says hi" in json.dumps(
                client.result("tools/call", {"name": "two__echo", "arguments": {"text": "hi"}})
            )
        with place.client(protocol=protocol, daemon=True) as client:
            assert menu(client) == THREE
    finally:
        daemon(home, "stop")


@pytest.mark.promise("auto:same")
def test_the_same_client_and_tools_get_the_same_bytes(home: Path) -> None:
    place = Place(home, heavy=False).seen()
    lists = []
    for name in ("somebody", "codex-mcp-client", "somebody"):
        with place.client(name) as client:
            lists.append(json.dumps([greeting(client), client.result("tools/list")]))
    assert len(set(lists)) == 1


@pytest.mark.promise("auto:fixed")
def test_a_fixed_choice_wins(home: Path) -> None:
    place = Place(home, heavy=False).seen()
    with place.client(surface="search") as client:
        assert menu(client) == THREE
    ours = place.home / "toolbooth.yaml"
    ours.write_text(json.dumps({"servers": place.entries, "surface": "auto"}))
    with gateway_process(home, "--config", ours) as gateway:
        assert set(gateway.client().menu()) == TOOLS
        assert set(gateway.client("/mcp/search").menu()) == THREE
    with gateway_process(home, "--config", ours, "--surface", "search") as gateway:
        assert set(gateway.client().menu()) == THREE
        assert set(gateway.client("/mcp/auto").menu()) == TOOLS


@pytest.mark.promise("auto:rule")
@pytest.mark.parametrize("heavy", [False, True])
def test_over_http_both_protocol_versions_get_it(
    home: Path, monkeypatch: pytest.MonkeyPatch, *, heavy: bool
) -> None:
    place = Place(home, heavy=heavy).seen()
    wanted = THREE if heavy else TOOLS
    with gateway_process(home, "--config", place.config, "--surface", "auto") as gateway:
        for name, version in (*CLIENTS, ("claude-code", "2.1.100")):
            real = TOOLS if version == "2.1.100" else wanted  # that one defers whatever it is told
            monkeypatch.setitem(HELLO["params"], "clientInfo", {"name": name, "version": version})
            client = SessionClient(gateway, "/mcp")
            assert set(client.menu()) >= real
            assert ("search_tools" in client.welcome["instructions"]) == (real == THREE)
            for method in ("server/discover", "tools/list"):
                body, headers = stateless_request(method)
                body["params"]["_meta"]["io.modelcontextprotocol/clientInfo"] = {
                    "name": name,
                    "version": version,
                }
                answer = gateway.request("POST", "/mcp", body, **headers).json["result"]
                if method == "tools/list":
                    assert {tool["name"] for tool in answer["tools"]} >= real
                else:
                    assert ("search_tools" in answer["instructions"]) == (real == THREE)


def daemon(home: Path, *words: str) -> CommandResult:
    """With the folders of `isolated_environ`, or it would be another daemon."""
    at = str(home)
    return toolbooth(
        "daemon",
        *words,
        home=home,
        XDG_CACHE_HOME=at,
        XDG_CONFIG_HOME=at,
        XDG_DATA_HOME=at,
        XDG_RUNTIME_DIR=at,
        XDG_STATE_HOME=at,
    )
