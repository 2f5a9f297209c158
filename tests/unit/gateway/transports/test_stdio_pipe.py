"""A client's two descriptors: frames in, bytes out, whatever kind of file they are."""

import asyncio
import os
import socket
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import anyio
import pytest

from toolbooth.catalog.connect import Frame
from toolbooth.gateway.process import run
from toolbooth.gateway.transports.stdio_pipe import Pipe

LONG = 900_000  # bytes: several times what a socket holds


class Client:
    """The other ends."""

    def __init__(self) -> None:
        self.frames: list[bytes] = []
        self.arrived = anyio.Event()
        self.pipe = Pipe(self._take)

    def _take(self, event: object) -> None:
        assert isinstance(event, Frame)
        self.frames.append(bytes(event.data))
        self.arrived.set()


def plain_loop(main: Callable[[], Coroutine[None, None, None]]) -> None:
    asyncio.run(main())


def with_client(test: Callable[[Client], Awaitable[None]], loop: Callable[..., None] = run) -> None:
    async def main() -> None:
        with anyio.fail_after(240):
            await test(Client())

    with ThreadPoolExecutor(1) as thread:  # of its own: tests before may have left a loop in this one
        thread.submit(loop, main).result()


def test_frames_come_in_and_bytes_go_out_over_pipes() -> None:
    async def test(client: Client) -> None:
        their_in, our_out = os.pipe()
        our_in, their_out = os.pipe()
        await client.pipe.open(our_in, our_out)
        os.write(their_out, b'{"a":1}\n{"b"')
        os.write(their_out, b":2}\n")
        while len(client.frames) < 2:
            client.arrived = anyio.Event()
            await client.arrived.wait()
        client.pipe.write(b"one\n")
        client.pipe.write(b"tw", b"o\n")
        os.close(their_out)
        await client.pipe.closed.wait()
        await client.pipe.drain(5)
        assert os.read(their_in, 100) == b"one\ntwo\n"
        assert client.frames == [b'{"a":1}', b'{"b":2}']
        client.pipe.close()
        os.close(their_in)

    with_client(test)


def test_one_socket_for_both_ways() -> None:
    async def test(client: Client) -> None:
        ours, theirs = socket.socketpair()
        descriptor = ours.detach()
        await client.pipe.open(descriptor, os.dup(descriptor))
        theirs.sendall(b"hello\n")
        await client.arrived.wait()
        client.pipe.write(b"there\n")
        theirs.shutdown(socket.SHUT_WR)
        await client.pipe.closed.wait()
        assert await anyio.to_thread.run_sync(theirs.recv, 100) == b"there\n"
        client.pipe.close()
        theirs.close()

    with_client(test)


@pytest.mark.parametrize("loop", [run, plain_loop], ids=["uvloop", "asyncio"])
def test_one_descriptor_for_both_ways_takes_more_than_the_socket_holds(loop: Callable[..., None]) -> None:
    async def test(client: Client) -> None:
        ours, theirs = socket.socketpair()
        descriptor = ours.detach()
        await client.pipe.open(descriptor, descriptor)
        theirs.sendall(b"hello\n")
        await client.arrived.wait()
        client.pipe.write(b"x" * LONG)
        theirs.shutdown(socket.SHUT_WR)
        received = 0
        while received < LONG:
            received += len(await anyio.to_thread.run_sync(theirs.recv, LONG))
        client.pipe.close()
        theirs.close()

    with_client(test, loop)


