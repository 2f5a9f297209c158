"""The embedded ledger: the rows of a folder, for the gateway that writes them and for anyone who reads them.

`SqliteLedger` keeps rows in memory as long as the file cannot be written. `LedgerReader` changes nothing and
needs no running gateway.
"""

import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Final, TypeVar

from toolbooth import errors, limits
from toolbooth.store.distributions import AnswerSizes
from toolbooth.store.rows import Row, RowFilter
from toolbooth.store.sqlite.ledger_answers import tool_answers
from toolbooth.store.sqlite.ledger_file import BOUNDS, NAME, Bounds, LedgerFile
from toolbooth.store.sqlite.ledger_summary import summarize
from toolbooth.store.sqlite.migrations import ForeignFile, NewerFormat
from toolbooth.store.sqlite.sqlite_file import is_damage, put_aside
from toolbooth.store.statistics import Stats

_FAILURES: Final = (sqlite3.Error, OSError)  # also NewerFormat and ForeignFile
_PRUNE_EVERY: Final = 1000  # rows
Seen = TypeVar("Seen")


class SqliteLedger:
    """The file of a folder (None: only memory), and what could not be written to it yet. Any thread may use it."""

    def __init__(
        self,
        folder: Path | None,
        note: Callable[[str], None],
        bounds: Bounds = BOUNDS,
    ) -> None:
        self._path = None if folder is None else folder / NAME
        self._note, self._bounds = note, bounds
        self._file: LedgerFile | None = None
        self._unsaved: LedgerFile | None = None  # rows that wait in memory until the file can be written
        self._not_before = 0.0
        self._unpruned = _PRUNE_EVERY
        self._using = threading.RLock()

    def append(self, rows: Sequence[Row]) -> None:
        """Commit these rows, or keep them in memory until the file can be written again."""
        with self._using:
            try:
                self._mended(lambda file: self._write(file, rows))
            except _FAILURES as error:
                self._rest(error)
                self._add(self._fallback(), rows)

    def rows(self, row_filter: RowFilter) -> list[Row]:
        """The rows that match, the latest first."""
        return self._look(lambda file: file.rows(row_filter))

    def statistics(self, row_filter: RowFilter, model: str | None = None, *, medians: bool = False) -> Stats:
        """The statistics of the rows that match."""
        return self._look(lambda file: summarize(file, row_filter, model, medians=medians))

    def answers(self, row_filter: RowFilter) -> dict[str, AnswerSizes]:
        """How large the answers of each tool were, by `server.tool`."""
        return self._look(lambda file: tool_answers(file, row_filter))

    def expire(self, now: float) -> None:
        """Delete rows that are too old, and the oldest while there are too many. A busy file is left for later."""
        with self._using, suppress(*_FAILURES):
            self._mended(lambda file: file.prune(now, self._bounds))

    def _look(self, query: Callable[[LedgerFile], Seen]) -> Seen:
        """Query all rows, those in memory included, while others may write."""
        if self._path is not None and self._unsaved is None:
            with suppress(*_FAILURES), closing(LedgerFile.reading(self._path)) as file:
                return query(file)
        with self._using:
            try:
                if self._unsaved is None:
                    return self._mended(lambda file: query(file))
            except _FAILURES as error:
                self._rest(error)
            return self._look_at_both(query)

    def close(self) -> None:
        """Close the file, after a last try to write what waits for it; a later use opens it again."""
        with self._using:
            if self._unsaved is not None:
                self._not_before = 0.0
                self.append(())
            self._let_go()
            if self._unsaved is not None:
                self._unsaved.close()
                self._unsaved = None

    def _mended(self, work: Callable[[LedgerFile], Seen]) -> Seen:
        """Work on the file; a damaged one is set aside, and the work is done on a new one."""
        try:
            return work(self._ready())
        except sqlite3.DatabaseError as error:
            if self._path is None or not is_damage(error):
                raise
            self._set_aside(self._path)
            return work(self._ready())

    def _ready(self) -> LedgerFile:
        if self._file is not None and self._path is not None and not self._file.is_still_at(self._path):
            self._let_go()  # somebody removed it, or set it aside
        if self._file is None:
            if time.monotonic() < self._not_before:
                raise OSError("it is not time to try again")
            self._file = LedgerFile.in_memory() if self._path is None else LedgerFile.open(self._path)
        return self._file

    def _write(self, file: LedgerFile, rows: Sequence[Row]) -> None:
        waiting = [] if self._unsaved is None else self._unsaved.all_rows()
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
                file.prune(time.time(), self._bounds)

    def _look_at_both(self, query: Callable[[LedgerFile], Seen]) -> Seen:
        """A file that cannot be written can often still be read."""
        with closing(LedgerFile.in_memory()) as whole:
            if self._path is not None:
                with suppress(*_FAILURES), closing(LedgerFile.reading(self._path)) as file:
                    file.connection.backup(whole.connection)
            if self._unsaved is not None:
                whole.insert(self._unsaved.all_rows())
            return query(whole)

    def _fallback(self) -> LedgerFile:
        if self._unsaved is None:
            self._unsaved = LedgerFile.in_memory()
        return self._unsaved

    def _rest(self, error: Exception) -> None:
        if time.monotonic() >= self._not_before:
            self._note(_write_failure(error))
            self._not_before = time.monotonic() + limits.LEDGER_RETRY
        self._let_go()

    def _set_aside(self, path: Path) -> None:
        file, moved = self._file, None
        if file is None or file.is_still_at(path):
            self._let_go()
            moved = put_aside(path)
        else:
            self._let_go()
        if moved is not None:
            self._note(f"the ledger was damaged: it was set aside as {moved.name}, and a new one was started")

    def _let_go(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None


def _write_failure(error: Exception) -> str:
    if isinstance(error, NewerFormat):
        return "the ledger was written by a later Toolbooth and is left unchanged: calls are counted in memory only"
    if isinstance(error, ForeignFile):
        return (
            f"{NAME} is a database of something else and is left unchanged: calls are counted in memory only"
        )
    reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return f"the ledger cannot be written ({reason}): calls are counted in memory until it can"


class LedgerReader:
    """Raises NothingToWeigh if the file exists and cannot be read."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / NAME

    def rows(self, row_filter: RowFilter) -> list[Row]:
        """The rows that match, the latest first."""
        return self._look(lambda file: file.rows(row_filter), [])

    def statistics(self, row_filter: RowFilter, model: str | None = None, *, medians: bool = False) -> Stats:
        """The statistics of the rows that match. If there is no file yet, they are empty."""
        return self._look(lambda file: summarize(file, row_filter, model, medians=medians), Stats())

    def answers(self, row_filter: RowFilter) -> dict[str, AnswerSizes]:
        """How large the answers of each tool were, by `server.tool`."""
        return self._look(lambda file: tool_answers(file, row_filter), {})

    def _check_folder(self) -> None:
        folder = self.path.parent
        if folder.exists() and not folder.is_dir():
            raise errors.NothingToWeigh(
                f"{folder} is not a folder, so no call is recorded; move that file away"
            )

    def _look(self, query: Callable[[LedgerFile], Seen], nothing: Seen) -> Seen:
        try:
            if not self.path.exists():
                self._check_folder()
                return nothing
            with closing(LedgerFile.reading(self.path)) as file:
                return query(file)
        except NewerFormat:
            raise errors.NothingToWeigh(
                f"{self.path}: a later Toolbooth wrote this ledger; update Toolbooth to read it"
            ) from None
        except ForeignFile:
            raise errors.NothingToWeigh(f"{self.path}: this database is not a ledger; move it away") from None
        except (sqlite3.Error, OSError) as error:
            raise errors.NothingToWeigh(f"{self.path}: {_read_failure(error)}") from None


def _read_failure(error: Exception) -> str:
    if is_damage(error):
        return "the ledger is damaged; the gateway's next call sets it aside and starts a new one"
    return f"the ledger cannot be read ({getattr(error, 'strerror', None) or error})"
