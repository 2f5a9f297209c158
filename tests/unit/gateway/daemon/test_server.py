"""A daemon in this process, spoken to through its real socket."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import anyio.lowlevel
import pytest
from anyio import to_thread
from tests.unit.gateway.daemon.bridges import own_home
from tests.unit.gateway.daemon.echo_daemon import Echo

from toolbooth.gateway.daemon.bridge import JOURNAL_BYTES
from toolbooth.gateway.daemon.endpoint import PROTOCOL, DaemonPaths, framed, receive, send_with_descriptors
from toolbooth.gateway.daemon.journal import RequestJournal
from toolbooth.gateway.daemon.server import Daemon, DaemonLock, remove_left_files
from toolbooth.gateway.daemon.session import Hello, ServeClient
from toolbooth.gateway.process import Log

pytestmark = pytest.mark.anyio


class Patient(Echo):
    def __init__(self, seconds: float = 0) -> None:
        self.seconds = seconds

    def idle(self) -> float:
        return self.seconds


@pytest.fixture
def paths() -> Iterator[DaemonPaths]:
    with own_home() as home:
        yield DaemonPaths(str(home.folder), "test")


@asynccontextmanager
async def running(paths: DaemonPaths, service: Patient) -> AsyncIterator[anyio.Event]:
    """The event is set once the daemon has ended by itself."""
    lock = DaemonLock(paths.lock)
    assert lock.take()
    log = os.open(paths.log, os.O_RDWR | os.O_APPEND | os.O_CREAT)
    ready, ended = anyio.Event(), anyio.Event()

    async def run() -> None:
        await Daemon(paths, lock, service, Log(log)).run(ready.set)
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


async def reported(sock: socket.socket) -> Any:
    with anyio.fail_after(240):
        answer = await to_thread.run_sync(receive, sock, abandon_on_cancel=True)
    return None if answer is None else json.loads(answer)


def connected(paths: DaemonPaths) -> socket.socket:
    sock = socket.socket(socket.AF_UNIX)
    sock.connect(paths.socket)
    return sock


class Pipes:
    """What a bridge hands over, and the client's ends."""

    def __init__(self) -> None:
        self.stdin, self.to_stdin = os.pipe()
        self.from_stdout, self.stdout = os.pipe()
        self.journal = (
            os.memfd_create("test") if hasattr(os, "memfd_create") else os.open("/dev/zero", os.O_RDWR)
        )
        os.ftruncate(self.journal, JOURNAL_BYTES)

    def hand_over(self, sock: socket.socket, message: bytes) -> None:
        given = [self.stdin, self.stdout, self.journal]
        send_with_descriptors(sock, message, given)
        for descriptor in given:
            os.close(descriptor)

    def close(self) -> None:
        os.close(self.to_stdin)
        os.close(self.from_stdout)


async def test_it_ends_when_no_client_has_come_for_long_and_takes_its_socket_away(paths: DaemonPaths) -> None:
    async with running(paths, Patient(0.05)) as ended:
        with anyio.fail_after(240):
            await ended.wait()
        assert not await anyio.Path(paths.socket).exists()


async def test_a_session_keeps_it_alive_and_its_end_starts_the_clock(paths: DaemonPaths) -> None:
    patient = Patient()  # it may take a client long to come
    async with running(paths, patient) as ended:
        with connected(paths) as sock:
            pipes = Pipes()
            pipes.hand_over(sock, hello(do="serve"))
            assert await reported(sock) == {"ok": True}
            patient.seconds = 0.05
            await anyio.sleep(0.2)
            assert not ended.is_set()
            pipes.close()
            assert await reported(sock) == {"end": 0}
        with anyio.fail_after(240):
            await ended.wait()


async def test_a_socket_of_another_daemon_is_left_alone(paths: DaemonPaths) -> None:
    async with running(paths, Patient(0.05)) as ended:
        path = anyio.Path(paths.socket)
        await path.unlink()
        await path.write_text("another's")
        with anyio.fail_after(240):
            await ended.wait()
        assert await path.read_text() == "another's"


