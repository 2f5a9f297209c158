"""A daemon in this process, spoken to through its real socket."""

import json
import os
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import anyio.lowlevel
import pytest
from anyio import to_thread
from tests.unit.gateway.daemon.bridges import own_home
from tests.unit.gateway.daemon.echo_daemon import Echo

from toolbooth.gateway.bridge import NOTEBOOK_BYTES
from toolbooth.gateway.daemon import server
from toolbooth.gateway.daemon.hello import Hello
from toolbooth.gateway.daemon.lock import Lock
from toolbooth.gateway.daemon.log import Log
from toolbooth.gateway.daemon.notebook import Notebook
from toolbooth.gateway.daemon.place import PROTOCOL, Place
from toolbooth.gateway.daemon.server import Daemon
from toolbooth.gateway.daemon.session import Front
from toolbooth.gateway.daemon.wire import framed, receive, send_with_descriptors

pytestmark = pytest.mark.anyio


class Patient(Echo):
    def __init__(self, idle: float = 0) -> None:
        self._idle = idle

    def idle(self) -> float:
        return self._idle


@pytest.fixture
def place() -> Iterator[Place]:
    with own_home() as home:
        yield Place(str(home.folder), "test")


@asynccontextmanager
async def running(place: Place, service: Patient) -> AsyncIterator[anyio.Event]:
    """The event is set once the daemon has ended by itself."""
    lock = Lock(place.lock)
    assert lock.take()
    log = os.open(place.log, os.O_RDWR | os.O_APPEND | os.O_CREAT)
    ready, ended = anyio.Event(), anyio.Event()

    async def run() -> None:
        await Daemon(place, lock, service, Log(log)).run(ready.set)
        ended.set()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(run)
        await ready.wait()
        yield ended
        tasks.cancel_scope.cancel()
    lock.release()
    os.close(log)


def hello(**more: Any) -> bytes:
    return framed(json.dumps({"protocol": PROTOCOL, "cwd": "/", "environ": {}, **more}).encode())


async def told(sock: socket.socket) -> Any:
    with anyio.fail_after(30):
        answer = await to_thread.run_sync(receive, sock, abandon_on_cancel=True)
    return None if answer is None else json.loads(answer)


def connected(place: Place) -> socket.socket:
    sock = socket.socket(socket.AF_UNIX)
    sock.connect(place.socket)
    return sock


class Pipes:
    """What a bridge hands over, and the client's ends."""

    def __init__(self) -> None:
        self.stdin, self.to_stdin = os.pipe()
        self.from_stdout, self.stdout = os.pipe()
        self.notebook = (
            os.memfd_create("test") if hasattr(os, "memfd_create") else os.open("/dev/zero", os.O_RDWR)
        )
        os.ftruncate(self.notebook, NOTEBOOK_BYTES)

    def hand_over(self, sock: socket.socket, message: bytes) -> None:
        given = [self.stdin, self.stdout, self.notebook]
        send_with_descriptors(sock, message, given)
        for descriptor in given:
            os.close(descriptor)

    def close(self) -> None:
        os.close(self.to_stdin)
        os.close(self.from_stdout)


async def test_it_ends_when_no_client_has_come_for_long_and_takes_its_socket_away(place: Place) -> None:
    async with running(place, Patient(0.05)) as ended:
        with anyio.fail_after(30):
            await ended.wait()
        assert not await anyio.Path(place.socket).exists()


async def test_a_session_keeps_it_alive_and_its_end_starts_the_clock(place: Place) -> None:
    async with running(place, Patient(0.05)) as ended:
        with connected(place) as sock:
            pipes = Pipes()
            pipes.hand_over(sock, hello(do="serve"))
            assert await told(sock) == {"ok": True}
            await anyio.sleep(0.2)
            assert not ended.is_set()
            pipes.close()
            assert await told(sock) == {"end": 0}
        with anyio.fail_after(30):
            await ended.wait()


async def test_a_socket_of_another_daemon_is_left_alone(place: Place) -> None:
    async with running(place, Patient(0.05)) as ended:
        path = anyio.Path(place.socket)
        await path.unlink()
        await path.write_text("another's")
        with anyio.fail_after(30):
            await ended.wait()
        assert await path.read_text() == "another's"


async def test_status_tells_who_it_is_and_what_its_service_has(place: Place) -> None:
    async with running(place, Patient()):
        with connected(place) as sock:
            sock.sendall(hello(do="status"))
            status = (await told(sock))["status"]
    assert status["pid"] == os.getpid()
    assert status["sessions"] == 0
    assert status["gateways"][0]["configs"] == ["a.json"]


