"""A stdio server whose answers are as long as asked for: `python bulky_server.py DIARY` notes each call.

Where a call says `ask`, the person is asked first, and nothing else is worked on meanwhile.
"""

import json
import sys
import time
from pathlib import Path
from typing import Any

DIARY = Path(sys.argv[1])
SCHEMA = {
    "type": "object",
    "properties": {"size": {"type": "integer"}, "seconds": {"type": "number"}, "ask": {"type": "boolean"}},
    "required": ["size"],
}


later: list[dict[str, Any]] = []


def say(message: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def ask_the_person() -> None:
    wanted = {"message": "go on?", "requestedSchema": {"type": "object", "properties": {}}}
    say({"id": "question", "method": "elicitation/create", "params": wanted})
    while (heard := json.loads(sys.stdin.readline())).get("id") != "question":
        later.append(heard)


def called(arguments: dict[str, Any]) -> dict[str, Any]:
    with DIARY.open("a", encoding="utf-8") as diary:
        diary.write(f"call {arguments['size']}\n")
    if arguments.get("ask"):
        ask_the_person()
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


while line := later.pop(0) if later else sys.stdin.readline():
    asked = line if isinstance(line, dict) else json.loads(line)
    if "id" not in asked:
        continue
    reply: dict[str, Any] = {"id": asked["id"]}
    if asked["method"] in ("initialize", "tools/list", "tools/call"):
        reply["result"] = answer(asked["method"], asked.get("params") or {})
    else:
        reply["error"] = {"code": -32601, "message": "unknown"}
    say(reply)
