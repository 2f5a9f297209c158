"""A house in this process × a request → a client at its stdio front, with the few words of MCP that an agent says."""

import asyncio
import json
import os
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, closing
from itertools import count as numbers
from typing import TYPE_CHECKING, Any, NamedTuple

import anyio

from toolbooth.errors import NothingToWeigh
from toolbooth.limits import MAX_FRAME
from toolbooth.safetext import for_terminal

if TYPE_CHECKING:
    from toolbooth.gateway.house import House, Request

VERSION = "2025-11-25"  # what most clients speak today


class Answer(NamedTuple):
    """What a tool said, block by block."""

    texts: tuple[str, ...]
    is_error: bool

    @property
    def text(self) -> str:
        """All of it."""
        return "\n".join(self.texts)


@asynccontextmanager
async def own_client(house: "House", request: "Request") -> AsyncIterator["OwnClient"]:
    """A socket stands for the client's stdin and stdout."""
    from toolbooth.gateway.fronts.stdio import serve_stdio

    ours, theirs = socket.socketpair()
    theirs_again = os.dup(theirs.fileno())
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(serve_stdio, await house.enter(request), theirs.detach(), theirs_again)
        reader, writer = await asyncio.open_connection(sock=ours, limit=MAX_FRAME)
        with closing(writer):
            client = OwnClient(reader, writer)
            await client.introduce()
            yield client


class OwnClient:
    """Asks one thing at a time."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._ids = numbers(1)
        self.hello: Mapping[str, Any] = {}

    async def introduce(self) -> None:
        """The handshake."""
        who = {"name": "toolbooth", "version": "1"}
        params = {"protocolVersion": VERSION, "capabilities": {}, "clientInfo": who}
        self.hello = await self.ask("initialize", params)
        self._send({"method": "notifications/initialized"})

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> Answer:
        """One call of a tool of the menu."""
        result = await self.ask("tools/call", {"name": tool, "arguments": arguments})
        texts = (each["text"] for each in result["content"] if each["type"] == "text")
        return Answer(tuple(texts), bool(result.get("isError")))

    async def ask(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        """The result of one request; notifications that come before it are for nobody here."""
        number = next(self._ids)
        self._send({"id": number, "method": method, "params": params})
        while line := await self._reader.readline():
            message = json.loads(line)
            if message.get("id") == number:
                return _result(method, message)
        raise NothingToWeigh(f"the gateway ended before it answered {method}; is the installation whole?")

    def _send(self, message: Mapping[str, Any]) -> None:
        self._writer.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")


def _result(method: str, message: Mapping[str, Any]) -> dict[str, Any]:
    if "error" in message:
        said = for_terminal(str(message["error"].get("message")))
        raise NothingToWeigh(f"the gateway refused {method}: {said}; this is a fault of Toolbooth")
    result: dict[str, Any] = message["result"]
    return result
