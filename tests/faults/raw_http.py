"""An HTTP server on loopback that answers with the very bytes it is given, and counts what it sent and heard."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import anyio
from anyio.abc import SocketAttribute, SocketStream

Script = Callable[["HttpRequest"], AsyncIterator[bytes]]


@dataclass(frozen=True)
class HttpRequest:
    """One request."""

    method: str
    path: str
    head: str
    body: bytes


@dataclass
class RawServer:
    """A running server, as the tests see it."""

    url: str
    requests: list[HttpRequest] = field(default_factory=list)
    sent: dict[str, int] = field(default_factory=dict)  # bytes in answer to each method
    connections: int = 0


@asynccontextmanager
async def raw_server(script: Script) -> AsyncIterator[RawServer]:
    """Each connection hears one request after the other until the script's bytes end one without a length."""
    listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
    raw = RawServer(f"http://127.0.0.1:{listener.extra(SocketAttribute.local_port)}")  # noqa: S610 - anyio's

    async def serve(stream: SocketStream) -> None:
        raw.connections += 1
        async with stream:
            try:
                heard = await _request(stream)
                raw.requests.append(heard)
                async for data in script(heard):
                    await stream.send(data)
                    raw.sent[heard.method] = raw.sent.get(heard.method, 0) + len(data)
            except (anyio.BrokenResourceError, anyio.EndOfStream):
                return

    async with listener, anyio.create_task_group() as tasks:
        tasks.start_soon(listener.serve, serve)
        yield raw
        tasks.cancel_scope.cancel()


async def _request(stream: SocketStream) -> HttpRequest:
    data = b""
    while b"\r\n\r\n" not in data:
        data += await stream.receive()
    head, _, body = data.partition(b"\r\n\r\n")
    text = head.decode("latin-1")
    lengths = [
        line.split(":")[1] for line in text.split("\r\n") if line.lower().startswith("content-length:")
    ]
    while len(body) < int(lengths[0] if lengths else 0):
        body += await stream.receive()
    method, path, _ = text.split(" ", 2)
    return HttpRequest(method, path, text, body)


def head(status: int = 200, kind: str = "application/json", **headers: str) -> bytes:
    """The beginning of an answer that ends with its connection."""
    lines = [f"HTTP/1.1 {status} As told", f"content-type: {kind}", "connection: close"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()
