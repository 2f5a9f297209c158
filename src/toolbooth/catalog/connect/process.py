"""A server's process: started with pipes, the end of its stderr kept, and stopped together with its children.

Stopping the process group is not enough, because a child can leave the group (`setsid`, a double fork). Every run
therefore has a mark in its environment, which children inherit. On Linux the environment of each process of the same
user can be read, and the marked ones are stopped; elsewhere only the group is.
"""

import asyncio
import atexit
import os
import re
import secrets
import shutil
import signal
import subprocess
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import cast

import anyio
import anyio.to_thread

from toolbooth import errors, limits, safetext
from toolbooth.catalog.connect.environment import server_environment
from toolbooth.catalog.connect.joined_writes import JoinedWrites
from toolbooth.catalog.secrets import redact_secrets
from toolbooth.catalog.server_spec import ServerSpec

RUN_MARK = "MCP_SERVER_RUN"
_PROC = Path("/proc")
_STRAY_POLL = 0.05  # each look reads the environment of every process of this user


def new_mark() -> str:
    """A new mark for one run of a server."""
    return secrets.token_hex(8)


def marked(marks: Set[str]) -> list[int]:
    """The ids of all processes that one of these runs started, including those in its group."""
    if not marks or not _PROC.is_dir():
        return []
    wanted = [f"{RUN_MARK}={mark}".encode() for mark in marks]
    return [pid for pid, environ in _environments() if any(each in environ for each in wanted)]


def end_strays(marks: Set[str], most: int = 8) -> None:
    """Send SIGTERM, so that a browser or a build daemon can save its state, and SIGKILL after a grace period.

    SIGKILL is repeated while processes remain, because one may fork in between. This blocks: run it in a thread.
    """
    if not _signal_all(marks, signal.SIGTERM):
        return
    deadline = time.monotonic() + limits.STOP_GRACE
    while marked(marks) and time.monotonic() < deadline:
        time.sleep(_STRAY_POLL)
    for _ in range(most):
        if not _signal_all(marks, signal.SIGKILL):
            return


def _signal_all(marks: Set[str], number: int) -> bool:
    """Send a signal to every marked process; returns whether there was one."""
    found = marked(marks)
    for pid in found:
        with suppress(OSError):
            os.kill(pid, number)
    return bool(found)


def _environments() -> Iterator[tuple[int, list[bytes]]]:
    """The environment of every process that can be read: not of zombies and other users' processes."""
    for entry in os.scandir(_PROC):
        if entry.name.isdecimal() and int(entry.name) != os.getpid():
            with suppress(OSError):
                yield int(entry.name), (_PROC / entry.name / "environ").read_bytes().split(b"\0")


_EXIT_POLL = 0.01
_running: dict[int, str] = {}  # the mark of each run by process id
_LAST_WORDS = 3
_WHOLE_LINE = 4096  # characters kept of output without line breaks
# What npm and Node write around the line that matters: the path of the log, general advice, stack frames.
_SAYS_NOTHING = re.compile(
    r"^npm (?:error|ERR!|notice)(?: \w+)?$"
    r"|^npm (?:notice|warn|WARN)\b"
    r"|^npm (?:error|ERR!) (?:A complete log of this run|Log files were not written|/.*-debug-\d)"
    r"|^npm (?:error|ERR!) (?:404 Note that you can|404 tarball, folder|network (?:This is a|In most|If you|'proxy'))"
    r"|^Node\.js v\d|^at .*:\d+:\d+\)?(?: \{)?$|^(?:code|requireStack|errno|syscall): |^[\s^~|{}\[\],-]*$"
)


