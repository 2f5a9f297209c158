"""The store of results that were too long: refs by which their own session, and no other, reads them again."""

import secrets
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Final

from toolbooth import errors, limits, safetext, store
from toolbooth.gateway.results.disk import ResultDisk
from toolbooth.gateway.results.lines import Lines

_REF_BYTES: Final = 16
_SHOWN_REF: Final = 40
_EXPIRED: Final = "this result has expired; call its tool again"


class KeptResult:
    """One text of one session, and when it was kept; its lines are counted when it is first read."""

    def __init__(self, text: str, session: str, since: float) -> None:
        self.text, self.session, self.since = text, session, since
        self.bytes = sys.getsizeof(text)

    @cached_property
    def lines(self) -> Lines:
        return Lines(self.text)


def new_ref() -> str:
    """A new ref of 128 random bits."""
    return secrets.token_urlsafe(_REF_BYTES)


class ResultStore:
    """For any number of threads. In memory, bounded in bytes and age; with a folder, on disk as well.

    What leaves the memory, and what an earlier process kept, is read from the disk. `notes` says what went
    wrong with it, once each, for the log.
    """

    def __init__(
        self,
        folder: Path | None = None,
        max_bytes: int = limits.RESULT_STORE,
        max_age: float = limits.RESULT_AGE,
        clock: Callable[[], float] = time.time,
        max_disk: int = limits.RESULT_DISK,
    ) -> None:
        self.notes: list[str] = []
        self._folder, self._max_disk = folder, max_disk
        self._max_bytes, self._max_age, self._clock = max_bytes, max_age, clock
        self._kept: OrderedDict[str, KeptResult] = OrderedDict()
        self._gone: OrderedDict[str, str] = OrderedDict()  # sessions by ref
        self._bytes = 0
        self._disk: ResultDisk | None = None
        self._lock = threading.Lock()

    def keep(self, text: str, session: str, ref: str = "") -> str:
        """The ref of this text, a new one unless it has one. It can be read at once, and is on disk soon."""
        ref = ref or new_ref()
        kept = KeptResult(text, session, self._clock())
        with self._lock:
            self._remember(ref, kept)
            disk = self._opened_disk()
            if disk is not None:
                disk.put(store.ResultEntry(ref, session, text, kept.since))
        return ref

    def get(self, ref: str, session: str) -> Lines:
        """The text of a ref. A ref of another session is as unknown as one that never existed.

        What is not in memory is read from the disk, in up to a tenth of a second; `at_hand` says so in
        advance.
        """
        with self._lock:
            self._tidy()
            kept = self._kept.get(ref)
            expired = self._gone.get(ref) == session
            disk = self._opened_disk()
        if kept is not None and kept.session == session and kept.since >= self._oldest():
            return kept.lines
        found = disk.find(ref, session) if disk is not None else None
        if found is None or found.text is None or found.kept < self._oldest():
            raise errors.WrongArguments(_EXPIRED if found or expired else _unknown(ref))
        kept = KeptResult(found.text, session, found.kept)
        with self._lock:
            self._remember(ref, kept)
        return kept.lines

    def at_hand(self, ref: str) -> int | None:
        """How many bytes a text takes in memory; None if it is not there."""
        kept = self._kept.get(ref)
        return kept.bytes if kept is not None else None

    def forget(self, session: str) -> None:
        """A session has ended: forget its results."""
        with self._lock:
            for ref in [ref for ref, kept in self._kept.items() if kept.session == session]:
                self._bytes -= self._kept.pop(ref).bytes
            for ref in [ref for ref, owner in self._gone.items() if owner == session]:
                del self._gone[ref]
            disk = self._opened_disk()
            if disk is not None:
                disk.forget(session)

    def tidy(self) -> None:
        """Forget what is too old, in the background if it is on disk."""
        with self._lock:
            self._tidy()
            disk = self._opened_disk()
        if disk is not None:
            disk.tidy()

    def flush(self) -> None:
        """Wait until all that was kept is on disk, or known not to get there."""
        if self._disk is not None:
            self._disk.flush()

    def close(self) -> None:
        """Write what waits, and close the file; what is in memory can still be read."""
        with self._lock:
            disk, self._disk, self._folder = self._disk, None, None
        if disk is not None:
            disk.close()

    def _opened_disk(self) -> ResultDisk | None:
        if self._disk is None and self._folder is not None:
            self._disk = ResultDisk(self._folder, self._max_disk, self._max_age, self._clock, self._note)
        return self._disk

    def _remember(self, ref: str, kept: KeptResult) -> None:
        known = self._kept.pop(ref, None)
        self._bytes += kept.bytes - (known.bytes if known is not None else 0)
        self._kept[ref] = kept
        self._gone.pop(ref, None)
        self._tidy()

    def _tidy(self) -> None:
        """The oldest leave first; the newest stays, however large it is."""
        oldest = self._oldest()
        while self._kept:
            ref, kept = next(iter(self._kept.items()))
            crowded = self._bytes > self._max_bytes and len(self._kept) > 1
            if kept.since >= oldest and not crowded:
                break
            del self._kept[ref]
            self._bytes -= kept.bytes
            self._gone[ref] = kept.session
        while len(self._gone) > limits.RESULT_TOMBSTONES:
            self._gone.popitem(last=False)

    def _oldest(self) -> float:
        return self._clock() - self._max_age

    def _note(self, words: str) -> None:
        if words not in self.notes:
            self.notes.append(words)


def _unknown(ref: str) -> str:
    return f'there is no result "{safetext.for_terminal(ref, _SHOWN_REF)}"; use a ref that a cut result names'
