"""What is said to a client on stdio: in order, whole, and its answers find who asked."""

import asyncio
import json
import os
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, BinaryIO

import anyio
import anyio.lowlevel
import pytest

from toolbooth.catalog.connect import QuestionRefused, RawResult, take_all
from toolbooth.gateway.daemon.bridge import JOURNAL_BYTES
from toolbooth.gateway.daemon.journal import RequestJournal
from toolbooth.gateway.process import run
from toolbooth.gateway.session import Refusal
from toolbooth.gateway.transports.stdio_pipe import Pipe
from toolbooth.gateway.transports.stdio_writer import StdioWriter


class Client:
    """The reading end."""

    def __init__(self) -> None:
        self.stdout, self._theirs = os.pipe()
        self._stdin, self._ours = os.pipe()
        self.pipe = Pipe(lambda _frame: None)
        self.writer = StdioWriter(self.pipe, None)

    async def open(self) -> None:
        await self.pipe.open(self._stdin, self._theirs)

    async def heard(self, size: int = 1 << 20) -> list[Any]:
        await self.writer.drain(240)
        return [json.loads(line) for line in os.read(self.stdout, size).splitlines()]

    def read_until(self, end: bytes) -> bytes:
        got = b""
        while not got.endswith(end):
            got += os.read(self.stdout, 1 << 20)
        return got

    def close(self) -> None:
        self.pipe.close()
        for descriptor in (self.stdout, self._ours):
            os.close(descriptor)


def with_client(test: Callable[[Client], Awaitable[None]]) -> None:
    async def main() -> None:
        client = Client()
        await client.open()
        with anyio.fail_after(240):
            await test(client)
        client.close()

    with ThreadPoolExecutor(1) as thread:  # of its own: tests before may have left a loop in this one
        thread.submit(run, main).result()


def test_results_errors_and_notifications_keep_their_order() -> None:
    async def test(client: Client) -> None:
        client.writer.notify("notifications/progress", {"progress": 1})
        client.writer.result(1, {"content": []})
        client.writer.result("b", RawResult(b'{"content":[],"n":1e999}'))
        client.writer.error(3, Refusal(-32602, "no", {"why": 1}))
        await client.writer.drain(240)
        lines = os.read(client.stdout, 10_000).splitlines()
        assert lines == [
            b'{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}',
            b'{"jsonrpc":"2.0","id":1,"result":{"content":[]}}',
            b'{"jsonrpc":"2.0","id":"b","result":{"content":[],"n":1e999}}',
            b'{"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"no","data":{"why":1}}}',
        ]

    with_client(test)


def test_a_large_result_arrives_whole() -> None:
    async def test(client: Client) -> None:
        data = b'{"text":"' + b"x" * 1_000_000 + b'"}'
        client.writer.result(1, RawResult(data))

        assert (
            await anyio.to_thread.run_sync(client.read_until, b"\n")
            == b'{"jsonrpc":"2.0","id":1,"result":' + data + b"}\n"
        )

    with_client(test)


def test_the_first_answer_of_a_chunk_goes_at_once_and_the_others_together() -> None:
    async def test(client: Client) -> None:
        first: list[bytes] = []

        def answer(number: int) -> None:
            client.writer.result(number, RawResult(b"{}"))
            if number == 100:
                first.append(os.read(client.stdout, 10_000))

        take_all(iter(range(1, 101)), answer)
        assert first == [b'{"jsonrpc":"2.0","id":1,"result":{}}\n']
        assert [each["id"] for each in await client.heard()] == [*range(2, 101)]

    with_client(test)


def test_a_request_stays_noted_until_the_system_has_its_answer(tmp_path: Path) -> None:
    memory = tmp_path / "journal"
    memory.write_bytes(bytes(JOURNAL_BYTES))

    async def test(client: Client) -> None:
        with memory.open("r+b") as file:
            writer = StdioWriter(client.pipe, noting := RequestJournal(file.fileno()))
            for number in (1, 2, 3):
                noting.begin(number)
            opens: list[set[int | str]] = []

            def answer(number: int) -> None:
                data = b"{}" if number < 3 else b'{"text":"' + b"x" * 1_000_000 + b'"}'
                writer.result(number, RawResult(data))
                opens.append(open_requests(file))

            take_all(iter((1, 2, 3)), answer)
            assert opens == [{2, 3}, {2, 3}, {3}]
            draining = asyncio.ensure_future(writer.drain(240))
            await anyio.to_thread.run_sync(client.read_until, b'x"}}\n')
            await draining
            assert open_requests(file) == set()

    with_client(test)


def open_requests(memory: BinaryIO) -> set[int | str]:
    """As the daemon that takes over finds them."""
    return set(RequestJournal(memory.fileno()).interrupted())


def test_an_answer_of_the_client_finds_who_asked() -> None:
    async def test(client: Client) -> None:
        one = asyncio.ensure_future(client.writer.ask("roots/list", None))
        two = asyncio.ensure_future(client.writer.ask("elicitation/create", {"message": "?"}))
        await anyio.lowlevel.checkpoint()
        first, second = await client.heard()
        assert client.writer.hear({"id": second["id"], "error": {"code": -1, "message": "no", "data": 5}})
        assert client.writer.hear({"id": first["id"], "result": {"roots": []}})
        assert await one == {"roots": []}
        with pytest.raises(QuestionRefused) as refused:
            await two
        assert (refused.value.code, refused.value.message, refused.value.data) == (-1, "no", 5)
        assert not client.writer.hear({"id": first["id"], "result": {}})

    with_client(test)


def test_a_question_that_nobody_waits_for_is_taken_back() -> None:
    async def test(client: Client) -> None:
        asking = asyncio.ensure_future(client.writer.ask("sampling/createMessage", {}))
        await anyio.lowlevel.checkpoint()
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        question, taken_back = await client.heard()
        assert taken_back == {
            "jsonrpc": "2.0",
            "method": "notifications/cancelled",
            "params": {"requestId": question["id"]},
        }

    with_client(test)


def test_the_end_leaves_nobody_waiting() -> None:
    async def test(client: Client) -> None:
        asking = asyncio.ensure_future(client.writer.ask("roots/list", None))
        await anyio.lowlevel.checkpoint()
        client.writer.end()
        with pytest.raises(asyncio.CancelledError):
            await asking

    with_client(test)
