"""A lock file → the right to listen at a place, for one process at a time and no longer than it lives."""

import fcntl
import os
import time
from contextlib import suppress
from pathlib import Path

from toolbooth.limits import DAEMON_FILES_AGE

_POLL = 0.02
_FLAGS = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW


class Lock:
    """Held by the kernel for the process: a killed daemon holds nothing. The file names the holder and stays."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._descriptor = os.open(path, _FLAGS, 0o600)

    def take(self, patience: float = 2.0) -> bool:
        """False where another process holds it. One that was just killed may seem to, for a moment."""
        deadline = time.monotonic() + patience
        while not self._try():
            if time.monotonic() > deadline:
                return False
            time.sleep(_POLL)
        os.ftruncate(self._descriptor, 0)
        os.pwrite(self._descriptor, b"%d\n" % os.getpid(), 0)
        return True

    def _try(self) -> bool:
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        if self._in_place():
            return True
        os.close(self._descriptor)  # another process removed the file meanwhile: what we hold is nobody's
        self._descriptor = os.open(self._path, _FLAGS, 0o600)
        return False

    def _in_place(self) -> bool:
        try:
            return os.path.samestat(os.stat(self._path), os.fstat(self._descriptor))  # noqa: PTH116
        except FileNotFoundError:
            return False

    def release(self) -> None:
        """For good."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def remove_left_files(folder: str, ours: str) -> None:
    """What daemons of other homes, installs and versions left when they were killed: none holds its lock any more.

    A bridge that starts a daemon holds `.start`; files that were used lately are left alone.
    """
    latest = time.time() - DAEMON_FILES_AGE
    for path in Path(folder).glob("*.lock"):
        family = [path.with_suffix(ending) for ending in (".sock", ".log", ".start", ".lock")]
        used = [facts.st_mtime for each in family if (facts := _facts(each)) is not None]
        if str(path) == ours or max(used, default=latest) >= latest:
            continue
        starting, running = Lock(str(path.with_suffix(".start"))), Lock(str(path))
        if starting.take(0) and running.take(0):
            for each in family:
                each.unlink(missing_ok=True)
        starting.release()
        running.release()


def _facts(path: Path) -> os.stat_result | None:
    with suppress(OSError):
        return path.lstat()
    return None
