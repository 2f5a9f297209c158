"""An MCP server on stdio whose names and texts are hard for clients: `python odd_server.py odd|mute|NUMBER`."""

import json
import sys
from typing import Any

kind = sys.argv[1]
SCHEMA = {"type": "object", "properties": {"q": {"type": "string", "description": "Anything."}}}


def tool(name: str, description: str = "Does it.", **more: Any) -> dict[str, Any]:
    return {"name": name, "description": description, "inputSchema": SCHEMA, **more}


ODD = [
    tool("plain"),
    tool("a.b/c d"),
    tool("has-hyphen"),
    tool("naïve"),
    tool("x" * 60),
    tool("y" * 66),
    tool("long_text", "word " * 900),
    tool("exactly", "z" * 2048),
    tool("always", _meta={"anthropic/alwaysLoad": True}),
    tool("titled", title="A Title", annotations={"readOnlyHint": True}),
    tool("deny_me"),
]
tools = ODD if kind in ("odd", "mute") else [tool(f"tool_{number:03}") for number in range(int(kind))]
texts = {"odd": "I am odd. " * 400, "mute": ""}
for line in sys.stdin:
    asked = json.loads(line)
    if "id" not in asked:
        continue
    answer: dict[str, Any] = {"error": {"code": -32601, "message": "unknown method"}}
    if asked.get("method") == "initialize":
        about = {"name": "probe", "version": "1"}
        version = asked["params"]["protocolVersion"]
        said = {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": about}
        answer = {"result": {**said, "instructions": texts.get(kind, "Instructions of many.")}}
    elif asked.get("method") == "tools/list":
        answer = {"result": {"tools": tools}}
    print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], **answer}), flush=True)