async def test_status_shows_who_it_is_and_what_its_service_has(paths: DaemonPaths) -> None:
    async with running(paths, Patient()):
        with connected(paths) as sock:
            sock.sendall(hello(do="status"))
            status = (await reported(sock))["status"]
    assert status["pid"] == os.getpid()
    assert status["sessions"] == 0
    assert status["gateways"][0]["configs"] == ["a.json"]


async def test_too_many_clients_are_refused(paths: DaemonPaths, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolbooth.limits.MAX_SESSIONS", 0)
    async with running(paths, Patient()):
        with connected(paths) as sock:
            pipes = Pipes()
            pipes.hand_over(sock, hello(do="serve"))
            said = await reported(sock)
            pipes.close()
    assert "already serves" in said["error"]
    assert said["exit"] == 3


async def test_what_a_client_asks_wrongly_comes_back_clean_with_its_exit_code(paths: DaemonPaths) -> None:
    async with running(paths, Patient()):
        with connected(paths) as sock:
            pipes = Pipes()
            pipes.hand_over(sock, hello(do="serve", words=["--wrong"]))
            assert await reported(sock) == {"error": "there is no option --wrong", "exit": 2}
            assert await reported(sock) is None
            assert os.read(pipes.from_stdout, 100) == b""
            pipes.close()


async def test_calls_that_outlast_the_grace_of_a_stop_are_left_to_the_next_daemon(
    paths: DaemonPaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toolbooth.limits.SHUTDOWN_GRACE", 0.05)
    async with running(paths, Patient()) as ended:
        with connected(paths) as sock, connected(paths) as stopper:
            pipes = Pipes()
            journal = os.dup(pipes.journal)
            pipes.hand_over(sock, hello(do="serve"))
            assert await reported(sock) == {"ok": True}
            os.write(pipes.to_stdin, b'{"id": 7, "method": "hang"}\n{"id": 8, "method": "echo"}\n')
            await to_thread.run_sync(os.read, pipes.from_stdout, 1000)
            stopper.sendall(hello(do="stop"))
            assert (await reported(stopper))["sessions"] == 1
            assert await reported(sock) == {"restart": "now"}
            pipes.close()
            with anyio.fail_after(240):
                await ended.wait()
    following = RequestJournal(journal)
    assert following.interrupted() == [7]
    following.close()
    os.close(journal)


class Late(Patient):
    """Its transport begins a request in the very moment in which it is cancelled, as a transport may."""

    async def enter(self, hello: Hello) -> ServeClient:  # noqa: ARG002
        async def serve_client(
            read_fd: int, write_fd: int, journal: RequestJournal | None, *, resumed: bool
        ) -> None:
            assert journal is not None
            try:
                await anyio.sleep_forever()
            finally:
                journal.begin(5)
                os.close(read_fd)
                os.close(write_fd)

        return serve_client


@pytest.mark.promise("daemon:one-answer")
async def test_a_request_that_is_read_while_its_session_moves_is_left_to_the_next_daemon(
    paths: DaemonPaths,
) -> None:
    async with running(paths, Late()):
        with connected(paths) as sock, connected(paths) as stopper:
            pipes = Pipes()
            pipes.hand_over(sock, hello(do="serve"))
            assert await reported(sock) == {"ok": True}
            stopper.sendall(hello(do="stop"))
            assert (await reported(stopper))["sessions"] == 1
            assert await reported(sock) == {"restart": "now"}
            pipes.close()


async def test_a_part_of_the_descriptors_is_refused_and_closed(paths: DaemonPaths) -> None:
    async with running(paths, Patient()):
        with connected(paths) as sock:
            reader, writer = os.pipe()
            send_with_descriptors(sock, hello(do="serve"), [writer])
            os.close(writer)
            assert await reported(sock) is None
            assert os.read(reader, 100) == b""
            os.close(reader)


async def test_a_file_for_a_pipe_is_refused(paths: DaemonPaths) -> None:
    """A bridge copies what is in files; handed over, one would end the daemon for everybody."""
    async with running(paths, Patient()):
        with connected(paths) as sock:
            pipes = Pipes()
            os.dup2(pipes.journal, pipes.stdin)
            pipes.hand_over(sock, hello(do="serve"))
            assert await reported(sock) is None
            pipes.close()


async def test_a_hello_in_pieces_is_understood(paths: DaemonPaths) -> None:
    message = hello(do="status", environ={"X": "y" * 200_000})
    async with running(paths, Patient()):
        with connected(paths) as sock:
            for start in range(12):
                sock.sendall(message[start : start + 1])
                await anyio.lowlevel.checkpoint()
            await to_thread.run_sync(sock.sendall, message[12:])
            assert "status" in await reported(sock)


async def test_silent_connections_are_few_and_keep_no_client_out(paths: DaemonPaths) -> None:
    async with running(paths, Patient()):
        silent = [connected(paths) for _ in range(100)]
        with connected(paths) as asking:
            asking.sendall(hello(do="status"))
            assert (await reported(asking))["status"]["sessions"] == 0
        kept = 0
        for each in silent:
            with each:
                each.setblocking(False)
                try:
                    assert each.recv(1) == b""
                except BlockingIOError:
                    kept += 1
        assert kept <= 64


def test_the_second_waits_and_gives_up_and_gets_it_once_it_is_free(tmp_path: Path) -> None:
    path = str(tmp_path / "lock")
    first, second = DaemonLock(path), DaemonLock(path)
    assert first.take()
    assert not second.take(patience=0.05)
    first.release()
    first.release()
    assert second.take(patience=0)
    second.release()


def test_the_file_names_the_holder_and_is_the_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    path.write_text("12345678901234567890\n")
    path.chmod(0o600)
    lock = DaemonLock(str(path))
    assert lock.take()
    assert path.read_text() == f"{os.getpid()}\n"
    lock.release()


def test_a_killed_process_holds_nothing(tmp_path: Path) -> None:
    path = str(tmp_path / "lock")
    code = (
        "import sys, time; from toolbooth.gateway.daemon.server import DaemonLock\n"
        f"lock = DaemonLock({path!r}); lock.take(); print('held', flush=True); time.sleep(3600)"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as holder:
        assert holder.stdout
        holder.stdout.readline()
        ours = DaemonLock(path)
        assert not ours.take(patience=0)
        holder.kill()
        assert ours.take()
        ours.release()


def files_of(folder: Path, name: str, *, old: bool) -> list[Path]:
    made = [folder / f"{name}{ending}" for ending in (".sock", ".log", ".start", ".lock")]
    for each in made:
        each.touch()
        if old:
            os.utime(each, (0, 0))
    return made


@pytest.mark.promise("daemon:left-files")
def test_files_of_a_daemon_that_is_long_gone_are_removed_and_no_others(tmp_path: Path) -> None:
    gone, fresh = files_of(tmp_path, "gone", old=True), files_of(tmp_path, "fresh", old=False)
    ours = files_of(tmp_path, "ours", old=True)
    running = files_of(tmp_path, "running", old=True)
    starting = files_of(tmp_path, "starting", old=True)
    held = [DaemonLock(str(tmp_path / "running.lock")), DaemonLock(str(tmp_path / "starting.start"))]
    assert all(lock.take(0) for lock in held)
    for each in (*running, *starting):
        os.utime(each, (0, 0))
    remove_left_files(str(tmp_path), str(tmp_path / "ours.lock"))
    assert not any(each.exists() for each in gone)
    assert all(each.exists() for each in (*fresh, *ours, *running, *starting))
    for lock in held:
        lock.release()


def test_a_lock_whose_file_was_removed_is_taken_at_the_new_one(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    late = DaemonLock(str(path))
    assert late.take(0)
    path.unlink()
    late.release()
    first = DaemonLock(str(path))
    assert first.take(0)
    assert not late.take(patience=0.05)
    first.release()
    assert late.take()
    late.release()