class LastWords:
    """The end of what a process wrote to stderr, or to stdout outside the protocol, in a buffer of fixed size."""

    def __init__(self, size: int = limits.STDERR_RING) -> None:
        self.clean: Callable[[str], str] = str  # redacts secrets
        self._chunks: deque[bytes] = deque()
        self._free = size
        self._lost = False

    def add(self, chunk: bytes) -> None:
        """Keep a chunk, and drop the oldest ones if the buffer is full."""
        chunk = chunk[-limits.STDERR_RING :]
        self._chunks.append(chunk)
        self._free -= len(chunk)
        while self._free < 0:
            self._free += len(self._chunks.popleft())
            self._lost = True

    def __str__(self) -> str:
        """The last informative lines. Secrets are redacted before anything is cut, so that no half of one remains."""
        text = b"".join(self._chunks).decode("utf-8", "replace")
        if self._lost:  # the first line may begin in the middle of a secret
            text = text.partition("\n")[2] or text[-_WHOLE_LINE:]
        written = self.clean(text).splitlines()
        lines = _readable(_without_frames(written)) or _readable(written)
        useful = [line for line in lines if not _SAYS_NOTHING.search(line)] or lines
        return safetext.NEXT_LINE.join(useful[-_LAST_WORDS:])


def _readable(lines: Iterable[str]) -> list[str]:
    return [cleaned for line in lines if (cleaned := safetext.for_terminal(line, 160))]


def _without_frames(lines: Iterable[str]) -> Iterator[str]:
    """The lines without the frames of Python tracebacks, which are the indented lines below the first one."""
    frames = False
    for line in lines:
        frames = line.startswith("Traceback (most recent call last)") or (frames and line.startswith(" "))
        if not frames:
            yield line


