"""A real MCP server on stdio with tools that read, write and destroy: `python hinted_server.py`.

Each answer says the tool and how many calls have arrived so far.
"""

import json
import sys
from typing import Any

HINTS: dict[str, dict[str, Any]] = {
    "look": {"readOnlyHint": True},
    "add": {"readOnlyHint": False, "destructiveHint": False},
    "plain": {},
    "drop": {"readOnlyHint": False, "destructiveHint": True},
}


def _tool(name: str) -> dict[str, Any]:
    about = {"name": name, "description": f"Does {name} to the table.", "inputSchema": {"type": "object"}}
    return about | ({"annotations": HINTS[name]} if HINTS[name] else {})


def main() -> None:
    calls = 0
    for line in sys.stdin:
        message = json.loads(line)
        result: dict[str, Any] = {}
        if message["method"] == "initialize":
            about = {"name": "hinted", "version": "1"}
            result = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": about}
        elif message["method"] == "tools/list":
            result = {"tools": [_tool(name) for name in HINTS]}
        elif message["method"] == "tools/call":
            calls += 1
            result = {"content": [{"type": "text", "text": f"{message['params']['name']} {calls}"}]}
        if "id" in message:
            print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)


if __name__ == "__main__":
    main()
