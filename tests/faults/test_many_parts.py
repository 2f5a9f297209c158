"""Answers of very many small parts: refused before anything is built of them, over every transport."""

import sys
import tracemalloc
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.faults.raw_http import HttpRequest, head, raw_server
from toolbooth.catalog import ServerSpec
from toolbooth.catalog.connect import reach
from toolbooth.catalog.connect.messages import BrokenMessage, Response, read_messages
from toolbooth.errors import FrameTooLarge

MIB = 1 << 20
TEXT = b'{"type":"text","text":"a"}'


def result(items: bytes) -> bytes:
    return b'{"jsonrpc":"2.0","id":7,"result":{"content":[' + items + b"]}}"


@pytest.mark.promise("frames:parts")
@pytest.mark.parametrize(
    ("count", "said"), [(500_000, "over 200,000 objects"), (10_001, "over 10,000 items"), (10_000, "")]
)
def test_a_result_of_very_many_items_is_refused_before_they_are_built(count: int, said: str) -> None:
    frame = result(b",".join([TEXT] * count))
    tracemalloc.start()
    try:
        (message,) = read_messages(frame)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 20 * MIB
    if not said:
        assert isinstance(message, Response)
        return
    assert isinstance(message, BrokenMessage)
    assert isinstance(message.fault, FrameTooLarge)
    assert said in str(message.fault)
    assert message.request_id == 7


@pytest.mark.anyio
@pytest.mark.promise("frames:parts")
@pytest.mark.parametrize("kind", ["application/json", "text/event-stream"])
@pytest.mark.parametrize("part", [b"{},", b"[],", b"0,"])
async def test_a_body_of_very_many_parts_is_given_up_as_it_comes(kind: str, part: bytes) -> None:
    async def script(_heard: HttpRequest) -> AsyncIterator[bytes]:
        start = b"data: " if "event" in kind else b""
        yield head(200, kind) + start + b'{"jsonrpc":"2.0","id":1,"result":{"x":['
        for _ in range(150):
            yield part * (100_000 // len(part))
        yield b"0]}}\n\n"

    async with raw_server(script) as raw:
        tracemalloc.start()
        try:
            reached = await reach(ServerSpec("far", "http", url=f"{raw.url}/mcp", timeout=60))
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    assert isinstance(reached.fault, FrameTooLarge), reached.fault
    assert "sent one message of over" in str(reached.fault)
    assert peak < 40 * MIB


@pytest.mark.anyio
@pytest.mark.promise("frames:parts")
async def test_a_server_on_stdio_that_sends_very_many_parts_is_said(tmp_path: Path) -> None:
    server = tmp_path / "server.py"
    server.write_text(
        "import sys\n"
        "for line in sys.stdin:\n"
        "    body = ','.join(['[]'] * 600_000)\n"
        '    sys.stdout.write(\'{"jsonrpc":"2.0","id":1,"result":{"x":[\' + body + \']}}\\n\')\n'
        "    sys.stdout.flush()\n"
    )
    reached = await reach(
        ServerSpec("near", "stdio", command=sys.executable, args=(str(server),), timeout=60)
    )
    assert isinstance(reached.fault, FrameTooLarge), reached.fault
