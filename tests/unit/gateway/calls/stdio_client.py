"""A client over a socket in place of stdin and stdout, of an old or a new protocol version, in this process."""

import asyncio
import json
import os
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, closing
from itertools import count
from typing import Any

import anyio

from toolbooth.gateway.surfaces.view import View
from toolbooth.gateway.transports.stdio import serve_stdio

_META = "io.modelcontextprotocol/"


class StdioClient:
    """One request at a time."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, modern: bool) -> None:
        self._reader, self._writer, self._modern = reader, writer, modern
        self._ids = count(1)
        self.notices: list[dict[str, Any]] = []

    async def introduce(self) -> None:
        if self._modern:
            await self.ask("server/discover", {})
            await self.ask("tools/list", {})  # the first request opens the session
            return
        who = {"name": "raw", "version": "1"}
        await self.ask(
            "initialize",
            {"protocolVersion": "2025-11-25", "capabilities": {"sampling": {}}, "clientInfo": who},
        )
        self._send({"method": "notifications/initialized"})

    async def ask(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        """The whole answer, be it a result or an error."""
        meta = dict(params.get("_meta", {}))
        if self._modern:
            meta |= {
                f"{_META}protocolVersion": "2026-07-28",
                f"{_META}clientInfo": {"name": "raw", "version": "1"},
                f"{_META}clientCapabilities": {"sampling": {}},
            }
        number = next(self._ids)
        self._send(
            {"id": number, "method": method, "params": {**params, **({"_meta": meta} if meta else {})}}
        )
        while True:
            message: dict[str, Any] = json.loads(await self._reader.readline())
            if message.get("id") == number:
                return message
            self.notices.append(message)

    async def call(self, name: str, arguments: Mapping[str, Any], **more: Any) -> dict[str, Any]:
        """One call of the menu."""
        return await self.ask("tools/call", {"name": name, "arguments": arguments, **more})

    def _send(self, message: Mapping[str, Any]) -> None:
        self._writer.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")


@asynccontextmanager
async def stdio_client(view: View, *, modern: bool = False) -> AsyncIterator[StdioClient]:
    async with anyio.create_task_group() as tasks:
        ours, theirs = socket.socketpair()
        theirs_again = os.dup(theirs.fileno())
        tasks.start_soon(serve_stdio, view, theirs.detach(), theirs_again)
        reader, writer = await asyncio.open_connection(sock=ours, limit=1 << 25)
        with closing(writer):
            client = StdioClient(reader, writer, modern=modern)
            await client.introduce()
            yield client
