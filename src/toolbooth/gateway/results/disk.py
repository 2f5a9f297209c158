"""Kept texts on disk: one SQLite file of its owner, and the thread that writes it in the background.

The file is bounded in bytes and age, shared by processes, and intact after a kill. Nobody waits for the writer, and
everything works without a usable disk.
"""

import sqlite3
import threading
import time
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Final, TypeVar

from toolbooth import files, limits, safetext
from toolbooth.gateway.results.store import FoundResult, ResultEntry

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
            (limits.RESULT_TOMBSTONES,),
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
    files.private_file(path)
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
        # Entries to write, sessions to forget, None to tidy up
        self._waiting: deque[ResultEntry | str | None] = deque()
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
            if self._unwritten_size + len(entry.text) > limits.RESULT_UNWRITTEN:
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
            thread.join(limits.RESULT_CLOSE)
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
        self._note(safetext.for_log(words))
        self._let_go()
        self._rests_until = time.monotonic() + limits.RESULT_DISK_REST

    def _let_go(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None


def _reason(error: Exception) -> str:
    said = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return f"{FILE_NAME}: {said}"
