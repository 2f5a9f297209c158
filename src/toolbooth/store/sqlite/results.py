"""`results.sqlite3`: kept texts of one user; bounded in bytes and age, shared by processes, and intact after a kill."""

import sqlite3
import threading
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Final, TypeVar

from toolbooth import files, limits
from toolbooth.store.protocols import FoundResult, ResultEntry
from toolbooth.store.sqlite.migrations import Migration, Schema
from toolbooth.store.sqlite.sqlite_file import SqliteFile, inode_at, is_damage, remove

_SHORTEST_PACKED: Final = (
    1024  # bytes; below, compression hardly gains anything, and above it always does: UTF-8 is never noise
)
_JOURNAL_BYTES: Final = 4 << 20  # what stays of the journal once its content is in the file
_PUT: Final = "INSERT OR REPLACE INTO results (key, session, kept, bytes, packed, body) VALUES (?,?,?,?,?,?)"
_Done = TypeVar("_Done")


def _results(connection: sqlite3.Connection) -> None:
    """A text without its body has expired. `session` is the digest of its owner."""
    connection.execute(
        """CREATE TABLE IF NOT EXISTS results (
        key BLOB PRIMARY KEY, session BLOB NOT NULL, kept REAL NOT NULL,
        bytes INTEGER NOT NULL, packed INTEGER NOT NULL, body BLOB)"""
    )
    connection.execute("CREATE INDEX IF NOT EXISTS by_age ON results (kept, bytes)")
    connection.execute("CREATE INDEX IF NOT EXISTS by_session ON results (session)")


_COLUMNS: Final = {"results": frozenset({"key", "session", "kept", "bytes", "packed", "body"})}


class DamagedResults(OSError):
    """The file can no longer be read as ours; only a new one helps."""


class ResultsFile(SqliteFile):
    """The texts in one file, for one thread at a time."""

    schema = Schema(1, (Migration("0001_results", _results, compatible=False),), _COLUMNS, _COLUMNS)
    pragmas = ("auto_vacuum = INCREMENTAL", "secure_delete = ON", f"journal_size_limit = {_JOURNAL_BYTES}")
    max_bytes, max_age = limits.RESULT_DISK, limits.RESULT_AGE

    def put(self, entries: Iterable[ResultEntry], now: float) -> None:
        """Keep these, and expire what is too much or too old: all of it, or nothing."""
        rows = [_row(entry) for entry in entries]
        with self.writing() as connection:
            connection.executemany(_PUT, rows)
            freed = self._expire(connection, now)
        self._shrink(freed)

    def find(self, ref: str, owner: str) -> FoundResult | None:
        """What was kept under this ref for this owner, however old."""
        query = "SELECT kept, packed, body FROM results WHERE key = ?"
        row = self.connection.execute(query, (_key(ref, owner),)).fetchone()
        if row is None:
            return None
        kept, packed, body = row
        return FoundResult(None if body is None else _unpacked(body, packed), kept)

    def forget(self, owners: Sequence[str]) -> None:
        """Delete everything of these owners."""
        with self.writing() as connection:
            query = "DELETE FROM results WHERE session = ?"
            freed = sum(connection.execute(query, (digest(each),)).rowcount for each in owners)
        self._shrink(freed)

    def _expire(self, connection: sqlite3.Connection, now: float) -> int:
        """Delete bodies, the oldest first; their rows stay a while, so that a reader learns what became of them."""
        span = (now - self.max_age, now + self.max_age)  # a wrong clock keeps nothing for ever
        aged = connection.execute(
            "UPDATE results SET body = NULL, bytes = 0 WHERE kept NOT BETWEEN ? AND ? AND body IS NOT NULL",
            span,
        )
        crowded = [(key,) for key in self._oldest_beyond_the_limit()]
        connection.executemany("UPDATE results SET body = NULL, bytes = 0 WHERE key = ?", crowded)
        connection.execute(
            "DELETE FROM results WHERE bytes = 0 AND kept <= "
            "(SELECT kept FROM results WHERE bytes = 0 ORDER BY kept DESC LIMIT 1 OFFSET ?)",
            (limits.RESULT_TOMBSTONES,),
        )
        return aged.rowcount + len(crowded)

    def _oldest_beyond_the_limit(self) -> Iterator[bytes]:
        run = self.connection.execute
        excess = run("SELECT total(bytes) FROM results").fetchone()[0] - self.max_bytes
        if excess <= 0:
            return
        for key, size in run("SELECT key, bytes FROM results WHERE bytes > 0 ORDER BY kept"):
            yield key
            excess -= size
            if excess <= 0:
                return

    def _shrink(self, freed: int) -> None:
        """Give the space back, and leave nothing of what was deleted in the journal; a busy reader postpones it."""
        if freed:
            self.connection.executescript("PRAGMA incremental_vacuum")  # `execute` would free one page
            self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def digest(owner: str) -> bytes:
    """How an owner is named on disk: the file reveals no session's id."""
    return sha256(owner.encode("utf-8", "surrogatepass")).digest()


