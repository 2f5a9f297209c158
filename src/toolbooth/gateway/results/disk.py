"""Kept texts on disk, written in the background: nobody waits for it, and everything works without a usable disk."""

import threading
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

from toolbooth.gateway.results.result_file import DamagedResultFile, ResultFile, remove
from toolbooth.gateway.results.store import FoundResult, ResultEntry
from toolbooth.limits import RESULT_CLOSE, RESULT_DISK_REST, RESULT_UNWRITTEN
from toolbooth.safetext import for_log

FILE_NAME: Final = "results.sqlite3"
_T = TypeVar("_T")


class ResultDisk:
    """One folder's results, for any number of threads. `note` is called with what went wrong."""

    def __init__(
        self,
        folder: Path,
        max_bytes: int,
        max_age: float,
        clock: Callable[[], float],
        note: Callable[[str], None],
    ) -> None:
        self._path = folder / FILE_NAME
        self._max_bytes, self._max_age, self._clock, self._note = max_bytes, max_age, clock, note
        self._waiting: deque[ResultEntry | str | None] = (
            deque()
        )  # entries to write, sessions to forget, None to tidy up
        self._unwritten: dict[str, ResultEntry] = {}
        self._unwritten_size = 0
        self._forgetting: set[str] = set()
        self._changed = threading.Condition()  # guards what waits; the file has a lock of its own
        self._busy = self._closing = False
        self._thread: threading.Thread | None = None
        self._file: ResultFile | None = None
        self._file_lock = threading.Lock()
        self._rests_until = 0.0

    def put(self, entry: ResultEntry) -> None:
        """Write it soon; until then it is found all the same."""
        with self._changed:
            if self._unwritten_size + len(entry.text) > RESULT_UNWRITTEN:
                return self._note("the disk is too slow for all long results; some are kept in memory only")
            self._unwritten[entry.ref] = entry
            self._unwritten_size += len(entry.text)
            return self._later(entry)

    def forget(self, session: str) -> None:
        """Delete soon all that is kept for a session; from now on nothing of it is found."""
        with self._changed:
            self._drop([entry for entry in self._unwritten.values() if entry.session == session])
            if not (self._busy or self._waiting or self._file or self._path.exists()):
                return
            self._forgetting.add(session)
            self._later(session)

    def tidy(self) -> None:
        """Delete soon what is too old, also of processes that were killed."""
        with self._changed:
            if self._file or self._path.exists():
                self._later(None)

    def find(self, ref: str, session: str) -> FoundResult | None:
        """What is kept under this ref for this session, however old."""
        with self._changed:
            entry = self._unwritten.get(ref)
            if entry is not None and entry.session == session:
                return FoundResult(entry.text, entry.kept)
            if session in self._forgetting:
                return None
        if self._file is None and not self._path.exists():
            return None
        return self._use(lambda file: file.find(ref, session))

    def flush(self) -> None:
        """Wait until everything is written, or known not to be writable."""
        with self._changed:
            self._changed.wait_for(lambda: not self._waiting and not self._busy)

    def close(self) -> None:
        """Write what waits; a disk that hangs is not waited for."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
            thread = self._thread
        if thread is not None:
            thread.join(RESULT_CLOSE)
        if thread is None or not thread.is_alive():
            self._let_go()

    def _later(self, what: ResultEntry | str | None) -> None:
        self._waiting.append(what)
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="results", daemon=True)
            self._thread.start()
        self._changed.notify_all()

    def _work(self) -> None:
        while True:
            with self._changed:
                self._busy = False
                self._changed.notify_all()
                self._changed.wait_for(lambda: self._waiting or self._closing)
                if not self._waiting:
                    return
                batch = list(self._waiting)
                self._waiting.clear()
                self._busy = True
            self._write(batch)

    def _write(self, batch: list[ResultEntry | str | None]) -> None:
        forgotten = [each for each in batch if isinstance(each, str)]
        entries = [each for each in batch if isinstance(each, ResultEntry) and each.ref in self._unwritten]
        self._use(lambda file: file.write(entries, forgotten, self._clock()))
        with self._changed:
            self._drop(entries)
            self._forgetting.difference_update(forgotten)

    def _drop(self, entries: list[ResultEntry]) -> None:
        for entry in entries:
            if self._unwritten.pop(entry.ref, None) is not None:
                self._unwritten_size -= len(entry.text)

    def _use(self, work: Callable[[ResultFile], _T]) -> _T | None:
        """None while the disk cannot be used."""
        with self._file_lock:
            if time.monotonic() < self._rests_until:
                return None
            try:
                return work(self._opened())
            except DamagedResultFile:
                return self._begin_anew(work)
            except (OSError, MemoryError) as error:
                self._rest(f"long results are kept in memory only: {_reason(error)}")
                return None

    def _begin_anew(self, work: Callable[[ResultFile], _T]) -> _T | None:
        self._note(f"{FILE_NAME} was damaged and is started again; the results in it are lost")
        self._let_go()
        try:
            remove(self._path)
            return work(self._opened())
        except (OSError, MemoryError) as error:
            self._rest(f"long results are kept in memory only: {_reason(error)}")
            return None

    def _opened(self) -> ResultFile:
        if self._file is None:
            self._file = ResultFile(self._path, self._max_bytes, self._max_age)
        return self._file

    def _rest(self, words: str) -> None:
        self._note(for_log(words))
        self._let_go()
        self._rests_until = time.monotonic() + RESULT_DISK_REST

    def _let_go(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None


def _reason(error: Exception) -> str:
    said = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return f"{FILE_NAME}: {said}"
