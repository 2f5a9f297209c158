"""A server spec → a running process with pipes, its last words kept, and a stop that leaves no orphan."""

import atexit
import os
import shutil
import signal
import subprocess
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import anyio
from anyio.abc import ByteReceiveStream, Process

from toolbooth.catalog.server_spec import ServerSpec
from toolbooth.errors import BackendNotFound
from toolbooth.limits import STDERR_RING, STOP_GRACE
from toolbooth.safetext import for_terminal

_POLL = 0.01
_running: set[int] = set()
_LAST_WORDS = 3


class LastWords:
    """A ring of what a process wrote beside the protocol; a flood overwrites itself."""

    def __init__(self, size: int = STDERR_RING) -> None:
        self._chunks: deque[bytes] = deque()
        self._free = size

    def add(self, chunk: bytes) -> None:
        """Keep a chunk, and let go of the oldest where the ring is full."""
        chunk = chunk[-STDERR_RING:]
        self._chunks.append(chunk)
        self._free -= len(chunk)
        while self._free < 0:
            self._free += len(self._chunks.popleft())

    def __str__(self) -> str:
        text = b"".join(self._chunks).decode("utf-8", "replace")
        lines = [cleaned for line in text.splitlines() if (cleaned := for_terminal(line, 160))]
        return " | ".join(lines[-_LAST_WORDS:])


async def start_process(spec: ServerSpec) -> Process:
    """Start the command in a process group of its own, so that it can be stopped with all its children."""
    environ = {**os.environ, **spec.env}
    command = _resolve(spec, environ)
    try:
        process = await anyio.open_process(
            [command, *spec.args],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=spec.cwd,
            env=environ,
            start_new_session=os.name == "posix",
        )
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "bad argument"
        raise BackendNotFound(f"{for_terminal(spec.command)} could not be started: {reason}") from None
    _running.add(process.pid)
    return process


@atexit.register
def _kill_what_is_left() -> None:
    """A second Ctrl-C cuts the orderly stop short; nothing may outlive us even then."""
    for pid in _running:
        with suppress(OSError):
            os.killpg(pid, signal.SIGKILL) if os.name == "posix" else os.kill(pid, signal.SIGTERM)


def _resolve(spec: ServerSpec, environ: Mapping[str, str]) -> str:
    if spec.cwd is not None and not spec.cwd.is_dir():
        raise BackendNotFound(f"its working directory {for_terminal(str(spec.cwd))} does not exist")
    command = Path(spec.command).expanduser() if spec.command.startswith("~") else Path(spec.command)
    if spec.cwd is not None and os.sep in spec.command:
        command = spec.cwd / command
    found = shutil.which(command, path=environ.get("PATH"))
    if found is None:
        raise BackendNotFound(
            f"command {for_terminal(spec.command)} was not found; install it or give its full path"
        )
    return found


async def drain(stream: ByteReceiveStream, words: LastWords) -> None:
    """Read a stream to its end into the ring, so that the writer never blocks on a full pipe."""
    with suppress(anyio.EndOfStream, anyio.ClosedResourceError, anyio.BrokenResourceError, OSError):
        while True:
            words.add(await stream.receive())


async def stop_process(process: Process) -> None:
    """Close stdin, wait, then SIGTERM and SIGKILL the whole group. Every wait is bounded."""
    if process.stdin is not None:
        with suppress(OSError, anyio.BrokenResourceError, anyio.ClosedResourceError):
            await process.stdin.aclose()
    await exited(process, STOP_GRACE)
    for harder in (signal.SIGTERM, getattr(signal, "SIGKILL", signal.SIGTERM)):
        if not _signal_group(process, harder):
            break
        await _group_gone(process, STOP_GRACE)
    for pipe in (process.stdout, process.stderr):
        if pipe is not None:
            with suppress(OSError, anyio.BrokenResourceError, anyio.ClosedResourceError):
                await pipe.aclose()
    _close_transport(process)
    _running.discard(process.pid)


async def exited(process: Process, timeout: float) -> bool:
    """Whether the process ends within `timeout`. Not `wait()`: that also waits for pipes a child may hold."""
    with anyio.move_on_after(timeout):
        while process.returncode is None:  # noqa: ASYNC110 - no event tells of the exit alone
            await anyio.sleep(_POLL)
    return process.returncode is not None


def _signal_group(process: Process, number: int) -> bool:
    """Send a signal to the group; False once nobody is left. 0 only asks."""
    if os.name != "posix":
        if process.returncode is None and number:
            process.kill()
        return process.returncode is None
    try:
        os.killpg(process.pid, number)
    except ProcessLookupError:
        return False
    except PermissionError:
        return process.returncode is None  # macOS says this of a zombie group
    return True


async def _group_gone(process: Process, timeout: float) -> None:
    with anyio.move_on_after(timeout):
        while _signal_group(process, 0):
            _ = process.returncode  # reading it reaps the leader
            await anyio.sleep(_POLL)


def _close_transport(process: Process) -> None:
    # asyncio keeps the subprocess transport open while a surviving grandchild holds a pipe, and warns at
    # garbage collection; nothing public reaches it.
    transport = getattr(getattr(process, "_process", None), "_transport", None)
    if transport is not None:
        with suppress(PermissionError):
            transport.close()
