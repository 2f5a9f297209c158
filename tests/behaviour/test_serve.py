"""`toolbooth serve` on the command line: keys, ports, no config at all, and how it ends."""

import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.behaviour.command_line import toolbooth
from tests.behaviour.gateway_process import (
    HELLO,
    PATIENCE,
    GatewayProcess,
    SteeredServer,
    alive,
    gateway_process,
    isolated_environ,
    message,
    read,
    send,
    stateless_request,
    through_menu,
    until,
    write_config,
)
from tests.unit.gateway.daemon.bridges import Client


@pytest.fixture
def steered(tmp_path: Path) -> SteeredServer:
    return SteeredServer.at(tmp_path / "steered")


@pytest.fixture
def config(tmp_path: Path, steered: SteeredServer) -> Path:
    return write_config(tmp_path / "servers.json", {"one": steered.entry})


def wrong(home: Path, *words: str | Path, **environ: str) -> str:
    """The one line of a call that cannot be."""
    said = toolbooth("serve", *words, home=home, cwd=None, **environ)
    assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
    return said.err


# -- the key -----------------------------------------------------------------------------------------------
@pytest.mark.promise("serve-http:key")
def test_a_key_of_a_variable_counts_and_is_not_shown(config: Path, tmp_path: Path) -> None:
    words = ["--config", str(config), "--key-env", "MINE"]
    with gateway_process(tmp_path, *words, MINE=" my-kéy-from-a-file\n", TOOLBOOTH_KEY="another") as gateway:
        assert gateway.key is None
        header = "Bearer my-kéy-from-a-file".encode().decode("latin-1")
        assert gateway.request("GET", "/health").body == '{"status":"ok"}'
        assert gateway.request("POST", "/mcp", message("ping")).status == 401
        assert "gateways" in gateway.request("GET", "/health", authorization=header).json
        gateway.ends(signal.SIGTERM)
        assert "from-a-file" not in "".join(gateway.said)


@pytest.mark.promise("serve-http:key")
@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "example.com"])  # noqa: S104
def test_only_this_machine_is_served_without_a_key(host: str, tmp_path: Path) -> None:
    assert "--no-key allows only this machine; use a key" in wrong(
        tmp_path, "--http", "--no-key", "--host", host
    )


def test_a_blank_key_is_none(config: Path, tmp_path: Path) -> None:
    said = wrong(tmp_path, "--http", "--port", "0", "--config", config, "--key-env", "MINE", MINE=" \n")
    assert "the key is blank" in said


@pytest.mark.promise("serve-http:keys")
@pytest.mark.parametrize(
    ("second", "said"),
    [
        (
            {"SECOND": "the-key-of-them-all "},
            "FIRST and SECOND hold the same key; give each client a key of its own",
        ),
        ({"SECOND": "short"}, "the key in SECOND is shorter than 16 characters"),
        ({}, "the variable SECOND is empty; set it to the key"),
    ],
)
def test_each_of_several_keys_is_a_key_of_its_own(second: dict[str, str], said: str, tmp_path: Path) -> None:
    words = ("--http", "--port", "0", "--key-env", "FIRST", "--key-env", "SECOND")
    assert said in wrong(tmp_path, *words, FIRST="the-key-of-them-all", **second)


