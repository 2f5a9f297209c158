"""`python tests/real_clients/acted_server.py FILE`: an MCP server on stdio that acts as a file of JSON says.

`tools` and `instructions` are what it offers, `texts` are the answers of its tools by name, `wait` are the seconds
before it answers the handshake, and `later` are tools that it adds when one is called. It imports nothing of ours, so
it is up in a moment. What it receives goes line by line into FILE.received.
"""

import json
import sys
import time
from pathlib import Path
from typing import Any


def main() -> None:
    """Answer until stdin ends."""
    path = Path(sys.argv[1])
    part = json.loads(path.read_text(encoding="utf-8"))
    with path.with_name(f"{path.name}.received").open("a", encoding="utf-8") as received:
        for line in sys.stdin:
            print(line, end="", file=received, flush=True)
            message = json.loads(line)
            if "id" in message and "method" in message:
                send(id=message["id"], **answer(part, message["method"], message.get("params", {})))
            if message.get("method") == "tools/call" and part.get("later"):
                part["tools"] += part.pop("later")
                send(method="notifications/tools/list_changed")


def send(**message: Any) -> None:
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def answer(part: dict[str, Any], method: str, params: dict[str, Any]) -> dict[str, Any]:
    """The result of a request, or an error."""
    if method == "initialize":
        time.sleep(part.get("wait", 0))
        return {"result": handshake(part, params)}
    if method == "tools/list":
        return {"result": {"tools": part["tools"]}}
    if method == "tools/call":
        text = part.get("texts", {}).get(params["name"], "called")
        return {"result": {"content": [{"type": "text", "text": text}]}}
    if method == "ping":
        return {"result": {}}
    return {"error": {"code": -32601, "message": f"there is no {method}"}}


def handshake(part: dict[str, Any], params: dict[str, Any]) -> dict[str, Any]:
    known = {"instructions": part["instructions"]} if "instructions" in part else {}
    return {
        "protocolVersion": params["protocolVersion"],
        "capabilities": {"tools": {"listChanged": True}},
        "serverInfo": {"name": "acted", "version": "1"},
        **known,
    }


if __name__ == "__main__":
    main()
