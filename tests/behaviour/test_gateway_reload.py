"""A config is edited, and a gateway restarted, while clients are at work."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.behaviour.gateway_process import (
    HELLO,
    GatewayProcess,
    SteeredServer,
    alive,
    gateway_process,
    isolated_environ,
    message,
    parts,
    read,
    send,
    stateless_request,
    through_menu,
    until,
    write_config,
)
from toolbooth.gateway.cached_offer import CachedOffer, UnreadableOffer, as_bytes, from_bytes
from toolbooth.store import STATE_FILE, open_state

CHANGED = b"notifications/tools/list_changed"


class Workspace:
    """A folder with a config, and steered servers that it may name."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.one, self.two, self.three = (SteeredServer.at(home / name) for name in ("one", "two", "three"))

    @property
    def json(self) -> Path:
        return self.home / "servers.json"

    def name(self, **servers: SteeredServer) -> Path:
        return write_config(self.json, {name: each.entry for name, each in servers.items()})

    def yaml(self, text: str = "", **servers: SteeredServer) -> Path:
        path = self.home / "toolbooth.yaml"
        named = {name: each.entry for name, each in servers.items()}
        path.write_text(f"{text}\nservers: {json.dumps(named)}\n")
        return path

    @contextmanager
    def serving(self, config: Path) -> Iterator[GatewayProcess]:
        with gateway_process(self.home, "--no-key", "--config", config) as gateway:
            yield gateway


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path)


def servers(gateway: GatewayProcess) -> list[str]:
    return [each["server"] for each in gateway.state["gateways"][0]["servers"]]


def source_errors(gateway: GatewayProcess) -> list[str]:
    return list(gateway.state["gateways"][0]["source_errors"])


@pytest.mark.promise("reload:servers")
def test_servers_come_change_and_go_while_calls_of_others_run_on(workspace: Workspace) -> None:
    with workspace.serving(workspace.name(one=workspace.one, two=workspace.two)) as gateway:
        client, watcher = gateway.client(), gateway.client("/mcp/direct")
        assert {"one__echo", "two__echo"} <= set(watcher.menu())
        call = gateway.connect()
        body = message("tools/call", through_menu("one.wait", "go"))
        send(call, "POST", "/mcp", body, client.headers)
        until(lambda: "wait go" in workspace.one.notes("heard"), "the call is there")
        with watcher.listening() as stream:
            (workspace.three.folder / "tools").write_text("fly swim")
            workspace.name(one=workspace.one, two=workspace.three, four=workspace.two)
            assert any(CHANGED in part for part in parts(stream))
        until(lambda: "two__fly" in watcher.menu(), "the changed server's tools are there")
        menu = set(watcher.menu())
        assert {"one__echo", "two__swim", "four__echo"} <= menu
        assert "two__echo" not in menu
        assert client.call("two.fly", "x").text == "fly says x"
        assert "two.swim" in client.find("swim")
        until(lambda: not alive(workspace.two.pids[0]), "the old process of the changed server ends")
        workspace.name(one=workspace.one)
        until(lambda: servers(gateway) == ["one"], "the others are gone")
        until(
            lambda: not any(map(alive, (*workspace.two.pids, *workspace.three.pids))),
            "and so are their processes",
        )
        workspace.one.sign("go")
        assert read(call).text == "wait says go"
        assert len(workspace.one.pids) == 1


@pytest.mark.promise("reload:broken")
def test_a_broken_edit_changes_nothing_and_is_said_until_it_is_mended(workspace: Workspace) -> None:
    config = workspace.yaml("surface: search", one=workspace.one)
    with workspace.serving(config) as gateway:
        client = gateway.client()
        assert client.call("one.echo", "before").text == "echo says before"
        config.write_text("surface: [search\nservers: {}\n")
        until(lambda: source_errors(gateway), "the problem is reported")
        assert f"{config}:" in source_errors(gateway)[0]
        config.write_text("surface: [search\nservers: {}\n# still wrong\n")
        config.unlink()
        until(lambda: "no such file" in source_errors(gateway)[0].lower(), "that it is gone is said")
        assert servers(gateway) == ["one"]
        assert client.call("one.echo", "meanwhile").text == "echo says meanwhile"
        assert gateway.client().call("one.echo", "a new client").text == "echo says a new client"
        workspace.yaml("surface: search", one=workspace.one, two=workspace.two)
        until(lambda: servers(gateway) == ["one", "two"], "mended, it takes effect")
        assert source_errors(gateway) == []
        assert len(workspace.one.pids) == 1
        said = [line for line in gateway.said if str(config) in line]
        assert len(said) == len(set(said))
        assert len(said) in (2, 3)


@pytest.mark.promise("reload:broken")
def test_an_entry_that_cannot_be_used_holds_up_no_other(workspace: Workspace) -> None:
    """From the start, or by an edit: then the server goes on as it was."""
    entries: dict[str, Any] = {
        "one": workspace.one.entry,
        "bad": {"command": "x", "env": {"A": "${NOT_SET_AT_ALL}"}},
    }
    with workspace.serving(write_config(workspace.json, entries)) as gateway:
        assert "NOT_SET_AT_ALL" in source_errors(gateway)[0]
        entries["two"] = workspace.two.entry
        write_config(workspace.json, entries)
        until(lambda: "two" in servers(gateway), "the new server is there")
        entries["one"] = {**entries["one"], "cwd": "${NOT_SET_EITHER}"}
        write_config(workspace.json, entries)
        until(lambda: len(source_errors(gateway)) == 2, "both problems are reported")
        assert set(servers(gateway)) == {"one", "two"}
        assert gateway.client().call("one.echo", "still").text == "echo says still"