# -- the port ----------------------------------------------------------------------------------------------
@pytest.mark.promise("serve-http:port")
def test_a_port_in_use_is_one_line_and_starts_no_server(
    config: Path, tmp_path: Path, steered: SteeredServer
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        said = wrong(tmp_path, "--http", "--port", port, "--config", config)
    assert f"cannot listen on 127.0.0.1:{port} (address already in use); choose another with --port" in said
    assert steered.pids == []


def test_an_ipv6_address_is_served_under_its_name(config: Path, tmp_path: Path) -> None:
    if not has_ipv6():
        pytest.skip("no IPv6 here")
    with gateway_process(tmp_path, "--config", config, "--host", "::1") as gateway:
        assert f"http://[::1]:{gateway.port}/mcp" in gateway.said[0]
        with socket.create_connection(("::1", gateway.port), PATIENCE) as peer:
            peer.sendall(f"GET /health HTTP/1.1\r\nHost: [::1]:{gateway.port}\r\n\r\n".encode())
            assert peer.recv(100).startswith(b"HTTP/1.1 200")


def has_ipv6() -> bool:
    try:
        with socket.create_server(("::1", 0), family=socket.AF_INET6):
            return True
    except OSError:
        return False


# -- the config --------------------------------------------------------------------------------------------
@pytest.mark.promise("serve:no-config")
def test_without_any_config_or_key_it_starts_and_says_what_to_do(tmp_path: Path) -> None:
    with gateway_process(tmp_path, "--no-key") as gateway:
        assert gateway.key is None
        client = gateway.client()
        assert "No MCP server is configured" in client.welcome["instructions"]
        assert "toolbooth.yaml" in client.welcome["instructions"]
        assert client.menu() == ["search_tools", "call_tool", "read_result"]
        assert "No MCP server is configured" in client.find("anything")


def test_a_named_config_that_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    said = wrong(tmp_path, "--http", "--port", "0", "--config", tmp_path / "gone.json")
    assert str(tmp_path / "gone.json") in said


# -- the end -----------------------------------------------------------------------------------------------
@pytest.mark.promise("serve-http:graceful")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_calls_in_flight_finish_and_nothing_new_begins(
    number: int, config: Path, tmp_path: Path, steered: SteeredServer
) -> None:
    with gateway_process(tmp_path, "--config", config) as gateway:
        client = gateway.client()
        with client.listening() as stream, listening_modern(gateway) as changes:
            old, new = in_flight(gateway, steered, client.headers)
            gateway.process.send_signal(number)
            until(lambda: "draining" in gateway.request("GET", "/health").body, "it drains")
            assert gateway.request("POST", "/mcp", message("ping"), **client.headers).status == 503
            assert stream.read() is not None  # to its end: it holds nothing up
            assert changes.read() is not None
            assert gateway.process.poll() is None
            steered.sign("go")
            assert [read(each).text for each in (old, new)] == ["wait says go"] * 2
        assert gateway.ends() == 130
        assert [line for line in gateway.said if "serving at" not in line] == [
            "toolbooth: interrupted; every server that was started has been stopped\n"
        ]
    assert not any(map(alive, steered.pids))


def in_flight(gateway: GatewayProcess, steered: SteeredServer, session: dict[str, str]) -> list[Any]:
    """A call of any protocol version that waits for the file `go`."""
    body, headers = stateless_request("tools/call", through_menu("one.wait", "go"))
    asked = [(message("tools/call", through_menu("one.wait", "go"), 9), session), (body, headers)]
    connections = []
    for each, extra in asked:
        connections.append(gateway.connect())
        send(connections[-1], "POST", "/mcp", each, gateway.own(extra))
    until(lambda: steered.notes("heard").count("wait go") == 2, "both calls are there")
    return connections


def listening_modern(gateway: GatewayProcess) -> Any:
    """The stream of changes of the stateless version, which is an answer that never ends."""
    body, headers = stateless_request("subscriptions/listen", {"notifications": {"promptsListChanged": True}})
    connection = gateway.connect()
    send(connection, "POST", "/mcp", body, gateway.own(headers))
    response = connection.getresponse()
    assert response.status == 200
    return response


@pytest.mark.promise("serve-http:graceful")
def test_a_server_that_hangs_at_its_start_does_not_hold_up_the_end(
    config: Path, tmp_path: Path, steered: SteeredServer
) -> None:
    steered.sign("hold")
    with gateway_process(tmp_path, "--config", config) as gateway:
        gateway.client()
        until(lambda: steered.pids, "the server is started")
        assert gateway.ends(signal.SIGTERM) == 130
    assert not any(map(alive, steered.pids))


def test_stdio_ends_with_its_client_and_leaves_no_server(
    config: Path, tmp_path: Path, steered: SteeredServer
) -> None:
    command = [sys.executable, "-m", "toolbooth", "serve", "--no-daemon", "--config", str(config)]
    pipe = subprocess.PIPE
    process = subprocess.Popen(
        command, stdin=pipe, stdout=pipe, stderr=pipe, env=isolated_environ(tmp_path), cwd=tmp_path, bufsize=0
    )
    client = Client(process)
    try:
        client.say(HELLO)
        assert client.answer()["result"]["serverInfo"]["name"] == "toolbooth"
        until(lambda: steered.pids, "the server is started")
        assert client.leave() == 0
        assert client.words() == ""
    finally:
        client.close()
    assert not any(map(alive, steered.pids))
