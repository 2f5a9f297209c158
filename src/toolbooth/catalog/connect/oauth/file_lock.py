"""A path → a lock that holds between processes, and that a dead process cannot keep."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio

try:
    import fcntl
except ImportError:  # Windows: within the process, the callers' own lock holds
    fcntl = None  # type: ignore[assignment]

_POLL = 0.02


@asynccontextmanager
async def locked(path: Path, timeout: float) -> AsyncIterator[None]:
    """Wait for the lock, at most so long; raises TimeoutError. The file stays: removing it would race."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
    try:
        with anyio.fail_after(timeout):
            while not _take(handle):  # noqa: ASYNC110 - another process holds it: no event tells of the end
                await anyio.sleep(_POLL)
        yield
    finally:
        os.close(handle)  # which also gives the lock back


def _take(handle: int) -> bool:
    if fcntl is None:
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks, as some networks have: better unlocked than not at all
        return True
    return True
