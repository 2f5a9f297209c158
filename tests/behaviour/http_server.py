"""A real MCP server on the SDK, over HTTP, for the tests: `python http_server.py PORT streamable-http|sse [KEY]`."""

import sys
from collections.abc import Awaitable, Callable
from typing import Any

import uvicorn
from mcp.server.mcpserver import MCPServer

server = MCPServer("sdk-http", version="1.2.3", instructions="Adds numbers.")


@server.tool()
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def guarded(app: Any, key: str) -> Callable[..., Awaitable[None]]:
    async def ask_for_key(scope: Any, receive: Any, send: Any) -> None:
        headers = dict(scope.get("headers") or [])
        if scope["type"] == "http" and headers.get(b"authorization") != f"Bearer {key}".encode():
            await send({"type": "http.response.start", "status": 401, "headers": []})
            await send({"type": "http.response.body", "body": b"no"})
            return
        await app(scope, receive, send)

    return ask_for_key


port, kind, *key = sys.argv[1:]
app: Any = server.streamable_http_app() if kind == "streamable-http" else server.sse_app()
uvicorn.run(guarded(app, key[0]) if key else app, host="127.0.0.1", port=int(port), log_level="warning")
