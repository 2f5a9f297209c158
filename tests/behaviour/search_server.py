"""An endpoint with a search of its own, as a stranger might build one: `search_server.py CORPUS [dies|hangs|errs N]`.

`find` ranks the tools of a corpus file by words in common; after N finds it ends, answers no more or only errors.
"""

import json
import re
import sys
import time
from typing import Any

with open(sys.argv[1], encoding="utf-8") as file:  # noqa: PTH123
    TOOLS = json.load(file)["tools"]
LAST = int(sys.argv[3]) if len(sys.argv) > 3 else 1_000_000
TEXT = {"type": "string"}
MENU = [
    {
        "name": "find",
        "description": "Find a tool.",
        "inputSchema": {"type": "object", "properties": {"words": TEXT}, "required": ["words"]},
    },
    {
        "name": "use",
        "description": "Use a tool.",
        "inputSchema": {"type": "object", "properties": {"id": TEXT, "with": {"type": "object"}}},
    },
]
found = 0


def words(text: str) -> set[str]:
    return set(re.findall(r"[a-z]{3,}", text.lower()))


def find(query: str) -> dict[str, Any]:
    global found
    found += 1
    if found > LAST:
        if sys.argv[2] == "dies":
            sys.exit("the search index is gone")
        if sys.argv[2] == "errs":
            return {"content": [{"type": "text", "text": "no index"}], "isError": True}
        time.sleep(600)
    asked = words(query)
    scored = [
        (len(asked & words(f"{each['tool']} {each['description']}")), each["tool_id"]) for each in TOOLS
    ]
    hits = [{"id": name.replace(":", "/")} for score, name in sorted(scored, reverse=True) if score][:5]
    return {"content": [{"type": "text", "text": json.dumps(hits)}], "structuredContent": {"hits": hits}}


def answer(method: str, params: dict[str, Any]) -> dict[str, Any] | None:
    if method == "initialize":
        hello = {"name": "searching", "version": "1"}
        return {
            "protocolVersion": params["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": hello,
            "instructions": "Find, then use.",
        }
    if method == "tools/list":
        return {"tools": MENU}
    if method == "tools/call" and params["name"] == "find":
        return find(params["arguments"]["words"])
    return None


for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    result = answer(message["method"], message.get("params") or {})
    reply = (
        {"result": result} if result is not None else {"error": {"code": -32601, "message": "no such method"}}
    )
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **reply}), flush=True)
