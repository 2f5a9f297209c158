"""Calls over HTTP without a socket: the HTTP API, and MCP over Streamable HTTP in both protocol versions."""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

import anyio
from starlette.types import ASGIApp

from toolbooth.access import LOCAL_USER, Principal
from toolbooth.gateway.surfaces.view import View
from toolbooth.gateway.transports import http_sessions
from toolbooth.gateway.transports.http import _Manager
from toolbooth.gateway.transports.http_api import CALL

_META = "io.modelcontextprotocol/"


class HttpAnswer(NamedTuple):
    """The whole of one answer."""

    status: int
    headers: Mapping[bytes, bytes]
    body: bytes


async def send_post(
    app: ASGIApp, path: str, body: Any, headers: Mapping[str, str], principal: Principal = LOCAL_USER
) -> HttpAnswer:
    """One request."""
    received, start, sent = bytearray(), dict[str, Any](), list[bytes]()
    data = body if isinstance(body, bytes) else json.dumps(body).encode()

    async def receive() -> dict[str, Any]:
        if not sent:
            sent.append(data)
            return {"type": "http.request", "body": data, "more_body": False}
        await anyio.sleep_forever()  # the client stays
        raise AssertionError

    async def send(message: Any) -> None:
        start.update(message if message["type"] == "http.response.start" else {})
        received.extend(message.get("body", b""))

    named = [(name.encode(), value.encode()) for name, value in headers.items()]
    scope = {
        "type": "http",
        "method": "POST",
        "path": path,
        "headers": named,
        "query_string": b"",
        "state": {"principal": principal},  # as the guard says it
    }
    http_sessions.CLIENT.set(http_sessions.HttpClient(principal))
    await app(scope, receive, send)
    return HttpAnswer(start["status"], dict(start["headers"]), bytes(received))


async def post(app: ASGIApp, body: Any, principal: Principal = LOCAL_USER) -> dict[str, Any]:
    """One call over the HTTP API; its HTTP status is under `status` where it is not 200."""
    answer = await send_post(app, CALL, body, {}, principal)
    read: dict[str, Any] = json.loads(answer.body)
    return read if answer.status == 200 else {**read, "status": answer.status}


class McpClient:
    """A client of one view over Streamable HTTP."""

    def __init__(self, app: ASGIApp, *, modern: bool) -> None:
        self._app, self._modern = app, modern
        self._headers = {"content-type": "application/json", "accept": "application/json, text/event-stream"}

    async def introduce(self) -> None:
        """The handshake, and the session that it opens."""
        who = {"name": "raw", "version": "1"}
        params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": who}
        answer = await self._send({"id": 0, "method": "initialize", "params": params})
        self._headers["mcp-session-id"] = answer.headers[b"mcp-session-id"].decode()
        self._headers["mcp-protocol-version"] = "2025-11-25"
        await self._send({"method": "notifications/initialized"})

    async def call(self, name: str, arguments: Mapping[str, Any], **more: Any) -> dict[str, Any]:
        """One call of the menu."""
        params: dict[str, Any] = {"name": name, "arguments": arguments, **more}
        if self._modern:
            own = {"protocolVersion": "2026-07-28", "clientInfo": {"name": "raw", "version": "1"}}
            meta = {f"{_META}{key}": value for key, value in {**own, "clientCapabilities": {}}.items()}
            params["_meta"] = {**params.get("_meta", {}), **meta}
            self._headers["mcp-protocol-version"] = "2026-07-28"
            self._headers |= {"mcp-method": "tools/call", "mcp-name": name}
        answer = await self._send({"id": 1, "method": "tools/call", "params": params})
        return _answer_in(answer.body)

    async def _send(self, message: dict[str, Any]) -> HttpAnswer:
        return await send_post(self._app, "/mcp", {"jsonrpc": "2.0", **message}, self._headers)


def _answer_in(body: bytes) -> dict[str, Any]:
    """Of a JSON body or of a stream of events, in which progress comes first."""
    lines = [line.removeprefix(b"data:") for line in body.splitlines() if line.startswith((b"data:", b"{"))]
    messages = [json.loads(line) for line in lines if line.strip()]
    found: dict[str, Any] = next(each for each in messages if each.get("id") == 1)
    return found


@asynccontextmanager
async def mcp_client(view: View, *, modern: bool) -> AsyncIterator[McpClient]:
    manager = _Manager(view)
    async with manager.run():
        client = McpClient(manager.handle_request, modern=modern)
        if not modern:
            await client.introduce()
        yield client
