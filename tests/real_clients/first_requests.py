"""Run a client once beside a provider that says "done" to everything, and print the requests as JSON.

`python first_requests.py COMMAND...`; `{url}` in words and in the environment stands for the provider. Started in a
network namespace of its own (`unshare -n`), it brings loopback up, and nothing that the client does can leave it.
"""

import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

requests: list[dict[str, Any]] = []
_MESSAGE = {"id": "m", "type": "message", "role": "assistant", "model": "m", "stop_sequence": None}
_USAGE = {"input_tokens": 9, "output_tokens": 1, "total_tokens": 10}


def messages() -> list[tuple[str, dict[str, Any]]]:
    return [
        ("message_start", {"message": {**_MESSAGE, "content": [], "stop_reason": None, "usage": _USAGE}}),
        ("content_block_start", {"index": 0, "content_block": {"type": "text", "text": ""}}),
        ("content_block_delta", {"index": 0, "delta": {"type": "text_delta", "text": "done"}}),
        ("content_block_stop", {"index": 0}),
        ("message_delta", {"delta": {"stop_reason": "end_turn"}, "usage": _USAGE}),
        ("message_stop", {}),
    ]


def responses() -> list[tuple[str, dict[str, Any]]]:
    said = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "done"}]}
    return [
        ("response.created", {"response": {"id": "r"}}),
        ("response.output_item.done", {"output_index": 0, "item": {**said, "id": "i"}}),
        ("response.completed", {"response": {"id": "r", "output": [], "usage": _USAGE}}),
    ]


class Provider(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        path = self.path.partition("?")[0]
        if path.endswith(("/messages", "/responses")):
            requests.append(body)
        events = responses() if path.endswith("/responses") else messages()
        said = "".join(
            f"event: {kind}\ndata: {json.dumps({'type': kind, **data})}\n\n" for kind, data in events
        )
        self._send(said.encode(), "text/event-stream")

    def do_GET(self) -> None:
        self._send(b'{"data": [], "models": []}', "application/json")

    def do_HEAD(self) -> None:
        self._send(b"", "application/json")

    def _send(self, body: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_words: object) -> None:
        return


if __name__ == "__main__":
    subprocess.run(["ip", "link", "set", "lo", "up"], check=False, capture_output=True)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Provider)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}"
    environ = {name: value.replace("{url}", url) for name, value in os.environ.items()}
    words = [word.replace("{url}", url) for word in sys.argv[1:]]
    done = subprocess.run(
        words, env=environ, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    print(json.dumps({"requests": requests, "code": done.returncode, "said": done.stdout + done.stderr}))
