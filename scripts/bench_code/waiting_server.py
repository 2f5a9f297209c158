"""A stdio MCP server (standard library only) whose one tool takes given milliseconds, many calls at once."""

import asyncio
import json
import sys
from typing import Any

TOOL = {
    "name": "echo",
    "description": "Echoes the message back after a while.",
    "inputSchema": {
        "type": "object",
        "properties": {"message": {"type": "string"}},
        "required": ["message"],
    },
}
METHOD_NOT_FOUND = -32601


async def answer(message: dict[str, Any], seconds: float) -> dict[str, Any]:
    params = message.get("params") or {}
    match message["method"]:
        case "initialize":
            said = {"name": "waiting", "version": "1"}
            protocol = params["protocolVersion"]
            return {
                "result": {"protocolVersion": protocol, "capabilities": {"tools": {}}, "serverInfo": said}
            }
        case "tools/list":
            return {"result": {"tools": [TOOL]}}
        case "tools/call":
            await asyncio.sleep(seconds)
            text = f"Echo: {params['arguments']['message']}"
            return {"result": {"content": [{"type": "text", "text": text}]}}
        case "ping":
            return {"result": {}}
    return {"error": {"code": METHOD_NOT_FOUND, "message": "no such method"}}


async def reply(message: dict[str, Any], seconds: float) -> None:
    line = {"jsonrpc": "2.0", "id": message["id"], **await answer(message, seconds)}
    sys.stdout.buffer.write(json.dumps(line).encode() + b"\n")
    sys.stdout.buffer.flush()


async def serve(seconds: float) -> None:
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), sys.stdin.buffer
    )
    async with asyncio.TaskGroup() as tasks:
        while line := await reader.readline():
            message = json.loads(line)
            if "id" in message and "method" in message:
                tasks.create_task(reply(message, seconds))


if __name__ == "__main__":
    asyncio.run(serve(float(sys.argv[1]) / 1000))