@pytest.mark.promise("reload:settings")
def test_settings_take_effect_and_a_session_keeps_its_surface(workspace: Workspace) -> None:
    with workspace.serving(
        workspace.yaml("surface: search", one=workspace.one, two=workspace.two)
    ) as gateway:
        old = gateway.client()
        assert len(old.call("one.long", "x").text) > 10_000
        workspace.yaml(
            "surface: full\nalways_visible: [two.echo]\ntools: {'one.*': {max_bytes: 2000}}",
            one=workspace.one,
            two=workspace.two,
        )
        until(lambda: "two__echo" in gateway.client().menu(), "the pinned tool is there")
        assert "manage_servers" in gateway.client().menu()
        assert set(old.menu()) == {"search_tools", "call_tool", "read_result", "two__echo"}
        assert len(old.call("one.long", "x").text) < 3000
        pinned = gateway.client().ask("tools/call", {"name": "two__echo", "arguments": {"text": "hi"}})
        assert pinned.text == "echo says hi"


@pytest.mark.promise("cache:first")
def test_a_known_catalog_is_served_before_any_server_is_up_and_made_anew_when_it_is(
    workspace: Workspace,
) -> None:
    config = workspace.name(one=workspace.one, two=workspace.two)
    with workspace.serving(config) as gateway:
        assert "one__echo" in gateway.client("/mcp/direct").menu()
        assert gateway.client().call("two.echo", "counted").text == "echo says counted"
    workspace.one.sign("hold")
    (workspace.one.folder / "tools").write_text("echo added")
    with workspace.serving(config) as gateway:
        client = gateway.client("/mcp/direct")
        assert {"one__echo", "two__echo"} <= set(client.menu())
        assert "one.echo(text)" in gateway.client().find("one.echo")
        asked = gateway.connect()
        send(asked, "POST", "/mcp/direct", *call_of("one__echo", "waits"))
        until(lambda: len(workspace.one.pids) == 2, "only a call starts the server")
        (workspace.one.folder / "hold").unlink()
        assert read(asked).text == "echo says waits"
        until(lambda: "one__added" in client.menu(), "what changed is offered")
    with closing(open_state(next(workspace.home.rglob(STATE_FILE)).parent)) as state:
        assert state.usage.counts() == {"one.echo": 1, "two.echo": 1}


def call_of(name: str, text: str) -> tuple[dict[str, Any], dict[str, str]]:
    return stateless_request("tools/call", {"name": name, "arguments": {"text": text}})


@pytest.mark.promise("cache:damaged")
def test_a_damaged_cache_is_said_once_and_made_anew(workspace: Workspace) -> None:
    config = workspace.name(one=workspace.one)
    with workspace.serving(config) as gateway:
        gateway.client("/mcp/direct").menu()
        until(lambda: list(workspace.home.rglob("*.server")), "the catalog is kept")
    (kept,) = workspace.home.rglob("*.server")
    kept.write_bytes(kept.read_bytes()[:-40])
    assert not is_whole(kept)
    with workspace.serving(config) as gateway:
        assert "one__echo" in gateway.client("/mcp/direct").menu()
        assert gateway.state["notes"] == ["the cache of one is damaged; it is written again"]
        assert sum("is damaged" in line for line in gateway.said) == 1
        until(lambda: is_whole(kept), "it is written again")


@pytest.mark.promise("cache:index")
def test_sessions_that_only_list_leave_an_index_of_every_server(workspace: Workspace) -> None:
    config = workspace.name(one=workspace.one, two=workspace.two, three=workspace.three)
    for _session in range(3):
        listed_once(config, workspace.home)
    assert [bool(each.index) for each in kept_offers(workspace)] == [True] * 3


@pytest.mark.promise("cache:index")
def test_an_entry_that_has_no_index_gets_one_although_its_server_is_not_started(workspace: Workspace) -> None:
    config = workspace.name(one=workspace.one)
    listed_once(config, workspace.home)
    (kept,) = workspace.home.rglob("*.server")
    kept.write_bytes(as_bytes(replace(from_bytes(kept.read_bytes(), "one"), index=None)))
    listed_once(config, workspace.home)
    assert len(workspace.one.pids) == 1
    assert from_bytes(kept.read_bytes(), "one").index


def listed_once(config: Path, home: Path) -> None:
    """A session over stdio that lists the tools and ends at once."""
    asked = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO["params"]},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
    ]
    subprocess.run(
        [
            sys.executable,
            "-m",
            "toolbooth",
            "serve",
            "--no-daemon",
            "--surface",
            "direct",
            "--config",
            str(config),
        ],
        input="".join(f"{json.dumps(each)}\n" for each in asked),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
        env=isolated_environ(home),
    )


def kept_offers(workspace: Workspace) -> list[CachedOffer]:
    return [from_bytes(path.read_bytes(), "any") for path in workspace.home.rglob("*.server")]


def is_whole(kept: Path) -> bool:
    try:
        return bool(from_bytes(kept.read_bytes(), "one").offered.tools)
    except UnreadableOffer:
        return False
