"""HTTP servers that never come to the point: connecting and leaving end all the same, each with one typed error."""

import json
from collections.abc import AsyncIterator
from typing import Any

import anyio
import pytest

from tests.faults.raw_http import HttpRequest, Script, head, raw_server
from toolbooth.catalog import ServerSpec
from toolbooth.catalog.connect import reach
from toolbooth.errors import (
    BackendCrashed,
    BackendFault,
    BackendProtocolError,
    BackendRefused,
    BackendTimeout,
    FrameTooLarge,
)

pytestmark = pytest.mark.anyio
EVENTS = "text/event-stream"


async def nothing_more() -> None:
    await anyio.sleep_forever()


async def silent(_heard: HttpRequest) -> AsyncIterator[bytes]:
    yield head(200, EVENTS)
    await nothing_more()


async def chatting(_heard: HttpRequest) -> AsyncIterator[bytes]:
    yield head(200, EVENTS)
    while True:
        yield b": still here\n\nevent: other\ndata: 1\n\n"
        await anyio.sleep(0.01)


async def dripping_header(_heard: HttpRequest) -> AsyncIterator[bytes]:
    yield b"HTTP/1.1 200 OK\r\nx-long: "
    while True:
        yield b"a"
        await anyio.sleep(0.01)


async def endless_header(_heard: HttpRequest) -> AsyncIterator[bytes]:
    yield b"HTTP/1.1 200 OK\r\nx-long: "
    while True:
        yield b"a" * 10_000


async def always_continue(_heard: HttpRequest) -> AsyncIterator[bytes]:
    while True:
        yield b"HTTP/1.1 100 Continue\r\n\r\n"
        await anyio.sleep(0.01)


async def circling(heard: HttpRequest) -> AsyncIterator[bytes]:
    yield head(307, location=heard.path + "x")


async def ending(_heard: HttpRequest) -> AsyncIterator[bytes]:
    yield head(200, EVENTS)


async def huge_event(_heard: HttpRequest) -> AsyncIterator[bytes]:
    yield head(200, EVENTS) + b"event: endpoint\ndata: "
    while True:
        yield b"x" * 100_000


@pytest.mark.promise("http:deadlines")
@pytest.mark.parametrize(
    ("script", "fault"),
    [
        (silent, BackendTimeout),
        (chatting, BackendTimeout),
        (dripping_header, BackendTimeout),
        (endless_header, BackendCrashed),
        (always_continue, BackendTimeout),
        (circling, BackendRefused),
        (ending, BackendCrashed),
        (huge_event, FrameTooLarge),
    ],
    ids=lambda each: each.__name__,
)
async def test_an_sse_server_that_names_no_endpoint_is_given_up(
    script: Script, fault: type[BackendFault]
) -> None:
    async with raw_server(script) as raw:
        patience = 2 if fault is BackendTimeout else 60  # nothing races against the short one
        reached = await reach(ServerSpec("far", "sse", url=f"{raw.url}/sse", timeout=patience))
        assert isinstance(reached.fault, fault), reached.fault
        assert len(raw.requests) <= 25
        assert all(heard.method == "GET" for heard in raw.requests)


@pytest.mark.promise("http:endpoint")
@pytest.mark.parametrize(
    "endpoint",
    [
        "{other}/messages",
        "//{other_host}/messages",
        "https://{own_host}/messages",
        "http://[",
        "file:///etc/passwd",
    ],
)
async def test_an_endpoint_on_another_origin_is_refused_at_once(endpoint: str) -> None:
    async with raw_server(silent) as other:

        async def script(heard: HttpRequest) -> AsyncIterator[bytes]:
            own_host = next(line[6:] for line in heard.head.split("\r\n") if line.startswith("Host: "))
            named = endpoint.format(
                other=other.url, other_host=other.url.removeprefix("http://"), own_host=own_host
            )
            yield head(200, EVENTS) + f"event: endpoint\ndata: {named}\n\n".encode()
            await nothing_more()

        async with raw_server(script) as raw:
            spec = ServerSpec(
                "far", "sse", url=f"{raw.url}/sse", headers={"Authorization": "secret"}, timeout=600
            )
            reached = await reach(spec)
        assert isinstance(reached.fault, BackendProtocolError)
        assert "endpoint" in str(reached.fault)
        assert other.connections == 0


def answer(body: bytes, **result: Any) -> bytes:
    text = json.dumps({"jsonrpc": "2.0", "id": json.loads(body).get("id"), "result": result}).encode()
    return head(200, mcp_session_id="s1", content_length=str(len(text))) + text


async def sound(heard: HttpRequest) -> AsyncIterator[bytes]:
    """An old server of Streamable HTTP with one tool."""
    if b'"initialize"' in heard.body:
        about = {"capabilities": {"tools": {}}, "serverInfo": {"name": "h", "version": "1"}}
        yield answer(heard.body, protocolVersion="2025-06-18", **about)
    elif b'"tools/list"' in heard.body:
        yield answer(heard.body, tools=[{"name": "ok", "inputSchema": {"type": "object"}}])
    else:
        yield head(202 if b'"id"' not in heard.body else 400, content_length="0")


@pytest.mark.promise("http:deadlines")
@pytest.mark.parametrize("script", [silent, dripping_header, endless_header, circling, always_continue])
@pytest.mark.parametrize("method", ["GET", "DELETE"])
async def test_a_server_whose_own_stream_or_farewell_hangs_is_listed_all_the_same(
    method: str, script: Script
) -> None:
    async def mixed(heard: HttpRequest) -> AsyncIterator[bytes]:
        async for data in (script if heard.method == method else sound)(heard):
            yield data

    async with raw_server(mixed) as raw:
        reached = await reach(ServerSpec("far", "http", url=f"{raw.url}/mcp", timeout=60))
        assert reached.tools is not None, reached.fault
        assert [tool.name for tool in reached.tools.tools] == ["ok"]


@pytest.mark.promise("http:deadlines")
async def test_a_stream_that_is_closed_at_once_is_not_asked_for_in_a_busy_loop() -> None:
    listing = anyio.Event()

    async def script(heard: HttpRequest) -> AsyncIterator[bytes]:
        if heard.method == "GET":
            yield head(200, EVENTS) + b"retry: 0\nid: 1\ndata:\n\n"
            return
        if b'"tools/list"' in heard.body:
            listing.set()
            await anyio.sleep(3)
        async for data in sound(heard):
            yield data

    async with raw_server(script) as raw:
        await reach(ServerSpec("far", "http", url=f"{raw.url}/mcp", timeout=60))
        assert listing.is_set()
        asked = sum(heard.method == "GET" for heard in raw.requests)
    assert asked <= 30 + 60  # without a bound, some thousands in these seconds