async def test_too_many_clients_are_told_so(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "MAX_SESSIONS", 0)
    async with running(place, Patient()):
        with connected(place) as sock:
            pipes = Pipes()
            pipes.hand_over(sock, hello(do="serve"))
            said = await told(sock)
            pipes.close()
    assert "clients already" in said["error"]
    assert said["exit"] == 3


async def test_what_a_client_asks_wrongly_comes_back_clean_with_its_exit_code(place: Place) -> None:
    async with running(place, Patient()):
        with connected(place) as sock:
            pipes = Pipes()
            pipes.hand_over(sock, hello(do="serve", words=["--wrong"]))
            assert await told(sock) == {"error": "there is no option --wrong", "exit": 2}
            assert await told(sock) is None
            assert os.read(pipes.from_stdout, 100) == b""
            pipes.close()


async def test_calls_that_outlast_the_grace_of_a_stop_are_left_to_the_next_daemon(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "SHUTDOWN_GRACE", 0.05)
    async with running(place, Patient()) as ended:
        with connected(place) as sock, connected(place) as stopper:
            pipes = Pipes()
            notebook = os.dup(pipes.notebook)
            pipes.hand_over(sock, hello(do="serve"))
            assert await told(sock) == {"ok": True}
            os.write(pipes.to_stdin, b'{"id": 7, "method": "hang"}\n{"id": 8, "method": "echo"}\n')
            await to_thread.run_sync(os.read, pipes.from_stdout, 1000)
            stopper.sendall(hello(do="stop"))
            assert (await told(stopper))["sessions"] == 1
            assert await told(sock) == {"restart": "now"}
            pipes.close()
            with anyio.fail_after(30):
                await ended.wait()
    following = Notebook(notebook)
    assert following.interrupted() == [7]
    following.close()
    os.close(notebook)


class Late(Patient):
    """Its front begins a request in the very moment in which it is cancelled, as a transport may."""

    async def enter(self, hello: Hello) -> Front:  # noqa: ARG002
        async def front(read_fd: int, write_fd: int, notebook: Notebook | None, *, resumed: bool) -> None:
            assert notebook is not None
            try:
                await anyio.sleep_forever()
            finally:
                notebook.begin(5)
                os.close(read_fd)
                os.close(write_fd)

        return front


@pytest.mark.promise("daemon:one-answer")
async def test_a_request_that_is_read_while_its_session_moves_is_left_to_the_next_daemon(
    place: Place,
) -> None:
    async with running(place, Late()):
        with connected(place) as sock, connected(place) as stopper:
            pipes = Pipes()
            pipes.hand_over(sock, hello(do="serve"))
            assert await told(sock) == {"ok": True}
            stopper.sendall(hello(do="stop"))
            assert (await told(stopper))["sessions"] == 1
            assert await told(sock) == {"restart": "now"}
            pipes.close()


async def test_a_part_of_the_descriptors_is_refused_and_closed(place: Place) -> None:
    async with running(place, Patient()):
        with connected(place) as sock:
            reader, writer = os.pipe()
            send_with_descriptors(sock, hello(do="serve"), [writer])
            os.close(writer)
            assert await told(sock) is None
            assert os.read(reader, 100) == b""
            os.close(reader)


async def test_a_file_for_a_pipe_is_refused(place: Place) -> None:
    """A bridge copies what is in files; handed over, one would end the daemon for everybody."""
    async with running(place, Patient()):
        with connected(place) as sock:
            pipes = Pipes()
            os.dup2(pipes.notebook, pipes.stdin)
            pipes.hand_over(sock, hello(do="serve"))
            assert await told(sock) is None
            pipes.close()


async def test_a_hello_in_pieces_is_understood(place: Place) -> None:
    message = hello(do="status", environ={"X": "y" * 200_000})
    async with running(place, Patient()):
        with connected(place) as sock:
            for start in range(12):
                sock.sendall(message[start : start + 1])
                await anyio.lowlevel.checkpoint()
            await to_thread.run_sync(sock.sendall, message[12:])
            assert "status" in await told(sock)


async def test_silent_connections_are_few_and_keep_no_client_out(place: Place) -> None:
    async with running(place, Patient()):
        silent = [connected(place) for _ in range(100)]
        with connected(place) as asking:
            asking.sendall(hello(do="status"))
            assert (await told(asking))["status"]["sessions"] == 0
        kept = 0
        for each in silent:
            with each:
                each.setblocking(False)
                try:
                    assert each.recv(1) == b""
                except BlockingIOError:
                    kept += 1
        assert kept <= 64
