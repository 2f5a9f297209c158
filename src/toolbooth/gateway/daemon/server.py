"""The daemon: it serves every bridge of its user, and ends when no client has come for a long time.

A lock file gives one process at a time the right to listen, for no longer than the process lives.
"""

import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

import anyio
from anyio.abc import SocketListener, TaskGroup, UNIXSocketStream

from toolbooth import __version__, files, limits
from toolbooth.gateway.daemon.endpoint import DaemonPaths
from toolbooth.gateway.daemon.session import BridgeSession, Hello, Service, answer, raw_socket, read_hello
from toolbooth.gateway.process import Log, error_summary

__all__ = ["Daemon"]


class DaemonLock(files.FileLock):
    """The right to listen: one process has it, for no longer than it lives. The file names the holder."""

    def take(self, patience: float = 2.0) -> bool:
        """Take the lock, or return False. A daemon that was just killed may hold it for another moment."""
        if not super().take(patience):
            return False
        with Path(self.path).open("r+b") as file:  # not truncated when opened: readers never see it empty
            file.write(b"%d\n" % os.getpid())
            file.truncate()
        return True


def remove_left_files(folder: str, ours: str) -> None:
    """Remove what killed daemons of other homes, installs and versions left: none of them holds its lock any
    more.

    A bridge that starts a daemon holds `.start`; files that were used recently are kept.
    """
    latest = time.time() - limits.DAEMON_FILES_AGE
    for path in Path(folder).glob("*.lock"):
        family = [path.with_suffix(ending) for ending in (".sock", ".log", ".start", ".lock")]
        used = [facts.st_mtime for each in family if (facts := _facts(each)) is not None]
        if str(path) == ours or max(used, default=latest) >= latest:
            continue
        starting, running = DaemonLock(str(path.with_suffix(".start"))), DaemonLock(str(path))
        if starting.take(0) and running.take(0):
            for each in family:
                each.unlink(missing_ok=True)
        starting.release()
        running.release()


def _facts(path: Path) -> os.stat_result | None:
    with suppress(OSError):
        return path.lstat()
    return None


_PAUSE = 1.0  # after an accept that failed because no descriptors were left


class Daemon:
    """`lock` is held already, so the socket's path belongs to this daemon alone."""

    def __init__(self, paths: DaemonPaths, lock: DaemonLock, service: Service, log: Log) -> None:
        self._paths, self._lock, self._service, self._log = paths, lock, service, log
        self._sessions: set[BridgeSession] = set()
        self._unmet: dict[anyio.CancelScope, None] = {}  # connections without a hello, the oldest first
        self._changed = anyio.Event()
        self._stop = anyio.Event()
        self._started = time.monotonic()
        self._inode = 0

    async def run(self, ready: Callable[[], None]) -> None:
        """Listen until it has been idle for long, is asked to stop, or has lost its socket."""
        listener = await anyio.create_unix_listener(self._paths.socket, mode=0o600)
        self._inode = os.stat(self._paths.socket).st_ino  # noqa: PTH116
        async with listener, anyio.create_task_group() as tasks:
            tasks.start_soon(self._stop_on_signal)
            tasks.start_soon(self._accept, listener, tasks)
            tasks.start_soon(self._keep_up)
            tasks.start_soon(self._stop_when_idle)
            self._log.note(f"toolbooth {__version__} listens")
            ready()
            await self._stop.wait()
            await self._wind_down(listener)
            tasks.cancel_scope.cancel()
        self._log.note("ended")

    def status(self) -> dict[str, Any]:
        """What `toolbooth daemon status` shows."""
        return {
            "pid": os.getpid(),
            "version": __version__,
            "uptime": round(time.monotonic() - self._started, 1),
            "sessions": len(self._sessions),
            "socket": self._paths.socket,
            "log": self._paths.log,
            **self._service.status(),
        }

    async def _accept(self, listener: SocketListener, tasks: TaskGroup) -> None:
        with suppress(anyio.ClosedResourceError):
            while True:
                try:
                    stream = cast("UNIXSocketStream", await listener.accept())
                except anyio.BrokenResourceError as error:
                    self._log.note(
                        f"a connection could not be accepted: {error_summary(error.__cause__ or error)}"
                    )
                    await anyio.sleep(_PAUSE)
                else:
                    tasks.start_soon(self._meet, stream)

    async def _meet(self, stream: UNIXSocketStream) -> None:
        async with stream:
            try:
                with anyio.fail_after(limits.DAEMON_ANSWER) as scope:
                    self._unmet[scope] = None
                    if len(self._unmet) > limits.MAX_UNMET:
                        next(iter(self._unmet)).cancel()
                    hello = await read_hello(stream)
            except Exception as error:  # whatever came, other clients do not notice
                self._log.note(f"a hello was not understood: {error_summary(error)}")
                return
            finally:
                self._unmet.pop(scope, None)
            if not scope.cancelled_caught:
                await self._do(stream, hello)

    async def _do(self, stream: UNIXSocketStream, hello: Hello) -> None:
        if hello.do == "serve" and not self._stop.is_set():
            await self._serve(stream, hello)
            return
        hello.close_descriptors()
        if hello.do == "serve":  # it came too late, and starts another daemon
            await answer(stream, restart="now")
        elif hello.do == "status":
            await answer(stream, status=self.status())
        elif hello.do == "forget":
            self._service.forget()
            await answer(stream, forgotten=True)
        elif hello.do == "stop":
            await answer(stream, stopping=os.getpid(), sessions=len(self._sessions))
            # Never closed: its end shows the client that this process has ended
            os.dup(raw_socket(stream).fileno())
            self._stop.set()

    async def _serve(self, stream: UNIXSocketStream, hello: Hello) -> None:
        if len(self._sessions) >= limits.MAX_SESSIONS:
            hello.close_descriptors()
            line = f"the daemon already serves {limits.MAX_SESSIONS} clients; end some, or use `--no-daemon`"
            await answer(stream, error=line, exit=3)
            return
        session = BridgeSession(stream, hello, self._log)
        self._sessions.add(session)
        self._tell_change()
        try:
            await session.serve(self._service)
        finally:
            self._sessions.discard(session)
            self._tell_change()

    def _tell_change(self) -> None:
        self._changed.set()
        self._changed = anyio.Event()

    async def _stop_when_idle(self) -> None:
        while True:
            changed = self._changed
            with anyio.move_on_after(None if self._sessions else self._service.idle() or None):
                await changed.wait()
                continue
            self._log.note("no client for long")
            self._stop.set()
            return

    async def _stop_on_signal(self) -> None:
        with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT, signal.SIGHUP) as signals:
            async for _ in signals:
                self._stop.set()

    async def _keep_up(self) -> None:
        """Something else may fill the log, and a cleaner of temporary files may delete the socket."""
        while True:
            await anyio.sleep(limits.DAEMON_HOUSEKEEPING)
            self._log.trim()
            if not self._owns_socket():
                self._log.note("the socket's file was removed or replaced")
                self._stop.set()

    def _owns_socket(self) -> bool:
        try:
            return os.stat(self._paths.socket).st_ino == self._inode  # noqa: PTH116
        except OSError:
            return False

    async def _wind_down(self, listener: SocketListener) -> None:
        """Others may start a new daemon at once, while open calls finish here."""
        if self._owns_socket():
            os.unlink(self._paths.socket)  # noqa: PTH108
        await listener.aclose()
        self._lock.release()
        async with anyio.create_task_group() as moving:
            for session in self._sessions:
                moving.start_soon(session.move, limits.SHUTDOWN_GRACE)
