"""The process that runs a gateway: its event loop, its fast imports, and its log.

The log is short and owner-only. It contains no foreign text that could mislead a reader or give away a
secret.
"""

import gc
import logging
import os
import sys
import time
import traceback
from collections.abc import Awaitable, Callable
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TypeVar, TypeVarTuple

import anyio

from toolbooth import errors, limits, safetext

__all__ = ["load", "log_to_stderr", "run"]


Result = TypeVar("Result")
Arguments = TypeVarTuple("Arguments")


def run(function: Callable[[*Arguments], Awaitable[Result]], *arguments: *Arguments) -> Result:
    """Run an async function, on uvloop where it is installed. An error of ours is raised alone, out of any task
    groups.

    Threads that reduce results hand over more often than Python's 5 ms, so small calls beside them wait less.
    """
    sys.setswitchinterval(limits.HAND_OVER)
    gc.set_threshold(*limits.COLLECT_AFTER)
    _heap.ours = True
    fast = find_spec("uvloop") is not None
    try:
        return anyio.run(function, *arguments, backend="asyncio", backend_options={"use_uvloop": fast})
    except BaseExceptionGroup as group:
        if (
            group.subgroup(KeyboardInterrupt) is not None
        ):  # a second Ctrl-C, while the first one is carried out
            raise KeyboardInterrupt from None
        raise ours_in(group) or group from None


def load(*modules: str) -> None:
    """Import without the garbage collector, and exempt what was imported from it.

    It would walk a million objects of the SDK for nothing: a sixth of the import time, and pauses later.
    """
    gc.disable()
    try:
        for module in modules:
            import_module(module)
    finally:
        gc.freeze()
        gc.enable()


class _Heap:
    ours = frozen = False


_heap = _Heap()


def freeze_once() -> None:
    """Exempt all that exists from the garbage collector, once, and only in a process that `run` made ours: a program
    that embeds a gateway has a heap of its own, and what is frozen is never collected.
    """
    if _heap.ours and not _heap.frozen:
        _heap.frozen = True
        gc.freeze()


def name_async_library() -> None:
    """Tell anyio that callbacks run on asyncio, too. `anyio.run` does the same; `asyncio.run` does not.

    Answers arrive in callbacks of transports, outside any task, and the fast path starts tasks there.
    """
    with suppress(ImportError):  # without sniffio, anyio looks at the running loop
        from sniffio import current_async_library_cvar

        current_async_library_cvar.set("asyncio")


def ours_in(group: BaseExceptionGroup[BaseException]) -> errors.ToolboothError | None:
    """The first error of ours in the groups of task groups."""
    for error in group.exceptions:
        found = ours_in(error) if isinstance(error, BaseExceptionGroup) else error
        if isinstance(found, errors.ToolboothError):
            return found
    return None


_OURS = "toolbooth"
_FRAMES = 3


def error_summary(error: BaseException) -> str:
    """The class of an error and where it happened; its message may contain a secret and is left out."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    frames = traceback.extract_tb(error.__traceback__)[-_FRAMES:]
    places = " < ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in reversed(frames))
    return f"{type(error).__name__} at {places or 'an unknown place'}"


class Log:
    """The daemon's stderr, a file opened for appending: what is cut off at its start is gone for good."""

    def __init__(self, descriptor: int = 2, limit: int = limits.DAEMON_LOG) -> None:
        self._descriptor, self._limit = descriptor, limit

    def note(self, text: str) -> None:
        """One line with the time."""
        now = time.strftime("%Y-%m-%d %H:%M:%S")
        with suppress(OSError):  # a full disk is no reason to end
            os.write(self._descriptor, f"{now} [{os.getpid()}] {safetext.for_log(text)}\n".encode("ascii"))
            self.trim()

    def trim(self) -> None:
        """Keep the newer half of a full log, whoever wrote to stderr."""
        size = os.fstat(self._descriptor).st_size
        if size <= self._limit:
            return
        kept = os.pread(self._descriptor, self._limit // 2, size - self._limit // 2)
        os.ftruncate(self._descriptor, 0)
        os.write(self._descriptor, kept.partition(b"\n")[2])


class LogHandler(logging.Handler):
    """Writes records of Python's logging to the log; of other packages only the place, for a message may quote a
    server.
    """

    def __init__(self, log: Log) -> None:
        super().__init__(logging.WARNING)
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        """Write one line of the log."""
        ours = record.name.split(".")[0] == _OURS
        words = record.getMessage() if ours else f"line {record.lineno}"
        raised = record.exc_info[0] if record.exc_info else None
        kind = f" ({raised.__name__})" if raised else ""
        self._log.note(f"{record.levelname.lower()} {record.name}: {words}{kind}")


def log_to_stderr(log: Log | None = None) -> None:
    """Write the log of this process to stderr, cleaned. For our own commands: a program that embeds a gateway has
    a log of its own.
    """
    logging.basicConfig(handlers=[LogHandler(log or Log(limit=sys.maxsize))])
