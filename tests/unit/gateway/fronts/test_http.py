"""The server under the HTTP front: whoever takes too long for a request loses the connection."""

import socket

import anyio
import anyio.to_thread
import pytest

from toolbooth.gateway.fronts import http as http_module
from toolbooth.gateway.fronts.http import _config, _Server
from toolbooth.gateway.fronts.listening import listen
from toolbooth.gateway.fronts.lobby import Lobby

pytestmark = pytest.mark.anyio


async def app(_scope: object, _receive: object, send: object) -> None:
    raise AssertionError("no request was ever whole")


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHost: loc"])
async def test_headers_that_never_end_are_given_up(sent: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_module, "HTTP_HELLO", 0.5)
    (listening,) = listen("127.0.0.1", 0)
    server = _Server(_config(app), Lobby())

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
