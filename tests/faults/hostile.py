"""A stdio server that misbehaves in one named way: `python hostile.py MODE`. Speaks just enough MCP to get there."""

import json
import os
import sys
import time
from collections.abc import Callable
from typing import Any

out = sys.stdout.buffer
TOOL = {"name": "ok", "description": "A sound tool.", "inputSchema": {"type": "object"}}


def send(raw: bytes) -> None:
    out.write(raw)
    out.flush()


def reply(request_id: Any, result: Any) -> None:
    send(json.dumps({"jsonrpc": "2.0", "id": request_id, "result": result}).encode() + b"\n")


def raw_list(request_id: Any, payload: bytes) -> None:
    """A tools/list answer with `payload` as the raw JSON of one description."""
    send(
        b'{"jsonrpc":"2.0","id":%d,"result":{"tools":[{"name":"x","description":%s}]}}\n'
        % (request_id, payload)
    )


def flood(request_id: Any) -> None:
    send(b'{"jsonrpc":"2.0","id":%d,"result":{"tools":[],"blob":"' % request_id)
    for _ in range(100):
        send(b"x" * 1_000_000)
    send(b'"}}\n')


def never_ending_line(request_id: Any) -> None:
    send(b'{"jsonrpc":"2.0","id":%d,"result":{"blob":"' % request_id)
    while True:
        send(b"x" * 1_000_000)


def drip(request_id: Any) -> None:
    for byte in json.dumps({"jsonrpc": "2.0", "id": request_id, "result": {"tools": [TOOL]}}).encode():
        send(bytes([byte]))
        time.sleep(0.2)


def crash(request_id: Any) -> None:
    print("panic: \x1b[31mcore\x1b[0m melted", file=sys.stderr, flush=True)
    os._exit(7)


def half_a_line(request_id: Any) -> None:
    send(b'{"jsonrpc":"2.0","id":%d,"res' % request_id)
    os._exit(0)


def hang(request_id: Any) -> None:
    time.sleep(3600)


def stderr_flood(request_id: Any) -> None:
    for _ in range(200):
        os.write(2, b"e" * 65_536)
    reply(request_id, {"tools": [TOOL]})


def banner(request_id: Any) -> None:
    send(b"Server ready \x1b[32m*\x1b[0m\n\nlistening...\n")
    reply(request_id, {"tools": [TOOL]})


def endless_noise(request_id: Any) -> None:
    while True:
        send(b"y\n" * 4096)


def endless_cursor(request_id: Any) -> None:
    reply(request_id, {"tools": [{**TOOL, "name": f"t{request_id}"}], "nextCursor": f"c{request_id}"})


def circling_cursor(request_id: Any) -> None:
    reply(request_id, {"tools": [{**TOOL, "name": f"t{request_id}"}], "nextCursor": "again"})


def wrong_then_double_id(request_id: Any) -> None:
    reply(99_999, {"tools": []})
    reply(request_id, {"tools": [TOOL]})
    reply(request_id, {"tools": []})


def list_of(*tools: Any) -> Callable[[Any], None]:
    return lambda request_id: reply(request_id, {"tools": list(tools)})


def described(payload: bytes) -> Callable[[Any], None]:
    return lambda request_id: raw_list(request_id, payload)


def answer(**message: Any) -> Callable[[Any], None]:
    return lambda request_id: send(
        json.dumps({"jsonrpc": "2.0", "id": request_id, **message}).encode() + b"\n"
    )


ON_LIST: dict[str, Callable[[Any], None]] = {
    "flood": flood,
    "never-ending-line": never_ending_line,
    "drip": drip,
    "crash": crash,
    "half-a-line": half_a_line,
    "hang": hang,
    "stderr-flood": stderr_flood,
    "banner": banner,
    "endless-noise": endless_noise,
    "endless-cursor": endless_cursor,
    "circling-cursor": circling_cursor,
    "wrong-then-double-id": wrong_then_double_id,
    "sound": list_of(TOOL),
    "quits-on-discover": list_of(TOOL),
    "odd-refusal": list_of(TOOL),
    "broken-discover": list_of(TOOL),
    "one-bad-tool": list_of(
        TOOL, 7, {"name": "b", "inputSchema": []}, {"description": "no name"}, {"name": "c"}
    ),
    "duplicate-names": list_of(TOOL, {**TOOL, "description": "second"}),
    "too-many-tools": list_of(*({**TOOL, "name": f"t{n}"} for n in range(20_500))),
    "no-list": answer(result={"items": []}),
    "both": answer(result={"tools": []}, error={"code": 1, "message": "x"}),
    "result-is-text": answer(result="tools"),
    "refusal": answer(error={"code": -32000, "message": "no \x1b[31mway\u202e"}),
    "not-json": described(b"{oops"),
    "bad-utf8": described(b'"\xff\xfe"'),
    "lone-surrogate": described(b'"\\ud800"'),
    "deep": described(b"[" * 200_000 + b"]" * 200_000),
    "long-integer": described(b"9" * 100_000),
    "nan": described(b"NaN"),
    "infinity": described(b"Infinity"),
    "overflow": described(b"1e999"),
    "batch": lambda request_id: send(
        json.dumps([{"jsonrpc": "2.0", "id": request_id, "result": {"tools": [TOOL]}}]).encode() + b"\n"
    ),
}


def main() -> None:
    mode = sys.argv[1]
    if mode == "exit-at-once":
        sys.exit("usage: hostile --token REQUIRED\nmissing \x1b[1mAPI_KEY\x1b[0m")
    if mode == "mute":
        time.sleep(3600)
    if mode == "leaks":
        sys.exit(f"cannot log in with {os.environ.get('TOK')}")
    for line in sys.stdin.buffer:
        message = json.loads(line)
        method, request_id = message.get("method"), message.get("id")
        if method == "initialize":
            reply(
                request_id,
                {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "h"}},
            )
        elif method == "tools/list":
            ON_LIST[mode](request_id)
        elif mode == "quits-on-discover" and method == "server/discover":
            sys.exit("Error: expect initialize, but received: server/discover")
        elif mode == "odd-refusal" and request_id is not None:
            refusal = {"code": -32600, "message": "Failed to parse request: unknown method"}
            send(json.dumps({"jsonrpc": "2.0", "id": request_id, "error": refusal}).encode() + b"\n")
        elif mode == "broken-discover" and request_id is not None:
            send(b'{"jsonrpc":"2.0","id":%d,oops}\n' % request_id)
        elif request_id is not None:
            send(
                json.dumps(
                    {"jsonrpc": "2.0", "id": request_id, "error": {"code": -32601, "message": "?"}}
                ).encode()
                + b"\n"
            )


main()
