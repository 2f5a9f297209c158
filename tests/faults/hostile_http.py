"""An HTTP server that misbehaves in the way its path names: `python hostile_http.py PORT`."""

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import uvicorn

Send = Callable[[dict[str, Any]], Awaitable[None]]
JSON = (b"content-type", b"application/json")


async def start(send: Send, status: int, *headers: tuple[bytes, bytes]) -> None:
    await send({"type": "http.response.start", "status": status, "headers": list(headers)})


async def body(send: Send, data: bytes, more: bool = False) -> None:
    await send({"type": "http.response.body", "body": data, "more_body": more})


async def refuse(send: Send, status: int) -> None:
    await start(send, status)
    await body(send, b"")


async def flood(send: Send, _message: Any) -> None:
    await start(send, 200, JSON)
    await body(send, b'{"jsonrpc":"2.0","id":1,"result":{"x":"', more=True)
    for _ in range(100):
        await body(send, b"x" * 1_000_000, more=True)
    await body(send, b'"}}')


async def flooding_event(send: Send, _message: Any) -> None:
    await start(send, 200, (b"content-type", b"text/event-stream"))
    await body(send, b'event: message\ndata: {"x":"', more=True)
    for _ in range(100):
        await body(send, b"x" * 1_000_000, more=True)
    await body(send, b'"}\n\n')


async def not_json(send: Send, _message: Any) -> None:
    await start(send, 200, JSON)
    await body(send, b"{oops")


async def html(send: Send, _message: Any) -> None:
    await start(send, 200, (b"content-type", b"text/html"))
    await body(send, b"<h1>Welcome</h1>")


async def hang(_send: Send, _message: Any) -> None:
    await asyncio.sleep(3600)


async def failing(send: Send, _message: Any) -> None:
    await start(send, 500)
    await body(send, b"boom")


async def elsewhere(send: Send, _message: Any) -> None:
    await start(send, 307, (b"location", b"http://203.0.113.1/mcp"))
    await body(send, b"")


async def one_bad_tool(send: Send, message: Any) -> None:
    if message.get("method") == "initialize":
        result: dict[str, Any] = {
            "protocolVersion": "2025-06-18",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "h"},
        }
    elif message.get("method") == "tools/list":
        result = {"tools": [{"name": "ok"}, {"name": "bad", "inputSchema": 7}]}
    else:
        await refuse(send, 400)
        return
    await start(send, 200, JSON)
    await body(send, json.dumps({"jsonrpc": "2.0", "id": message.get("id"), "result": result}).encode())


SESSION = f"s{os.getpid()}"  # a server that was started again knows none of the sessions before
TOOLS = ("ok", "die", "break_off", "hang", "flood", "failing", "not_json")


async def answer(send: Send, message: Any, result: Any) -> None:
    await start(send, 200, JSON, (b"mcp-session-id", SESSION.encode()))
    await body(send, json.dumps({"jsonrpc": "2.0", "id": message.get("id"), "result": result}).encode())


async def calls(send: Send, message: Any) -> None:
    """A sound server but for its tools, each of which misbehaves as it is named."""
    method = message.get("method")
    if method == "initialize":
        about = {"capabilities": {"tools": {}}, "serverInfo": {"name": "h", "version": "1"}}
        await answer(send, message, {"protocolVersion": "2025-06-18", **about})
    elif method == "tools/list":
        await answer(
            send, message, {"tools": [{"name": each, "inputSchema": {"type": "object"}} for each in TOOLS]}
        )
    elif method == "tools/call":
        await CALLS[message["params"]["name"]](send, message)
    elif "id" in message:
        await refuse(send, 400)
    else:
        await refuse(send, 202)


async def say_ok(send: Send, message: Any) -> None:
    await answer(send, message, {"content": [{"type": "text", "text": "ok"}]})


async def die(_send: Send, _message: Any) -> None:
    os._exit(7)


async def break_off(send: Send, _message: Any) -> None:
    await start(send, 200, (b"content-type", b"text/event-stream"))
    await body(send, b"event: message\ndata: {", more=True)
    raise ConnectionResetError


CALLS = {
    "ok": say_ok, "die": die, "break_off": break_off, "hang": hang, "flood": flood, "failing": failing,
    "not_json": not_json,
}  # fmt: skip
MODES = {
    "flood": flood, "flooding-event": flooding_event, "not-json": not_json, "html": html, "hang": hang,
    "failing": failing, "elsewhere": elsewhere, "one-bad-tool": one_bad_tool,
    "calls": calls,
}  # fmt: skip


async def app(scope: Any, receive: Any, send: Send) -> None:
    if scope["type"] != "http":
        return
    data = b""
    while True:
        part = await receive()
        data += part.get("body", b"")
        if not part.get("more_body"):
            break
    if scope["method"] != "POST":
        await refuse(send, 405)
        return
    session = dict(scope["headers"]).get(b"mcp-session-id")
    if session not in (None, SESSION.encode()):
        await refuse(send, 404)
        return
    await MODES[scope["path"].strip("/")](send, json.loads(data))


uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="critical", lifespan="off")
