"""A protocol version → all demo servers running over stdio, their lists and their answers to the samples."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import anyio
from mcp import Client, StdioServerParameters
from mcp.types import CallToolResult
from tests.unit.demo.samples import SAMPLES

from toolbooth.demo import DEMO_SERVERS, demo_command

Json = dict[str, Any]


@dataclass
class Fleet:
    """Open sessions by server, with what each said when it was fresh."""

    clients: dict[str, Client] = field(default_factory=dict)
    listed: dict[str, list[Json]] = field(default_factory=dict)
    answers: dict[str, dict[str, CallToolResult]] = field(default_factory=dict)

    async def call(self, server: str, tool: str, **arguments: Any) -> CallToolResult:
        """One call over MCP."""
        return await self.clients[server].call_tool(tool, arguments)

    async def text(self, server: str, tool: str, **arguments: Any) -> str:
        """The text of a call that must work."""
        result = await self.call(server, tool, **arguments)
        assert not result.is_error, text_of(result)
        return text_of(result)


def text_of(result: CallToolResult) -> str:
    """All text blocks of a result."""
    return "\n".join(block.text for block in result.content if block.type == "text")


async def _all_tools(client: Client) -> list[Json]:
    page = await client.list_tools()
    tools = list(page.tools)
    while page.next_cursor:
        page = await client.list_tools(cursor=page.next_cursor)
        tools += page.tools
    return [tool.model_dump(by_alias=True, exclude_unset=True) for tool in tools]


async def _hold(fleet: Fleet, name: str, mode: str, ready: anyio.Event, done: anyio.Event) -> None:
    command, *arguments = demo_command(name)
    async with Client(StdioServerParameters(command=command, args=arguments), mode=mode) as client:
        fleet.clients[name] = client
        fleet.listed[name] = await _all_tools(client)
        samples = SAMPLES[name].items()
        fleet.answers[name] = {tool: await client.call_tool(tool, arguments) for tool, arguments in samples}
        ready.set()
        await done.wait()


@asynccontextmanager
async def running(mode: str) -> AsyncIterator[Fleet]:
    """All servers at once, as a client with a full config starts them."""
    fleet, done = Fleet(), anyio.Event()
    waits = {name: anyio.Event() for name in DEMO_SERVERS}
    async with anyio.create_task_group() as tasks:
        for name, ready in waits.items():
            tasks.start_soon(_hold, fleet, name, mode, ready, done)
        for ready in waits.values():
            await ready.wait()
        yield fleet
        done.set()
