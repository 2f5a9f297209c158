"""A stdio server that offers what a JSON file says: `python changing_server.py FILE`; a new file is a new version.

`$NAME` in any text of the file becomes that variable of the environment, as leaky servers do it. The file may hold
`tools`, `prompts`, `resources`, `templates`, `instructions`, `version`, `page` (entries a page) and `refuse` (methods
that are answered with an error).
"""

import json
import os
import sys
from pathlib import Path
from typing import Any

LISTS = {
    "tools/list": ("tools", "tools"),
    "prompts/list": ("prompts", "prompts"),
    "resources/list": ("resources", "resources"),
    "resources/templates/list": ("templates", "resourceTemplates"),
}


def main() -> None:
    offered = json.loads(os.path.expandvars(Path(sys.argv[1]).read_text(encoding="utf-8")))
    for line in sys.stdin.buffer:
        message = json.loads(line)
        if "id" in message:
            answer = {"jsonrpc": "2.0", "id": message["id"], **answered(offered, message)}
            sys.stdout.buffer.write(json.dumps(answer).encode() + b"\n")
            sys.stdout.buffer.flush()


def answered(offered: dict[str, Any], message: dict[str, Any]) -> dict[str, Any]:
    method = message["method"]
    if method == "initialize":
        return {"result": hello(offered)}
    if method in offered.get("refuse", ()) or method not in LISTS:
        code = -32603 if method in offered.get("refuse", ()) else -32601
        return {"error": {"code": code, "message": f"{method} is not for you"}}
    key, name = LISTS[method]
    if key not in offered and key == "templates":
        return {"error": {"code": -32601, "message": "Method not found"}}
    return {
        "result": paged(offered.get(key, []), name, offered.get("page", 100), message.get("params") or {})
    }


def hello(offered: dict[str, Any]) -> dict[str, Any]:
    capabilities: dict[str, Any] = {key: {} for key in ("tools", "prompts", "resources") if key in offered}
    return {
        "protocolVersion": "2025-06-18",
        "capabilities": capabilities,
        "serverInfo": {"name": "changing", "title": "Changing", "version": offered.get("version", "1")},
        "instructions": offered.get("instructions", ""),
    }


def paged(entries: list[Any], name: str, size: int, params: dict[str, Any]) -> dict[str, Any]:
    start = int(params.get("cursor") or 0)
    more = {"nextCursor": str(start + size)} if len(entries) > start + size else {}
    return {name: entries[start : start + size], **more}


if __name__ == "__main__":
    main()
