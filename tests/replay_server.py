"""`python -m tests.replay_server` → an MCP server on stdio whose tools give the recorded answers back, byte for
byte.
"""

import json
import sys
from typing import Any

from tests.recorded_answers import answer, answers

_NOT_FOUND = -32601


def _result(method: str, params: dict[str, Any]) -> dict[str, Any] | None:
    if method == "initialize":
        info = {"name": "replaying", "version": "1"}
        return {
            "protocolVersion": params["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": info,
        }
    if method == "tools/list":
        return {"tools": [_definition(each.name, each.tool) for each in answers()]}
    if method == "tools/call":
        return answer(params["name"]).result
    return {} if method == "ping" else None


def _definition(name: str, tool: str) -> dict[str, Any]:
    return {"name": name, "description": f"What {tool} said.", "inputSchema": {"type": "object"}}


def main() -> None:
    """Until stdin closes."""
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message:
            continue
        result = _result(message.get("method", ""), message.get("params") or {})
        refusal = {"error": {"code": _NOT_FOUND, "message": "this server only replays"}}
        said = refusal if result is None else {"result": result}
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": message["id"], **said}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
