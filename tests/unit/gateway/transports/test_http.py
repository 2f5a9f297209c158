"""The server under the HTTP transport: who loses the connection, and how a request reaches its session."""

import json
import socket
import threading
from typing import Any

import anyio
import anyio.to_thread
import pytest

from toolbooth.access import LOCAL_USER, Principal
from toolbooth.gateway.transports.http import _config, _Endpoint, _read_id, _Server
from toolbooth.gateway.transports.http_connections import ConnectionAdmission, listen
from toolbooth.limits import MIB

pytestmark = pytest.mark.anyio


async def app(_scope: object, _receive: object, send: object) -> None:
    raise AssertionError("no request was ever whole")


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHost: loc"])
async def test_headers_that_never_end_are_given_up(sent: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolbooth.limits.HTTP_HELLO", 0.5)
    (listening,) = listen("127.0.0.1", 0)
    server = _Server(_config(app), ConnectionAdmission())

    def stall() -> bytes:
        with socket.create_connection(listening.getsockname(), 30) as peer:
            peer.sendall(sent)
            return peer.recv(1)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(server.serve_shielded, [listening])
        try:
            assert await anyio.to_thread.run_sync(stall) == b""
        finally:
            server.should_exit = True


class Sessions:
    """The sessions of one surface, which count what comes for them."""

    def __init__(self, *known: str) -> None:
        self.known, self.uses, self.served = known, 0, 0
        self.heard: dict[bytes, bytes] = {}

    def knows(self, session: str, principal: Principal) -> bool:
        return session in self.known and principal is LOCAL_USER

    def used(self, _session: str) -> None:
        self.uses += 1

    def has_open(self, _session: str, _number: object) -> bool:
        return False

    async def handle_request(self, scope: Any, *_request: object) -> None:
        self.served += 1
        self.heard = dict(scope["headers"])


def scope_of(method: str, principal: Principal) -> dict[str, Any]:
    headers = [(b"mcp-session-id", b"mine")]
    return {"type": "http", "method": method, "headers": headers, "state": {"principal": principal}}


def body_of(message: object) -> Any:
    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": json.dumps(message).encode(), "more_body": False}

    return receive


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
async def test_a_request_is_counted_once_for_its_session(method: str) -> None:
    first, second = Sessions(), Sessions("mine")
    endpoint: Any = _Endpoint({"first": first, "second": second}, lambda: "first")  # type: ignore[dict-item]
    scope = scope_of(method, LOCAL_USER)
    await endpoint(scope, body_of({"id": 1, "method": "ping"}), None)
    assert (first.uses, first.served, second.uses, second.served) == (0, 0, 1, 1)
    await endpoint({**scope, "headers": []}, body_of({}), None)
    assert (first.uses, first.served, second.uses, second.served) == (0, 1, 1, 1)


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
async def test_a_session_of_another_principal_is_one_that_never_was(method: str) -> None:
    first, second = Sessions(), Sessions("mine")
    endpoint: Any = _Endpoint({"first": first, "second": second}, lambda: "second")  # type: ignore[dict-item]
    await endpoint(scope_of(method, Principal("key-1")), body_of({"id": 1, "method": "ping"}), None)
    assert (second.uses, second.served) == (0, 1)
    assert b"mine" not in second.heard.values()


@pytest.mark.parametrize(("size", "elsewhere"), [(10, False), (MIB, True)])
async def test_a_long_body_is_decoded_beside_the_event_loop(
    size: int, elsewhere: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads = []

    def decode(data: bytes) -> object:
        threads.append(threading.get_ident())
        return json.loads(data)

    monkeypatch.setattr("toolbooth.catalog.decode", decode)
    number, again = await _read_id(body_of({"id": 7, "method": "ping", "params": {"text": "x" * size}}))
    assert (number, len((await again())["body"]) > size) == (7, True)
    assert [each != threading.get_ident() for each in threads] == [elsewhere]
