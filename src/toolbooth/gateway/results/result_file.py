"""Kept texts in one SQLite file of its owner: bounded in bytes and age, shared by processes, intact after a kill."""

import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Final

from toolbooth.files import private_file
from toolbooth.gateway.results.store import FoundResult, ResultEntry
from toolbooth.limits import RESULT_TOMBSTONES

_VERSION: Final = 1
_BUSY_MS: Final = 5_000  # another process writes for milliseconds
_SHORTEST_PACKED: Final = (
    1024  # bytes; below, compression hardly gains anything, and above it always does: UTF-8 is never noise
)
_JOURNAL_BYTES: Final = 4 << 20  # what stays of the journal once its content is in the file
_DAMAGE: Final = {11, 26}  # SQLITE_CORRUPT, SQLITE_NOTADB
_TABLE: Final = """
CREATE TABLE IF NOT EXISTS results (
    key BLOB PRIMARY KEY, session BLOB NOT NULL, kept REAL NOT NULL,
    bytes INTEGER NOT NULL, packed INTEGER NOT NULL, body BLOB
);
CREATE INDEX IF NOT EXISTS by_age ON results (kept, bytes);
CREATE INDEX IF NOT EXISTS by_session ON results (session);
"""
_KEEP: Final = (  # columns are named: a later version may have more of them
    "INSERT OR REPLACE INTO results (key, session, kept, bytes, packed, body) VALUES (?,?,?,?,?,?)"
)


class DamagedResultFile(OSError):
    """The file can no longer be read as ours; only a new one helps."""


class ResultFile:
    """For one thread at a time. Every error of SQLite is an OSError. A text without its body has expired."""

    def __init__(self, path: Path, max_bytes: int, max_age: float) -> None:
        self._max_bytes, self._max_age = max_bytes, max_age
        with _as_os_errors():
            self._connection = _connect(path)

    def write(self, entries: Iterable[ResultEntry], forgotten: Sequence[str], now: float) -> None:
        """Keep these, forget all of these sessions, and whatever is too much or too old: all of it, or nothing."""
        rows = [_row(entry) for entry in entries]
        with _as_os_errors(), self._transaction():
            run = self._connection.execute
            freed = sum(
                run("DELETE FROM results WHERE session = ?", (digest(each),)).rowcount for each in forgotten
            )
            self._connection.executemany(_KEEP, rows)
            freed += self._expire(now)
        if freed:
            self._shrink()

    def find(self, ref: str, session: str) -> FoundResult | None:
        """What was kept under this ref for this session, however old."""
        query = "SELECT kept, packed, body FROM results WHERE key = ?"
        with _as_os_errors():
            row = self._connection.execute(query, (_key(ref, session),)).fetchone()
            if row is None:
                return None
            kept, packed, body = row
            return FoundResult(None if body is None else _unpacked(body, packed), kept)

    def close(self) -> None:
        self._connection.close()

    def _expire(self, now: float) -> int:
        """Delete bodies, the oldest first; their rows stay a while, so that a reader learns what became of them."""
        run = self._connection.execute
        span = (now - self._max_age, now + self._max_age)  # a wrong clock keeps nothing for ever
        aged = run(
            "UPDATE results SET body = NULL, bytes = 0 WHERE kept NOT BETWEEN ? AND ? AND body IS NOT NULL",
            span,
        )
        crowded = [(key,) for key in self._oldest_beyond_the_limit()]
        self._connection.executemany("UPDATE results SET body = NULL, bytes = 0 WHERE key = ?", crowded)
        run(
            "DELETE FROM results WHERE bytes = 0 AND kept <= "
            "(SELECT kept FROM results WHERE bytes = 0 ORDER BY kept DESC LIMIT 1 OFFSET ?)",
            (RESULT_TOMBSTONES,),
        )
        return aged.rowcount + len(crowded)

    def _oldest_beyond_the_limit(self) -> Iterator[bytes]:
        run = self._connection.execute
        excess = run("SELECT total(bytes) FROM results").fetchone()[0] - self._max_bytes
        if excess <= 0:
            return
        for key, size in run("SELECT key, bytes FROM results WHERE bytes > 0 ORDER BY kept"):
            yield key
            excess -= size
            if excess <= 0:
                return

    def _shrink(self) -> None:
        """Give the space back, and leave nothing of what was deleted in the journal; a busy reader postpones it."""
        with _as_os_errors():
            self._connection.executescript("PRAGMA incremental_vacuum")  # `execute` would free one page
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise


def remove(path: Path) -> None:
    """Delete the file and its journals."""
    for ending in ("", "-wal", "-shm"):
        path.with_name(path.name + ending).unlink(missing_ok=True)


def digest(session: str) -> bytes:
    """How a session is named on disk: the file reveals no session's id."""
    return sha256(session.encode("utf-8", "surrogatepass")).digest()


def _key(ref: str, session: str) -> bytes:
    """With another session's ref one looks for a row that does not exist."""
    return sha256(digest(session) + ref.encode("utf-8", "surrogatepass")).digest()


def _connect(path: Path) -> sqlite3.Connection:
    """The journals get the mode of the file."""
    private_file(path)
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=_BUSY_MS / 1000)
    try:
        _prepare(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _prepare(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
    connection.execute("PRAGMA journal_mode = WAL").fetchall()
    connection.execute("PRAGMA synchronous = NORMAL")  # a kill loses nothing; a power cut the last seconds
    connection.execute("PRAGMA secure_delete = ON").fetchall()
    connection.execute(f"PRAGMA journal_size_limit = {_JOURNAL_BYTES}").fetchall()
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version not in (0, _VERSION):
        raise OSError(f"it was written by another version of Toolbooth ({version})")
    if version == 0:
        connection.executescript(f"BEGIN IMMEDIATE; {_TABLE} PRAGMA user_version = {_VERSION}; COMMIT;")


@contextmanager
def _as_os_errors() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        raise (DamagedResultFile if code in _DAMAGE else OSError)(str(error)) from error
    except (zlib.error, UnicodeDecodeError) as error:
        raise DamagedResultFile(str(error)) from error


def _row(entry: ResultEntry) -> tuple[bytes, bytes, float, int, bool, bytes]:
    body = entry.text.encode("utf-8", "surrogatepass")
    packed = len(body) >= _SHORTEST_PACKED
    body = zlib.compress(body, 1) if packed else body
    key = _key(entry.ref, entry.session)
    # An empty text counts as one byte: no bytes marks what has expired.
    return key, digest(entry.session), entry.kept, max(1, len(body)), packed, body


def _unpacked(body: bytes, packed: int) -> str:
    return (zlib.decompress(body) if packed else body).decode("utf-8", "surrogatepass")
