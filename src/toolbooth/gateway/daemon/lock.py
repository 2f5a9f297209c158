"""A lock file → the right to listen at a place, for one process at a time and no longer than it lives."""

import fcntl
import os
import time

_POLL = 0.02


class Lock:
    """Held by the kernel for the process: a killed daemon holds nothing. The file names the holder and stays."""

    def __init__(self, path: str) -> None:
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)

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
        return True

    def release(self) -> None:
        """For good."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
