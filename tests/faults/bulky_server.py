"""A stdio server whose answers are as long as asked for: `python bulky_server.py DIARY` notes each call."""

import json
import sys
import time
from pathlib import Path
from typing import Any

DIARY = Path(sys.argv[1])
SCHEMA = {
    "type": "object",
    "properties": {"size": {"type": "integer"}, "seconds": {"type": "number"}},
    "required": ["size"],
}


def called(arguments: dict[str, Any]) -> dict[str, Any]:
    with DIARY.open("a", encoding="utf-8") as diary:
        diary.write(f"call {arguments['size']}\n")
    time.sleep(arguments.get("seconds", 0))
    return {"content": [{"type": "text", "text": "x" * arguments["size"]}]}


def answer(method: str, params: dict[str, Any]) -> dict[str, Any]:
    if method == "initialize":
        about = {"name": "bulky", "version": "1"}
        version = params["protocolVersion"]
        return {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": about}
    if method == "tools/list":
        return {"tools": [{"name": "bulk", "description": "A long text.", "inputSchema": SCHEMA}]}
    return called(params["arguments"])


for line in sys.stdin:
    asked = json.loads(line)
    if "id" not in asked:
        continue
    reply: dict[str, Any] = {"jsonrpc": "2.0", "id": asked["id"]}
    if asked["method"] in ("initialize", "tools/list", "tools/call"):
        reply["result"] = answer(asked["method"], asked.get("params") or {})
    else:
        reply["error"] = {"code": -32601, "message": "unknown"}
    sys.stdout.write(json.dumps(reply) + "\n")
    sys.stdout.flush()
