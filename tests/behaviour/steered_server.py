"""A real MCP server that a test steers by files in a folder, and that notes there what happens to it.

`python steered_server.py FOLDER [PORT]`: on stdio, or over HTTP at a port. Files that are read: `tools` (names, one a
line), `words` (JSON: their descriptions by name), `instructions`, `hold` (as long as it is there, no handshake is
answered), `refuse` (as long as it is there, no list is given). Files that are written: `starts`, `heard`, `headers`. A
tool `announce` says that the list has changed, and a tool `end` ends the server.
"""

import json
import os
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Queue
from typing import Any

folder = Path(sys.argv[1])
writing = threading.Lock()
answers: dict[str, "Queue[dict[str, Any]]"] = {}
TEXT = {"type": "object", "properties": {"text": {"type": "string"}}}


def note(file: str, text: object) -> None:
    with writing, (folder / file).open("a", encoding="utf-8") as notes:
        notes.write(f"{text}\n")


def wait_for(path: Path, *, there: bool) -> None:
    while path.exists() is not there:
        time.sleep(0.01)


def tools() -> list[dict[str, Any]]:
    listed = folder / "tools"
    names = listed.read_text().split() if listed.exists() else ["echo", "wait", "long", "variable", "ask"]
    words = json.loads((folder / "words").read_text()) if (folder / "words").exists() else {}
    return [
        {"name": name, "description": words.get(name, f"The tool {name}."), "inputSchema": TEXT}
        for name in names
    ]


def call(name: str, text: str) -> str:
    note("heard", f"{name} {text}")
    if name == "wait":  # for a file to appear, whose name is the argument
        wait_for(folder / text, there=True)
    if name == "announce":
        write({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})
    if name == "end":
        os._exit(1)
    if name == "ask":  # the client's user, on stdio
        return ask(text)
    if name == "long":
        return "\n".join(f"line {number} {text}" for number in range(20_000))
    return os.environ.get(text, "unset") if name == "variable" else f"{name} says {text}"


def ask(text: str) -> str:
    """A question as old servers ask it: nothing says to which call it belongs."""
    number = f"q{len(answers) + 1}"
    answers[number] = Queue()
    params = {"message": text, "requestedSchema": {"type": "object", "properties": {}}}
    write({"jsonrpc": "2.0", "id": number, "method": "elicitation/create", "params": params})
    reply = answers[number].get()
    return (
        f"answered {reply['result']['action']}"
        if "result" in reply
        else f"refused: {reply['error']['message']}"
    )


def write(message: dict[str, Any]) -> None:
    with writing:
        os.write(1, json.dumps(message).encode() + b"\n")


def result_of(method: str, params: dict[str, Any]) -> dict[str, Any]:
    if method == "initialize":
        wait_for(folder / "hold", there=False)
        about = {"name": "steered", "version": "1"}
        capabilities = {"tools": {"listChanged": True}}
        hello = {"protocolVersion": "2025-11-25", "capabilities": capabilities, "serverInfo": about}
        reported = folder / "instructions"
        return {**hello, "instructions": reported.read_text()} if reported.exists() else hello
    if method == "tools/list" and not (folder / "refuse").exists():
        return {"tools": tools()}
    if method == "tools/call":
        said = call(params["name"], str(params.get("arguments", {}).get("text")))
        return {"content": [{"type": "text", "text": said}]}
    raise LookupError


def answer(message: dict[str, Any]) -> dict[str, Any]:
    head = {"jsonrpc": "2.0", "id": message["id"]}
    try:
        return {**head, "result": result_of(message["method"], message.get("params") or {})}
    except LookupError:
        return {**head, "error": {"code": -32601, "message": "Method not found"}}


def on_stdio() -> None:
    def reply(message: dict[str, Any]) -> None:
        write(answer(message))

    for line in sys.stdin:
        message = json.loads(line)
        if message.get("id") in answers:
            answers[message["id"]].put(message)
        elif "id" in message:
            threading.Thread(target=reply, args=(message,), daemon=True).start()
        else:
            note("heard", message["method"])


class OverHttp(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        message = json.loads(self.rfile.read(int(self.headers["content-length"])))
        note("headers", json.dumps(dict(self.headers)))
        self.send_response(200 if "id" in message else 202)
        body = json.dumps(answer(message)).encode() if "id" in message else b""
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self) -> None:
        self.send_error(405)

    def log_message(self, *_: object) -> None:
        return


if __name__ == "__main__":
    note("starts", os.getpid())
    if len(sys.argv) > 2:
        ThreadingHTTPServer(("127.0.0.1", int(sys.argv[2])), OverHttp).serve_forever()
    else:
        on_stdio()
