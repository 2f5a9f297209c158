"""What happens in a daemon → a short owner-only file, without foreign text that could hide or give away anything."""

import logging
import os
import time
import traceback
from contextlib import suppress
from pathlib import Path

from toolbooth.limits import DAEMON_LOG
from toolbooth.safetext import for_log

_OURS = "toolbooth"
_FRAMES = 3


def kind_and_place(error: BaseException) -> str:
    """What an error is and where it happened; its words may hold a secret and stay out."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    frames = traceback.extract_tb(error.__traceback__)[-_FRAMES:]
    places = " < ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in reversed(frames))
    return f"{type(error).__name__} at {places or 'an unknown place'}"


class Log:
    """The daemon's stderr, which is a file opened for appending: what is cut off at its start is gone for good."""

    def __init__(self, descriptor: int = 2, limit: int = DAEMON_LOG) -> None:
        self._descriptor, self._limit = descriptor, limit

    def note(self, text: str) -> None:
        """One line with the time."""
        now = time.strftime("%Y-%m-%d %H:%M:%S")
        with suppress(OSError):  # a full disk is no reason to end
            os.write(self._descriptor, f"{now} [{os.getpid()}] {for_log(text)}\n".encode("ascii"))
            self.trim()

    def trim(self) -> None:
        """Keep the newer half of a full log; whatever writes to stderr counts."""
        size = os.fstat(self._descriptor).st_size
        if size <= self._limit:
            return
        kept = os.pread(self._descriptor, self._limit // 2, size - self._limit // 2)
        os.ftruncate(self._descriptor, 0)
        os.write(self._descriptor, kept.partition(b"\n")[2])


class LogHandler(logging.Handler):
    """Python's logging → the log; of other packages only where they speak, for their words may quote a server."""

    def __init__(self, log: Log) -> None:
        super().__init__(logging.WARNING)
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        """One line."""
        ours = record.name.split(".")[0] == _OURS
        words = record.getMessage() if ours else f"line {record.lineno}"
        raised = record.exc_info[0] if record.exc_info else None
        kind = f" ({raised.__name__})" if raised else ""
        self._log.note(f"{record.levelname.lower()} {record.name}: {words}{kind}")