@pytest.mark.parametrize(("loop", "closes"), [(run, 0), (plain_loop, 1)], ids=["uvloop", "asyncio"])
def test_the_clients_pipe_is_closed_once(
    loop: Callable[..., None], closes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the loop or by the file: a second close would meet whatever another thread has opened in between."""
    files: list[Any] = []
    opened = os.fdopen

    def recorded(*named: Any, **more: Any) -> Any:
        files.append(opened(*named, **more))
        return files[-1]

    monkeypatch.setattr(os, "fdopen", recorded)

    async def test(client: Client) -> None:
        our_in, their_out = os.pipe()
        their_in, our_out = os.pipe()
        await client.pipe.open(our_in, our_out)
        os.close(their_out)
        await client.pipe.closed.wait()
        client.pipe.close()
        await asyncio.sleep(0)
        with pytest.raises(OSError, match="Bad file descriptor"):
            os.fstat(our_in)
        os.close(their_in)

    with_client(test, loop)
    assert [each.closefd for each in files] == [bool(closes)]


def test_what_one_socket_has_not_taken_does_not_count_as_sent() -> None:
    async def test(client: Client) -> None:
        ours, theirs = socket.socketpair()
        descriptor = ours.detach()
        await client.pipe.open(descriptor, os.dup(descriptor))
        reported, size = anyio.Event(), 4_000_000
        client.pipe.write(b"x" * size)
        assert client.pipe.unsent
        client.pipe.when_sent(reported.set)
        too_early = reported.is_set()
        while size:
            size -= len(await anyio.to_thread.run_sync(theirs.recv, size))
        await reported.wait()
        theirs.sendall(b"hello\n")
        await client.arrived.wait()
        unsent = client.pipe.unsent
        client.pipe.close()
        theirs.close()
        assert (too_early, unsent) == (False, 0)

    with_client(test)


def test_a_file_as_stdin_and_a_file_as_stdout(tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes(b"one\ntwo\n")

    async def test(client: Client) -> None:
        out = os.open(tmp_path / "out", os.O_CREAT | os.O_WRONLY)
        await client.pipe.open(os.open(tmp_path / "in", os.O_RDONLY), out)
        await client.pipe.closed.wait()
        client.pipe.write(b"an", b"swer\n")
        client.pipe.close()
        client.pipe.write(b"after the end\n")

    with_client(test)
    assert (tmp_path / "out").read_bytes() == b"answer\n"


def test_a_client_that_does_not_read_is_not_read_from() -> None:
    async def test(client: Client) -> None:
        their_in, our_out = os.pipe()
        our_in, their_out = os.pipe()
        await client.pipe.open(our_in, our_out)
        client.pipe.write(b"x" * 4_000_000)
        assert client.pipe.unsent
        os.write(their_out, b"ask\n")
        await anyio.sleep(0.05)
        assert client.frames == []

        def read_all() -> int:
            size = 0
            while size < 4_000_000:
                size += len(os.read(their_in, 1 << 20))
            return size

        assert await anyio.to_thread.run_sync(read_all) == 4_000_000
        await client.arrived.wait()
        assert client.frames == [b"ask"]
        client.pipe.close()
        for descriptor in (their_in, their_out):
            os.close(descriptor)

    with_client(test)


def test_the_rest_of_a_line_whose_beginning_is_lost_is_skipped() -> None:
    async def test(client: Client) -> None:
        their_in, our_out = os.pipe()
        our_in, their_out = os.pipe()
        client.pipe.skip_line()
        await client.pipe.open(our_in, our_out)
        os.write(their_out, b'rest of it"}\n{"whole":1}\n')
        await client.arrived.wait()
        assert client.frames == [b'{"whole":1}']
        client.pipe.close()
        for descriptor in (their_in, their_out):
            os.close(descriptor)

    with_client(test)


@pytest.mark.parametrize("end", ["read", "write"])
def test_either_end_shows_that_the_client_is_gone(end: str) -> None:
    async def test(client: Client) -> None:
        their_in, our_out = os.pipe()
        our_in, their_out = os.pipe()
        await client.pipe.open(our_in, our_out)
        os.close(their_out if end == "read" else their_in)
        if end == "write":
            client.pipe.write(b"anyone?\n")
        await client.pipe.closed.wait()
        client.pipe.close()
        os.close(their_in if end == "read" else their_out)

    with_client(test)
