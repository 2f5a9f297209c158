"""A real HTTP server on loopback that speaks the wire formats of model providers, by a script of answers.

`with provider_server([Says(calls=[Calls("add", {"a": 1})]), Says("3")]) as server` answers one request after the other,
in Anthropic's Messages, OpenAI's Chat Completions and Responses, or Gemini's generateContent: by the path that is asked
for. `server.requests` are the requests as they came. An answer may also be a function of the request.
"""

import json
import socket
import struct
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

from tests.provider_formats import Calls, Fails, Says, error_body, written


class Sends(NamedTuple):
    """These very bytes, whatever they are."""

    body: bytes
    status: int = 200
    content_type: str = "application/json"


class Hangs(NamedTuple):
    """Takes the request, and never answers."""


class Resets(NamedTuple):
    """Takes the request, and breaks the connection."""


@dataclass(frozen=True)
class Asked:
    """One request as it came; header names in lower case."""

    path: str
    headers: Mapping[str, str]
    body: Any
    raw: bytes = field(repr=False)


Answer = Says | Fails | Sends | Hangs | Resets
Script = Sequence["Answer | Callable[[Asked], Answer]"]


class ProviderServer(ThreadingHTTPServer):
    """The running server; past its script it refuses, so that no test goes on by accident."""

    daemon_threads = False  # closing waits for them
    request_queue_size = 128  # many clients at once: beyond it the system lets them wait a second

    def __init__(self, script: Script) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.script = list(script)
        self.requests: list[Asked] = []
        self.arrived = threading.Semaphore(0)  # released once a request: a test can wait for one
        self.ended = threading.Event()
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()

    @property
    def url(self) -> str:
        """What Anthropic's and Google's packages take as base URL."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    @property
    def openai_url(self) -> str:
        """The same for OpenAI's and compatible ones."""
        return f"{self.url}/v1"

    def answer(self, asked: Asked) -> Answer:
        with self._lock:
            self.requests.append(asked)
            at = len(self.requests) - 1
        self.arrived.release()
        if at >= len(self.script):
            return Fails(410, "the script is over")
        step = self.script[at]
        return step(asked) if callable(step) else step

    def process_request(self, request: Any, client_address: Any) -> None:
        with self._lock:
            self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        with self._lock:
            self._open.discard(request)
        super().shutdown_request(request)

    def end(self) -> None:
        """Ends what hangs and what is kept alive, then waits for its threads."""
        self.ended.set()
        self.shutdown()
        with self._lock:
            still_open = list(self._open)
        for connection in still_open:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        self.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # else each body waits 40 ms for its headers to be acknowledged
    server: ProviderServer

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length", 0)))
        headers = {name.lower(): value for name, value in self.headers.items()}
        asked = Asked(self.path, headers, _json(raw), raw)
        answer = self.server.answer(asked)
        if isinstance(answer, Hangs):
            self.server.ended.wait()
            self.close_connection = True
        elif isinstance(answer, Resets):
            self._reset()
        elif isinstance(answer, Sends):
            self._send(answer.status, answer.body, {"content-type": answer.content_type})
        elif isinstance(answer, Fails):
            self._send_json(answer.status, error_body(self.path, answer), answer.headers)
        else:
            self._send_json(200, written(self.path, asked.body, answer, len(self.server.requests)), {})

    def _send_json(self, status: int, body: Any, headers: Mapping[str, str]) -> None:
        self._send(status, json.dumps(body).encode(), {"content-type": "application/json", **headers})

    def _send(self, status: int, body: bytes, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in {**headers, "content-length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        with suppress(OSError):  # a client that was cancelled is gone by now
            self.wfile.write(body)

    def _reset(self) -> None:
        # Closing with nothing to linger for sends a reset instead of an orderly end.
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True
        self.rfile.close()
        self.connection.close()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 (the name is the base class's)
        """Says nothing."""


def _json(raw: bytes) -> Any:
    try:
        return json.loads(raw)
    except ValueError:
        return None


@contextmanager
def provider_server(script: Script = ()) -> Iterator[ProviderServer]:
    """Runs it in a thread for as long as the block lasts."""
    server = ProviderServer(script)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.end()
        thread.join()


__all__ = [
    "Answer",
    "Asked",
    "Calls",
    "Fails",
    "Hangs",
    "ProviderServer",
    "Resets",
    "Says",
    "Sends",
    "provider_server",
]
