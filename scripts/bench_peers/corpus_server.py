"""A stdio MCP server with the tools of one server in a corpus file.

It needs only the standard library, so that three hundred of them fit into a machine; a call is answered with a short
fixed text.
"""

import json
import sys
from typing import Any, BinaryIO

METHOD_NOT_FOUND = -32601
DONE = {"content": [{"type": "text", "text": "done"}]}


def tools_of(corpus: str, server: str) -> list[dict[str, Any]]:
    """The entries as in `tools/list`; the protocol requires a schema, so a tool without one gets an empty object
    schema.
    """
    with open(corpus, encoding="utf-8") as file:  # noqa: PTH123 - pathlib, three hundred times
        entries = json.load(file)["tools"]
    return [
        {
            "name": entry["tool"],
            "description": entry.get("description") or "",
            "inputSchema": {"type": "object", **(entry.get("schema") or {})},
        }
        for entry in entries
        if entry["server"] == server
    ]


def answer(message: dict[str, Any], server: str, listed: list[dict[str, Any]]) -> dict[str, Any]:
    params = message.get("params") or {}
    match message["method"]:
        case "initialize":
            return {
                "protocolVersion": params["protocolVersion"],
                "capabilities": {"tools": {}},
                "serverInfo": {"name": server, "version": "1"},
            }
        case "tools/list":
            return {"tools": listed}
        case "tools/call":
            return DONE
        case "ping":
            return {}
    raise LookupError(message["method"])


def serve(server: str, listed: list[dict[str, Any]], requests: BinaryIO, answers: BinaryIO) -> None:
    for line in requests:
        message = json.loads(line)
        if "id" not in message or "method" not in message:
            continue
        reply: dict[str, Any] = {"jsonrpc": "2.0", "id": message["id"]}
        try:
            reply["result"] = answer(message, server, listed)
        except LookupError as unknown:
            reply["error"] = {"code": METHOD_NOT_FOUND, "message": f"no such method: {unknown}"}
        answers.write(json.dumps(reply).encode() + b"\n")
        answers.flush()


if __name__ == "__main__":
    serve(sys.argv[2], tools_of(sys.argv[1], sys.argv[2]), sys.stdin.buffer, sys.stdout.buffer)
