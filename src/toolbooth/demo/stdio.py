"""The SDK's low-level server on stdin and stdout for a demo server, for all protocol versions."""

from typing import Any

import anyio
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, CallToolRequestParams, PaginatedRequestParams

from toolbooth.demo.toolkit import DemoServer, UnknownCursor, UnknownTool

Context = ServerRequestContext[Any, Any]

# Protocol 2026-07-28 requires these in every raw result; the SDK removes them for older clients.
_COMPLETE: dict[str, Any] = {"resultType": "complete"}
_CACHEABLE: dict[str, Any] = _COMPLETE | {"ttlMs": 3_600_000, "cacheScope": "public"}


def run(demo: DemoServer[Any]) -> int:
    """Serve until stdin closes; a client that disconnects is not an error."""
    try:
        anyio.run(_serve, demo)
    except KeyboardInterrupt:
        return 130
    except ExceptionGroup as group:
        if group.split((BrokenPipeError, anyio.BrokenResourceError))[1] is not None:
            raise
    return 0


async def _serve(demo: DemoServer[Any]) -> None:
    server = build(demo)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


def build(demo: DemoServer[Any]) -> Server[Any]:
    """Results are raw dictionaries, so that every definition is sent exactly as it is written."""
    server: Server[Any] = Server(
        f"demo-{demo.name}", version="1.0.0", title=demo.title, instructions=demo.instructions
    )

    async def list_tools(_: Context, params: PaginatedRequestParams) -> dict[str, Any]:
        try:
            return demo.page(params.cursor) | _CACHEABLE
        except UnknownCursor as error:
            raise MCPError(code=INVALID_PARAMS, message=str(error)) from error

    async def call_tool(_: Context, params: CallToolRequestParams) -> dict[str, Any]:
        try:
            return demo.call(params.name, params.arguments or {}) | _COMPLETE
        except UnknownTool as error:
            raise MCPError(code=INVALID_PARAMS, message=str(error)) from error

    server.add_request_handler("tools/list", PaginatedRequestParams, list_tools)
    server.add_request_handler("tools/call", CallToolRequestParams, call_tool)
    return server
