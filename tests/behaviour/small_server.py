"""A stdio server of a few lines that keeps a diary: `python small_server.py DIARY [CALLS]` ends after so many calls."""

import json
import os
import sys
from pathlib import Path
from typing import Any

DIARY, CALLS = Path(sys.argv[1]), int((sys.argv[2:] or ["1000000"])[0])
SCHEMA = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
TOOLS = [
    {"name": "echo", "description": "Say the same text again.", "inputSchema": SCHEMA},
    {"name": "shout", "description": "Say a text in capital letters.", "inputSchema": SCHEMA},
    {
        "name": "refuse",
        "description": "Answer with an error.",
        "inputSchema": {"type": "object", "properties": {}},
    },
]


def note(*words: object) -> None:
    with DIARY.open("a", encoding="utf-8") as diary:
        diary.write(" ".join(map(str, words)) + "\n")


def called(params: dict[str, Any]) -> dict[str, Any]:
    global CALLS
    note("call", os.getpid(), params["name"])
    CALLS -= 1
    if CALLS < 0:
        sys.exit("enough of it")
    text = str(params.get("arguments", {}).get("text", "no"))
    return {"content": [{"type": "text", "text": text}], "isError": params["name"] == "refuse"}


def answer(method: str, params: dict[str, Any]) -> dict[str, Any]:
    if method == "initialize":
        about = {"name": "small", "version": "1"}
        return {
            "protocolVersion": params["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": about,
        }
    return {"tools": TOOLS} if method == "tools/list" else called(params)


note("start", os.getpid(), os.environ.get("HOME"), os.environ.get("XDG_CACHE_HOME"), *sys.argv[3:])
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
note("end", os.getpid())