class ServerProcess(asyncio.SubprocessProtocol):
    """A running server: its stdout goes to `on_output`, its stderr to `words`."""

    def __init__(self) -> None:
        self.words = LastWords()
        self.on_output: Callable[[bytes], None] = self.words.add
        self.mark = new_mark()
        self.exited, self.silent = asyncio.Event(), asyncio.Event()
        self._transport: asyncio.SubprocessTransport | None = None
        self._writes = JoinedWrites(self._write)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called when the process has started."""
        self._transport = cast("asyncio.SubprocessTransport", transport)
        _running[self.pid] = self.mark

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """A chunk of stdout or stderr."""
        (self.on_output if fd == 1 else self.words.add)(data)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:  # noqa: ARG002
        """The process and its children have closed a pipe."""
        if fd == 1:
            self.silent.set()

    def process_exited(self) -> None:
        """The process itself has ended; its children may still hold its pipes."""
        self.exited.set()

    @property
    def pid(self) -> int:
        """The process id, which is also the id of its group."""
        return 0 if self._transport is None else self._transport.get_pid()

    @property
    def returncode(self) -> int | None:
        """The exit code; None while the process runs."""
        return None if self._transport is None else self._transport.get_returncode()

    def write(self, data: bytes) -> None:
        """Write to its stdin, together with what the same chunk of input leads to."""
        self._writes.add(data)

    def _write(self, data: bytes | memoryview) -> None:
        pipe = None if self._transport is None else self._transport.get_pipe_transport(0)
        if pipe is not None and not pipe.is_closing():
            cast("asyncio.WriteTransport", pipe).write(data)

    def close_input(self) -> None:
        """Close its stdin, once it has what was written."""
        self._writes.flush()
        pipe = None if self._transport is None else self._transport.get_pipe_transport(0)
        if pipe is not None:
            pipe.close()

    def close(self) -> None:
        """Close the pipes, including those that a surviving grandchild holds."""
        if self._transport is not None:
            with suppress(PermissionError, ProcessLookupError):
                self._transport.close()
        _running.pop(self.pid, None)


async def start_process(spec: ServerSpec, environ: Mapping[str, str] | None = None) -> ServerProcess:
    """Start the command in its own process group and with a mark, so that its children can be stopped with it."""
    ours = os.environ if environ is None else environ
    environ = server_environment(ours, spec.env, whole=spec.whole_environment)
    command, started = _resolve(spec, environ), ServerProcess()
    try:
        with anyio.CancelScope(shield=True):  # a cancelled start could leave a process that nothing stops
            await asyncio.get_running_loop().subprocess_exec(
                lambda: started,
                command,
                *spec.args,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=spec.cwd,
                env={**environ, RUN_MARK: started.mark},
                start_new_session=os.name == "posix",
            )
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "bad argument"
        raise errors.BackendNotFound(
            f"{safetext.for_terminal(spec.command)} could not be started: {reason}"
        ) from None
    started.words.clean = partial(redact_secrets, spec=spec, environ=ours)
    return started


@atexit.register
def _kill_what_is_left() -> None:
    """Kill what is still running at exit: a second Ctrl-C interrupts the orderly stop."""
    for pid in _running:
        with suppress(OSError):
            os.killpg(pid, signal.SIGKILL) if os.name == "posix" else os.kill(pid, signal.SIGTERM)
    end_strays({*_running.values()})


def _resolve(spec: ServerSpec, environ: Mapping[str, str]) -> str:
    if spec.cwd is not None and not spec.cwd.is_dir():
        raise errors.BackendNotFound(
            f"its working directory {safetext.for_terminal(str(spec.cwd))} does not exist"
        )
    command = os.path.expanduser(spec.command)  # noqa: PTH111 - Path would drop the `./` that makes it a path
    if any(sep in command for sep in (os.sep, os.altsep) if sep):  # a path; PATH does not matter
        path = Path(spec.cwd or "").absolute() / command
        found = shutil.which(path)
        what = "was not found" if not path.exists() else "is not an executable file"
        todo = (
            "correct the path"
            if Path(command).is_absolute()
            else f"its full path is {safetext.for_terminal(str(path))}"
        )
        refusal = f"command {safetext.for_terminal(spec.command)} {what}; {todo}"
    else:
        found = shutil.which(command, path=_search_path(environ.get("PATH"), spec.cwd))
        refusal = (
            f"command {safetext.for_terminal(spec.command)} was not found; install it or give its full path"
        )
    if found is None:
        raise errors.BackendNotFound(refusal)
    return found


def _search_path(path: str | None, cwd: Path | None) -> str | None:
    """A PATH whose relative folders (`node_modules/.bin`) start at the client's folder, not at this process's."""
    if path is None or cwd is None:
        return path
    return os.pathsep.join(str(cwd / folder) for folder in path.split(os.pathsep))


async def stop_process(process: ServerProcess) -> None:
    """Close stdin and wait, then SIGTERM and SIGKILL the group, then whatever left it. Every wait is bounded."""
    process.close_input()
    await exited(process, limits.STOP_GRACE)
    for harder in (signal.SIGTERM, getattr(signal, "SIGKILL", signal.SIGTERM)):
        if not _signal_group(process, harder):
            break
        await _group_gone(process, limits.STOP_GRACE)
    await anyio.to_thread.run_sync(end_strays, {process.mark})
    process.close()


async def exited(process: ServerProcess, timeout: float) -> bool:
    """Wait at most `timeout` seconds for the end of the process; returns whether it has ended."""
    with anyio.move_on_after(timeout):
        await process.exited.wait()
    return process.exited.is_set()


def _signal_group(process: ServerProcess, number: int) -> bool:
    """Send a signal to the group; False if no process is left in it. Signal 0 only checks."""
    if os.name != "posix":
        if process.returncode is None and number:
            os.kill(process.pid, number)
        return process.returncode is None
    try:
        os.killpg(process.pid, number)
    except ProcessLookupError:
        return False
    except PermissionError:
        return process.returncode is None  # macOS raises this for a group of zombies
    return True


async def _group_gone(process: ServerProcess, timeout: float) -> None:
    with anyio.move_on_after(timeout):
        while _signal_group(process, 0):  # noqa: ASYNC110 - no event reports the end of a group
            await anyio.sleep(_EXIT_POLL)