def _key(ref: str, owner: str) -> bytes:
    """With another owner's ref one looks for a row that does not exist."""
    return sha256(digest(owner) + ref.encode("utf-8", "surrogatepass")).digest()


@contextmanager
def _as_os_errors() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise (DamagedResults if is_damage(error) else OSError)(str(error)) from error
    except (zlib.error, UnicodeDecodeError) as error:
        raise DamagedResults(str(error)) from error


def _row(entry: ResultEntry) -> tuple[bytes, bytes, float, int, bool, bytes]:
    body = entry.text.encode("utf-8", "surrogatepass")
    packed = len(body) >= _SHORTEST_PACKED
    body = zlib.compress(body, 1) if packed else body
    key = _key(entry.ref, entry.owner)
    # An empty text counts as one byte: no bytes marks what has expired.
    return key, digest(entry.owner), entry.kept, max(1, len(body)), packed, body


def _unpacked(body: bytes, packed: int) -> str:
    return (zlib.decompress(body) if packed else body).decode("utf-8", "surrogatepass")


class SqliteResults:
    """The kept results of a file, for any number of threads. If it is damaged, it is replaced, and logged once."""

    def __init__(self, path: Path, note: Callable[[str], None], max_bytes: int, max_age: float) -> None:
        self._path, self._note = path, note
        self._max_bytes, self._max_age = max_bytes, max_age
        self._file: ResultsFile | None = None
        self._tried = 0  # the file that was opened last, or could not be
        self._using = threading.Lock()

    def put(self, entries: Iterable[ResultEntry], now: float) -> None:
        """Keep these, all or none, and expire what is too much or too old by then."""
        kept = list(entries)
        self._use(lambda file: file.put(kept, now))

    def get(self, ref: str, owner: str) -> FoundResult | None:
        """What was kept under this ref for this owner, however old."""
        return self._use(lambda file: file.find(ref, owner))

    def forget(self, owners: Sequence[str]) -> None:
        """Delete everything of these owners."""
        self._use(lambda file: file.forget(owners))

    def expire(self, now: float) -> None:
        """Delete texts that are too old, and the oldest while there are too many bytes."""
        self.put((), now)

    def close(self) -> None:
        """Close the file; a later use opens it again."""
        with self._using:
            self._let_go()

    def _use(self, work: Callable[[ResultsFile], _Done]) -> _Done:
        """Every error of SQLite is an OSError, after which the file is opened anew."""
        with self._using:
            try:
                with _as_os_errors():
                    return work(self._opened())
            except DamagedResults:
                self._begin_anew()
                with _as_os_errors():
                    return work(self._opened())
            except OSError:
                self._let_go()
                raise

    def _begin_anew(self) -> None:
        """Unless another process has done so: the file that is there now is good."""
        self._let_go()
        if inode_at(self._path) == self._tried:
            self._note(f"{self._path.name} was damaged and is started again; the results in it are lost")
            remove(self._path)

    def _let_go(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def _opened(self) -> ResultsFile:
        if self._file is not None and not self._file.is_still_at(self._path):
            self._let_go()  # somebody removed it, or began it anew
        if self._file is None:
            self._tried = files.private_file(self._path)
            self._file = ResultsFile.open(self._path)
            self._file.max_bytes, self._file.max_age = self._max_bytes, self._max_age
        return self._file
