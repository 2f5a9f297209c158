"""A stdio MCP server with a given number of tools: one echoes, one answers with 16 MB, the rest only fill the menu.

With a second argument, `2026-07-28`, it is a stateless server and knows no other version. It needs only
the standard library and has one thread, so that the gateway in front of it is what is measured.
"""

import json
import sys
from typing import Any, BinaryIO

FAT_TEXT = b"x" * 16_000_000
VERBS = ("create", "read", "list", "delete", "search", "update", "merge", "export")
THINGS = ("invoice", "ticket", "calendar", "branch", "folder", "message", "report", "contact", "sensor")
METHOD_NOT_FOUND = -32601
STATELESS = "2026-07-28"


def tools(count: int) -> list[dict[str, Any]]:
    return [_echo(), _fat(), *(_crowd(number) for number in range(2, count))]


def _echo() -> dict[str, Any]:
    schema = {"type": "object", "properties": {"message": {"type": "string"}}, "required": ["message"]}
    return {"name": "echo", "description": "Echoes the message back.", "inputSchema": schema}


def _fat() -> dict[str, Any]:
    return {
        "name": "fat",
        "description": "Answers with 16 MB.",
        "inputSchema": {"type": "object", "properties": {}},
    }


def _crowd(number: int) -> dict[str, Any]:
    verb, thing = VERBS[number % len(VERBS)], THINGS[number // len(VERBS) % len(THINGS)]
    properties = {
        "id": {"type": "string", "description": f"Which {thing} is meant."},
        "fields": {"type": "array", "items": {"type": "string"}, "description": "What to give back."},
        "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 10},
    }
    return {
        "name": f"{verb}_{thing}_{number}",
        "description": f"Use this to {verb} one {thing} of the shelf {number}, with a trace of who asked.",
        "inputSchema": {"type": "object", "properties": properties, "required": ["id"]},
    }


def hello(message: dict[str, Any], version: str) -> dict[str, Any]:
    """What a server of this version says of itself; each knows only the method of its own."""
    said = {"capabilities": {"tools": {}}, "serverInfo": {"name": "fake", "version": "1"}}
    if version == STATELESS and message["method"] == "server/discover":
        return {"supportedVersions": [STATELESS], **said}
    if version != STATELESS and message["method"] == "initialize":
        return {"protocolVersion": message["params"]["protocolVersion"], **said}
    raise LookupError(message["method"])


def answer(message: dict[str, Any], listed: list[dict[str, Any]]) -> dict[str, Any]:
    params = message.get("params") or {}
    match message["method"]:
        case "tools/list":
            return {"tools": listed}
        case "tools/call" if params["name"] == "echo":
            return {"content": [{"type": "text", "text": f"Echo: {params['arguments']['message']}"}]}
        case "ping":
            return {}
    raise LookupError(message["method"])


def serve(count: int, version: str, requests: BinaryIO, answers: BinaryIO) -> None:
    listed, stateless = tools(count), version == STATELESS
    complete = {"resultType": "complete"} if stateless else {}
    for line in requests:
        message = json.loads(line)
        if "id" not in message or "method" not in message:
            continue
        if message["method"] == "tools/call" and message["params"]["name"] == "fat":
            _write_fat(message["id"], complete, answers)
            continue
        reply: dict[str, Any] = {"jsonrpc": "2.0", "id": message["id"]}
        try:
            greets = message["method"] in ("initialize", "server/discover")
            reply["result"] = {**complete, **(hello(message, version) if greets else answer(message, listed))}
        except LookupError as unknown:
            reply["error"] = {"code": METHOD_NOT_FOUND, "message": f"no such method: {unknown}"}
        answers.write(json.dumps(reply).encode() + b"\n")
        answers.flush()


def _write_fat(number: object, beside: dict[str, str], answers: BinaryIO) -> None:
    result = {**beside, "content": [{"type": "text", "text": "FAT"}]}
    head, end = json.dumps({"jsonrpc": "2.0", "id": number, "result": result}).encode().split(b"FAT")
    answers.write(head)
    answers.write(FAT_TEXT)
    answers.write(end + b"\n")
    answers.flush()


if __name__ == "__main__":
    serve(int(sys.argv[1]), "".join(sys.argv[2:]), sys.stdin.buffer, sys.stdout.buffer)
