"""Kept texts on disk: a thread writes them in the background to a store that keeps them between processes.

Nobody waits for the writer, and everything works without a usable disk.
"""

import threading
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from toolbooth import limits, safetext, store

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
        self._folder, self._path = folder, folder / store.RESULTS_FILE
        self._max_bytes, self._max_age, self._clock, self._note = max_bytes, max_age, clock, note
        # Entries to write, owners to forget, None to tidy up
        self._waiting: deque[store.ResultEntry | str | None] = deque()
        self._unwritten: dict[str, store.ResultEntry] = {}
        self._unwritten_size = 0
        self._forgetting: set[str] = set()
        self._not_deleted: list[str] = []  # of the writing thread: owners that a disk at rest still holds
        self._changed = threading.Condition()  # guards what waits; the file has a lock of its own
        self._busy = self._closing = False
        self._thread: threading.Thread | None = None
        self._store: store.ResultsStore | None = None
        self._store_lock = threading.Lock()
        self._rests_until = 0.0

    def put(self, entry: store.ResultEntry) -> None:
        """Write it soon; until then it is found all the same."""
        with self._changed:
            if self._unwritten_size + len(entry.text) > limits.RESULT_UNWRITTEN:
                return self._note("the disk is too slow for all long results; some are kept in memory only")
            self._unwritten[entry.ref] = entry
            self._unwritten_size += len(entry.text)
            return self._later(entry)

    def forget(self, owner: str) -> None:
        """Delete soon all that is kept for an owner; from now on nothing of it is found."""
        with self._changed:
            self._drop([entry for entry in self._unwritten.values() if entry.owner == owner])
            if not (self._busy or self._waiting or self._store or self._path.exists()):
                return
            self._forgetting.add(owner)
            self._later(owner)

    def tidy(self) -> None:
        """Delete soon what is too old, also of processes that were killed."""
        with self._changed:
            if self._store or self._path.exists():
                self._later(None)

    def find(self, ref: str, owner: str) -> store.FoundResult | None:
        """What is kept under this ref for this owner, however old."""
        with self._changed:
            entry = self._unwritten.get(ref)
            if entry is not None and entry.owner == owner:
                return store.FoundResult(entry.text, entry.kept)
            if owner in self._forgetting:
                return None
        if self._store is None and not self._path.exists():
            return None
        return self._use(lambda kept: kept.get(ref, owner))

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
            thread.join(limits.RESULT_CLOSE)
        if thread is None or not thread.is_alive():
            self._let_go()

    def _later(self, what: store.ResultEntry | str | None) -> None:
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

    def _write(self, batch: list[store.ResultEntry | str | None]) -> None:
        asked = (each for each in batch if isinstance(each, str))
        forgotten = list(dict.fromkeys((*self._not_deleted, *asked)))
        entries = [
            each for each in batch if isinstance(each, store.ResultEntry) and each.ref in self._unwritten
        ]

        def work(kept: store.ResultsStore) -> bool:
            if forgotten:
                kept.forget(forgotten)
            kept.put(entries, self._clock())
            return True

        done = self._use(work)
        self._not_deleted = [] if done else forgotten
        with self._changed:
            self._drop(entries)
            again = {each for each in self._waiting if isinstance(each, str)}
            self._forgetting = again.union(self._not_deleted)

    def _drop(self, entries: list[store.ResultEntry]) -> None:
        for entry in entries:
            if self._unwritten.pop(entry.ref, None) is not None:
                self._unwritten_size -= len(entry.text)

    def _use(self, work: Callable[[store.ResultsStore], _T]) -> _T | None:
        """None while the disk cannot be used."""
        with self._store_lock:
            if time.monotonic() < self._rests_until:
                return None
            try:
                return work(self._opened())
            except (OSError, MemoryError) as error:
                self._rest(f"long results are kept in memory only: {_reason(error)}")
                return None

    def _opened(self) -> store.ResultsStore:
        if self._store is None:
            self._store = store.open_results(self._folder, self._note, self._max_bytes, self._max_age)
        return self._store

    def _rest(self, words: str) -> None:
        self._note(safetext.for_log(words))
        self._let_go()
        self._rests_until = time.monotonic() + limits.RESULT_DISK_REST

    def _let_go(self) -> None:
        if self._store is not None:
            self._store.close()
            self._store = None


def _reason(error: Exception) -> str:
    said = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return f"{store.RESULTS_FILE}: {said}"
