"""Rows → the ledger's file; or memory, as long as the file cannot be had."""

import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Final, TypeVar

from toolbooth.gateway.ledger.damage import is_damage, put_aside
from toolbooth.gateway.ledger.file import BOUNDS, NAME, Bounds, LedgerFile, NewerFormat, NotALedger
from toolbooth.gateway.ledger.recent import all_rows
from toolbooth.gateway.ledger.row import Row
from toolbooth.limits import LEDGER_RETRY

_TROUBLES: Final = (sqlite3.Error, OSError, NewerFormat, NotALedger)
_PRUNE_EVERY: Final = 1000  # rows
Seen = TypeVar("Seen")


class Keeping:
    """The file of a folder (None: only memory), and what could not be written to it yet. Any thread may use it."""

    def __init__(self, folder: Path | None, note: Callable[[str], None], bounds: Bounds = BOUNDS) -> None:
        self._path = None if folder is None else folder / NAME
        self._note, self._bounds = note, bounds
        self._file: LedgerFile | None = None
        self._unsaved: LedgerFile | None = None  # rows that wait in memory for a file that takes them
        self._not_before = 0.0
        self._unpruned = _PRUNE_EVERY
        self._using = threading.RLock()

    def write(self, rows: Sequence[Row]) -> None:
        """Commit these rows, or keep them in memory until the file can be written again."""
        with self._using:
            try:
                self._mended(lambda file: self._write(file, rows))
            except _TROUBLES as trouble:
                self._rest(trouble)
                self._add(self._memory(), rows)

    def look(self, query: Callable[[sqlite3.Connection], Seen]) -> Seen:
        """Ask about all rows, those in memory included; a file is asked beside whoever writes it."""
        if self._path is not None and self._unsaved is None:
            with suppress(*_TROUBLES), closing(LedgerFile.reading(self._path)) as file:
                return query(file.connection)
        with self._using:
            try:
                if self._unsaved is None:
                    return self._mended(lambda file: query(file.connection))
            except _TROUBLES as trouble:
                self._rest(trouble)
            return self._look_at_both(query)

    def close(self) -> None:
        """Let go of the file, after a last try to write what waits for it; a later use opens it again."""
        with self._using:
            if self._unsaved is not None:
                self._not_before = 0.0
                self.write(())
            self._let_go()
            if self._unsaved is not None:
                self._unsaved.close()
                self._unsaved = None

    def _mended(self, work: Callable[[LedgerFile], Seen]) -> Seen:
        """Work on the file; a damaged one is set aside, and the work is done on a new one."""
        try:
            return work(self._ready())
        except sqlite3.DatabaseError as trouble:
            if self._path is None or not is_damage(trouble):
                raise
            self._set_aside(self._path)
            return work(self._ready())

    def _ready(self) -> LedgerFile:
        if self._file is not None and self._path is not None and not self._file.is_still_at(self._path):
            self._let_go()  # somebody removed it, or set it aside
        if self._file is None:
            if time.monotonic() < self._not_before:
                raise OSError("it is not time to try again")
            path, bounds = self._path, self._bounds
            self._file = LedgerFile.in_memory(bounds) if path is None else LedgerFile.open(path, bounds)
        return self._file

    def _write(self, file: LedgerFile, rows: Sequence[Row]) -> None:
        waiting = [] if self._unsaved is None else all_rows(self._unsaved.connection)
        self._add(file, [*waiting, *rows])
        if self._unsaved is not None:
            self._unsaved.close()
            self._unsaved = None

    def _add(self, file: LedgerFile, rows: Sequence[Row]) -> None:
        """Once they are committed nothing may fail any more, or they would be written twice."""
        file.insert(rows)
        self._unpruned += len(rows)
        if self._unpruned >= _PRUNE_EVERY:
            self._unpruned = 0
            with suppress(sqlite3.Error):
                file.prune(time.time())

    def _look_at_both(self, query: Callable[[sqlite3.Connection], Seen]) -> Seen:
        """A file that takes no rows can often still be read."""
        with closing(LedgerFile.in_memory(self._bounds)) as whole:
            if self._path is not None:
                with suppress(*_TROUBLES), closing(LedgerFile.reading(self._path)) as file:
                    file.connection.backup(whole.connection)
            if self._unsaved is not None:
                whole.insert(all_rows(self._unsaved.connection))
            return query(whole.connection)

    def _memory(self) -> LedgerFile:
        if self._unsaved is None:
            self._unsaved = LedgerFile.in_memory(self._bounds)
        return self._unsaved

    def _rest(self, trouble: Exception) -> None:
        if time.monotonic() >= self._not_before:
            self._note(_words(trouble))
            self._not_before = time.monotonic() + LEDGER_RETRY
        self._let_go()

    def _set_aside(self, path: Path) -> None:
        file, moved = self._file, None
        if file is None or file.is_still_at(path):
            self._let_go()
            moved = put_aside(path)
        else:
            self._let_go()
        if moved is not None:
            self._note(f"the ledger was damaged: it was set aside as {moved.name}, and a new one begun")

    def _let_go(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None


def _words(trouble: Exception) -> str:
    if isinstance(trouble, NewerFormat):
        return (
            "the ledger was written by a later Toolbooth and is left alone: calls are counted in memory only"
        )
    if isinstance(trouble, NotALedger):
        return f"{NAME} is a database of something else and is left alone: calls are counted in memory only"
    reason = getattr(trouble, "strerror", None) or str(trouble) or type(trouble).__name__
    return f"the ledger cannot be written ({reason}): calls are counted in memory until it can"
