"""Sockets without a key against `toolbooth serve --http`: silent, slow, talking nonsense, and many."""

import random
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest

from tests.behaviour.gateway_process import (
    GatewayProcess,
    SteeredServer,
    isolated_environ,
    until,
    write_config,
)

resource = pytest.importorskip("resource", reason="Windows counts no descriptors")
KEY = "a key of twenty-six letters"
SILENT = (b"", b"G", b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-Slow: ", b"GET /health HTTP/1.1\r\n")


@contextmanager
def limited(home: Path, descriptors: int) -> Iterator[GatewayProcess]:
    """A gateway that may have no more than so many descriptors, and one server behind it."""
    near = SteeredServer.at(home / "near")
    config = write_config(home / "servers.json", {"near": near.entry})
    words = [sys.executable, "-m", "toolbooth", "serve", "--http", "--port", "0", "--config", str(config)]
    process = subprocess.Popen(
        ["/bin/sh", "-c", f'ulimit -n {descriptors} && exec "$@"', "sh", *words],
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={**isolated_environ(home), "TOOLBOOTH_KEY": KEY},
        cwd=home,
    )
    gateway = GatewayProcess(process)
    try:
        gateway.start()
        gateway.key = KEY
        yield gateway
    finally:
        gateway.close()


@pytest.fixture(scope="module", autouse=True)
def enough_descriptors() -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(4_096, hard)), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def strangers(gateway: GatewayProcess, count: int, stack: ExitStack) -> list[socket.socket]:
    made = []
    for number in range(count):
        made.append(stack.enter_context(socket.create_connection(("127.0.0.1", gateway.port), 30)))
        with suppress(OSError):  # it may have been dropped already
            made[-1].sendall(SILENT[number % len(SILENT)])
    return made


def is_open(peer: socket.socket) -> bool:
    peer.setblocking(False)
    try:
        return peer.recv(1) != b""
    except BlockingIOError:
        return True
    except OSError:
        return False


@pytest.mark.promise("serve-http:silent")
@pytest.mark.parametrize("descriptors", [400, 1024])
def test_a_client_keeps_calling_through_a_crowd_of_silent_sockets(tmp_path: Path, descriptors: int) -> None:
    with limited(tmp_path, descriptors) as gateway, ExitStack() as stack:
        client = gateway.client()
        assert client.call("near.echo", "before").text == "echo says before"
        standing = gateway.connect()  # a connection that has shown the key is kept
        standing.request("GET", "/health", headers=gateway.own({}))
        assert standing.getresponse().read()
        crowd: list[socket.socket] = []
        for number in range(11):
            crowd += strangers(gateway, 100, stack)
            assert client.call("near.echo", f"call {number}").text == f"echo says call {number}"
        standing.request("GET", "/health", headers=gateway.own({}))
        assert standing.getresponse().status == 200
        until(lambda: sum(map(is_open, crowd)) <= 128, "the strangers are few")
        assert gateway.process.poll() is None


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the limit of another process cannot be set")
@pytest.mark.promise("serve-http:silent")
def test_even_without_a_free_descriptor_it_lives_and_takes_clients_later(tmp_path: Path) -> None:
    with limited(tmp_path, 1024) as gateway, ExitStack() as stack:
        client = gateway.client()
        assert client.call("near.echo", "before").text == "echo says before"
        used = len(list(Path(f"/proc/{gateway.process.pid}/fd").iterdir()))
        resource.prlimit(gateway.process.pid, resource.RLIMIT_NOFILE, (used + 20, 1024))
        strangers(gateway, 300, stack)
        assert client.call("near.echo", "through").text == "echo says through"
        assert gateway.process.poll() is None


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GatewayProcess]:
    home = tmp_path_factory.mktemp("strangers")
    with limited(home, 1024) as made:
        yield made


def spoken(gateway: GatewayProcess, data: bytes) -> bytes:
    """What comes back until the other side closes, or a moment passes without a word."""
    with socket.create_connection(("127.0.0.1", gateway.port), 5) as peer:
        heard = b""
        with suppress(OSError):
            peer.sendall(data)
            peer.shutdown(socket.SHUT_WR)
            while part := peer.recv(65_536):
                heard += part
        return heard


@pytest.mark.promise("serve-http:no-5xx")
def test_garbage_and_odd_requests_get_no_5xx_and_leave_no_line(gateway: GatewayProcess) -> None:
    chance = random.Random(18)
    pieces = [
        b"GET ", b"POST ", b"PUT ", b"/mcp", b"/health", b"/api/v1/index/search?q=x", b"/%00%ff", b" HTTP/1.1", b"\r\n",
        b"Host: localhost\r\n", b"Authorization: Bearer " + KEY.encode() + b"\r\n", b"Content-Length: 9\r\n",
        b"Content-Length: -1\r\n", b"Transfer-Encoding: chunked\r\n", b"Content-Type: application/json\r\n",
        b"Accept: application/json, text/event-stream\r\n", b"Expect: 100-continue\r\n", b"\x16\x03\x01\x02\x00\x01",
        b'{"jsonrpc":"2.0","id":1,"method":"ping"}', b"[" * 500, b"\x00\xff", b"\r\n\r\n", b"Upgrade: websocket\r\n",
        b"mcp-session-id: x\r\n", b"Origin: null\r\n",
    ]  # fmt: skip
    for _ in range(400):
        data = b"".join(chance.choices(pieces, k=chance.randint(1, 12)))
        start = b"POST /mcp HTTP/1.1\r\nHost: localhost\r\n" if chance.random() < 0.5 else b""
        heard = spoken(gateway, start + data)
        assert not heard.startswith(b"HTTP/1.1 5"), (start + data, heard)
    assert gateway.request("GET", "/health").status == 200
    assert len(gateway.said) < 10


@pytest.mark.promise("serve-http:wrong-key")
def test_wrong_keys_are_noted_and_do_not_slow_who_has_the_right_one(gateway: GatewayProcess) -> None:
    canary = "canary-of-a-wrong-key"
    for _ in range(7):
        answer = gateway.request("POST", "/mcp", {}, authorization=f"Bearer {canary}")
        assert (answer.status, answer.headers["connection"]) == (401, "close")
        assert gateway.request("GET", "/api/v1/tools").status == 200
    until(lambda: any("wrong key" in line for line in gateway.said), "a line about it")
    assert sum("wrong key" in line for line in gateway.said) <= 2
    assert canary not in "".join(gateway.said)


@pytest.mark.promise("serve-http:short-key")
@pytest.mark.parametrize("words", [(), ("--key-env", "MINE")])
def test_a_short_key_is_refused_in_one_line(tmp_path: Path, words: tuple[str, ...]) -> None:
    config = write_config(tmp_path / "servers.json", {})
    name = "MINE" if words else "TOOLBOOTH_KEY"
    said = subprocess.run(
        [
            sys.executable,
            "-m",
            "toolbooth",
            "serve",
            "--http",
            "--port",
            "0",
            "--config",
            str(config),
            *words,
        ],
        env={**isolated_environ(tmp_path), name: "  fifteen letters  "},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert said.returncode == 2
    assert f"the key in {name} is shorter than 16 characters" in said.stderr
    assert len(said.stderr.splitlines()) == 1
    assert "fifteen" not in said.stderr
