"""The SDK still has the private attributes that the transports rely on, and they mean what we take them for."""

import ast
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import anyio
import httpx2
import pytest
from mcp.server.connection import Connection
from mcp.server.lowlevel import Server
from mcp.server.session import ServerSession
from tests.unit.gateway.runtime_fixture import until

from toolbooth.gateway.transports import sdk_private
from toolbooth.gateway.transports.sdk_private import (
    SessionManager,
    connection_of,
    has_open_request,
    only_listens,
    request_channel,
)

pytestmark = pytest.mark.anyio
HANDSHAKE = "2025-11-25"
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": HANDSHAKE, "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}},
}


def test_a_request_knows_its_connection_and_its_stream() -> None:
    connection, stream = Connection(Mock(), protocol_version=HANDSHAKE), Mock()
    context: Any = Mock(session=ServerSession(stream, connection))
    assert connection_of(context) is connection
    assert (connection.state, request_channel(context)) == ({}, stream)


class Counting(SessionManager):
    def __init__(self) -> None:
        server: Server[Any] = Server("s")
        server.middleware.append(self._hold)
        super().__init__(server, max_sessions=2)
        self.admitted = 0

    async def _hold(self, ctx: Any, call_next: Any) -> Any:
        if ctx.method == "tools/list":
            await anyio.sleep_forever()
        return await call_next(ctx)

    def admit_session(self, requestor: Any) -> Any:
        self.admitted += 1
        return super().admit_session(requestor)


@pytest.fixture
async def manager() -> AsyncIterator[Counting]:
    made = Counting()
    async with made.run():
        yield made


def client(manager: SessionManager) -> httpx2.AsyncClient:
    transport = httpx2.ASGITransport(app=manager.handle_request)
    headers = {"accept": "application/json, text/event-stream"}
    return httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1", headers=headers)


async def test_a_new_session_comes_by_the_hook_and_is_in_the_table_until_it_is_ended(
    manager: Counting,
) -> None:
    async with client(manager) as http:
        answer = await http.post("/", json=HELLO)
    (session,) = manager.transports
    assert (manager.admitted, answer.headers["mcp-session-id"]) == (1, session)
    transport = manager.transports[session]
    assert not has_open_request(transport, 1), "it was answered"
    assert not only_listens(transport)
    manager.end_session(session)
    assert manager.transports == {}


async def test_beyond_the_limit_no_session_is_admitted(manager: Counting) -> None:
    assert [manager.admit_session(None) is not None for _ in range(3)] == [True, True, False]


async def test_an_open_stream_and_an_open_request_are_seen(manager: Counting) -> None:
    async with client(manager) as http:
        hello = await http.post("/", json=HELLO)
        http.headers["mcp-session-id"] = session = hello.headers["mcp-session-id"]
        transport = manager.transports[session]
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(http.get, "/")
            await until(lambda: only_listens(transport), "the stream is open")
            tasks.start_soon(
                partial(http.post, "/", json={"jsonrpc": "2.0", "id": 7, "method": "tools/list"})
            )
            await until(lambda: has_open_request(transport, 7), "the request is open")
            assert not only_listens(transport), "a call is answered, too"
            assert not has_open_request(transport, 8)
            tasks.cancel_scope.cancel()


def test_no_other_file_touches_them() -> None:
    source = Path(sdk_private.__file__).parents[2]
    attributes = {
        node.attr
        for node in ast.walk(ast.parse(Path(sdk_private.__file__).read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr.startswith("_") and not node.attr.startswith("__")
    }
    assert len(attributes) > 5
    elsewhere = [
        f"{file.name}:{node.lineno}: {node.attr}"
        for file in source.rglob("*.py")
        if file != Path(sdk_private.__file__)
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr in attributes and ast.unparse(node.value) != "self"
    ]
    assert not elsewhere
