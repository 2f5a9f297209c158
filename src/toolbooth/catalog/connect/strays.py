"""A started server → the processes that left its group: `setsid`, a second fork, a daemon of its own.

A process group is not enough to end what a server has started, for anyone may leave it. What is inherited instead is a
mark in the environment, which on Linux can be read of every process of the same user. Elsewhere only the group counts.
"""

import os
import secrets
import signal
import time
from collections.abc import Iterator, Set
from contextlib import suppress
from pathlib import Path

from toolbooth.limits import STOP_GRACE

MARK = "MCP_SERVER_RUN"
_PROC = Path("/proc")
_POLL = 0.05  # each look reads the environment of every process of this user


def new_mark() -> str:
    """No two runs of a server share one."""
    return secrets.token_hex(8)


def marked(marks: Set[str]) -> list[int]:
    """The processes that were started by one of these runs, those in its group included."""
    if not marks or not _PROC.is_dir():
        return []
    wanted = [f"{MARK}={mark}".encode() for mark in marks]
    return [pid for pid, environ in _environments() if any(each in environ for each in wanted)]


def end_strays(marks: Set[str], most: int = 8) -> None:
    """SIGTERM, for a browser or a build daemon has something to save, and after a while SIGKILL.

    SIGKILL comes again while there are some, for one may fork meanwhile. It waits: not for an event loop.
    """
    if not _signal_all(marks, signal.SIGTERM):
        return
    deadline = time.monotonic() + STOP_GRACE
    while marked(marks) and time.monotonic() < deadline:
        time.sleep(_POLL)
    for _ in range(most):
        if not _signal_all(marks, signal.SIGKILL):
            return


def _signal_all(marks: Set[str], number: int) -> bool:
    """Whether there was one."""
    found = marked(marks)
    for pid in found:
        with suppress(OSError):
            os.kill(pid, number)
    return bool(found)


def _environments() -> Iterator[tuple[int, list[bytes]]]:
    """Of a process that is gone, a zombie or another user's, none."""
    for entry in os.scandir(_PROC):
        if entry.name.isdecimal() and int(entry.name) != os.getpid():
            with suppress(OSError):
                yield int(entry.name), (_PROC / entry.name / "environ").read_bytes().split(b"\0")
